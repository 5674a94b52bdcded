package ngd.core.world;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Vocabulary;

/**
 * How a client averages what it hears. All rules but the mean bound what a bad neighbour can do,
 * and count the client itself among those it hears, whatever weight W gives it.
 */
public sealed interface Mixing {
  /** What no robust rule can guard, for {@link #requireMean}. */
  String PUSHED = "shares that are pushed, all of which must arrive";

  String LINK_BY_LINK = "what is heard link by link";

  String SUMMED = "a sum of all clients' rows";

  /** The words on the command line. */
  default String spec() {
    return switch (this) {
      case Mean _ -> "mean";
      case Trimmed(int drop) -> "trimmed:" + drop;
      case Median _ -> "median";
      case Clipped(double radius) -> "clipped:" + radius;
    };
  }

  /** The weighted mean W x: every neighbour is trusted. */
  record Mean() implements Mixing {}

  /**
   * Coefficient by coefficient the mean without the {@code drop} smallest and the {@code drop}
   * largest (Yang and Bajwa 2019): safe against that many bad neighbours.
   */
  record Trimmed(int drop) implements Mixing {
    public Trimmed {
      if (drop < 1) {
        throw new InvalidInput("mix trimmed:B: B must be at least 1; got " + drop);
      }
    }
  }

  /** Coefficient by coefficient the median: safe against a minority of bad neighbours. */
  record Median() implements Mixing {}

  /**
   * x + Σ w clip(x_k − x, radius): a neighbour moves a client by at most its weight times the
   * radius (He, Karimireddy and Jaggi 2022).
   */
  record Clipped(double radius) implements Mixing {
    public Clipped {
      if (!(radius > 0) || Double.isInfinite(radius)) {
        throw new InvalidInput("mix clipped:T: T must be positive; got " + radius);
      }
    }
  }

  /**
   * Refuses to guard what only looks like an average: robust rules stand in for {@code mix} and for
   * nothing else.
   */
  default void requireMean(String what) {
    if (!(this instanceof Mean)) {
      throw new InvalidInput(
          "mix %s: cannot guard %s; use an algorithm that averages, such as balanced-ngd or diging"
              .formatted(spec(), what));
    }
  }

  static Mixing parse(String spec) {
    Vocabulary words = new Vocabulary("mix", List.of("mean", "trimmed:B", "median", "clipped:T"));
    List<String> given = words.parameters(spec);
    return switch (spec.strip().split(":", 2)[0]) {
      case "mean" -> new Mean();
      case "median" -> new Median();
      case "trimmed" -> {
        double drop = number("trimmed:B", given.getFirst());
        if (drop != Math.rint(drop)) {
          throw new InvalidInput("mix trimmed:B: B must be a whole number; got " + drop);
        }
        yield new Trimmed((int) drop);
      }
      default -> new Clipped(number("clipped:T", given.getFirst()));
    };
  }

  private static double number(String form, String text) {
    return NumberText.read(
        text,
        Double::parseDouble,
        () -> "mix %s: must have a number; got `%s`".formatted(form, text));
  }
}
