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
      case AdaptivelyClipped(double share) -> "clipped:auto:" + share;
      case Bridge(int drop) -> "bridge:" + drop;
      case GeometricMedian _ -> "geometric-median";
      case Krum(int bad) -> "krum:" + bad;
      case Nearest(int bad) -> "nearest:" + bad;
      case NearestMixed(int bad, Mixing rule) -> "nnm:" + bad + ":" + rule.spec();
    };
  }

  /** The weighted mean W x: every neighbour is trusted. */
  record Mean() implements Mixing {}

  /** Looks at each coefficient by itself. */
  sealed interface Coordinatewise extends Mixing {}

  /**
   * Looks at vectors as wholes, and needs nothing of them but their distances: a client goes from
   * where it stands a share of the way towards each of the others ({@link Pulls}).
   */
  sealed interface ByDistance extends Mixing {}

  /**
   * Coefficient by coefficient the mean without the {@code drop} smallest and the {@code drop}
   * largest, one's own among them (Yin, Chen, Ramchandran and Bartlett 2018): safe against that
   * many bad neighbours.
   */
  record Trimmed(int drop) implements Coordinatewise {
    public Trimmed {
      requireOneOrMore("trimmed:B", drop);
    }
  }

  /**
   * BRIDGE: coefficient by coefficient the mean of one's own and of what others say without their
   * {@code drop} smallest and {@code drop} largest (Fang, Yang and Bajwa 2022, BRIDGE-T). One's own
   * always counts, which {@link Trimmed} does not promise.
   */
  record Bridge(int drop) implements Coordinatewise {
    public Bridge {
      requireOneOrMore("bridge:B", drop);
    }
  }

  /** Coefficient by coefficient the median: safe against a minority of bad neighbours. */
  record Median() implements Coordinatewise {}

  /**
   * Self-centred clipping, x + Σ w clip(x_k − x, radius): a neighbour moves a client by at most its
   * weight times the radius (He, Karimireddy and Jaggi 2022, ClippedGossip).
   */
  record Clipped(double radius) implements ByDistance {
    public Clipped {
      if (!(radius > 0) || Double.isInfinite(radius)) {
        throw new InvalidInput("mix clipped:T: T must be positive; got " + radius);
      }
    }
  }

  /**
   * Self-centred clipping whose radius follows the clients: their theorem's √(Σ w ‖x_k − x‖² /
   * share) over honest neighbours, for whom stand those that are left without the farthest, whose
   * weights make up the share.
   *
   * @param share of W's weight that bad neighbours may have
   */
  record AdaptivelyClipped(double share) implements ByDistance {
    public AdaptivelyClipped {
      if (!(share > 0 && share < 1)) {
        throw new InvalidInput(
            "mix clipped:auto:D: D, the share of bad weight, must lie in (0, 1); got " + share);
      }
    }
  }

  /**
   * The point with the least sum of distances to all, one's own among them (Pillutla, Kakade and
   * Harchaoui 2022 aggregate by it): safe against a minority.
   */
  record GeometricMedian() implements ByDistance {}

  /**
   * Krum: the one vector, perhaps one's own, that is nearest to its n − bad − 2 nearest others, by
   * squared distances (Blanchard, El Mhamdi, Guerraoui and Stainer 2017).
   */
  record Krum(int bad) implements ByDistance {
    public Krum {
      requireOneOrMore("krum:B", bad);
    }
  }

  /**
   * The mean of one's own and of what is heard, without the {@code bad} that are farthest from
   * one's own (Farhadkhani, Guerraoui, Gupta, Hoang, Pinot and Stephan 2023, nearest-neighbour
   * averaging).
   */
  record Nearest(int bad) implements ByDistance {
    public Nearest {
      requireOneOrMore("nearest:B", bad);
    }
  }

  /**
   * Nearest-neighbour mixing before another rule: each vector becomes the mean of itself and those
   * nearest to it, without the {@code bad} farthest (Allouah, Farhadkhani, Guerraoui, Gupta, Pinot
   * and Stephan 2023).
   */
  record NearestMixed(int bad, Mixing rule) implements Mixing {
    public NearestMixed {
      requireOneOrMore("nnm:B:RULE", bad);
      if (rule instanceof Mean || rule instanceof NearestMixed) {
        throw new InvalidInput(
            "mix nnm:B:RULE: RULE must be another robust rule, such as median or trimmed:%d; got `%s`"
                .formatted(bad, rule.spec()));
      }
    }
  }

  private static void requireOneOrMore(String form, int bad) {
    if (bad < 1) {
      throw new InvalidInput("mix %s: B must be at least 1; got %d".formatted(form, bad));
    }
  }

  /**
   * How many vectors a client must average, its own among them, to bear as many bad ones as the
   * rule says; 1 where it says no number.
   */
  default int fewest() {
    return switch (this) {
      case Trimmed(int drop) -> 2 * drop + 1;
      case Bridge(int drop) -> 2 * drop + 2;
      case Krum(int bad) -> 2 * bad + 3;
      case Nearest(int bad) -> 2 * bad + 1;
      case NearestMixed(int bad, Mixing rule) -> Math.max(2 * bad + 1, rule.fewest());
      case Mean _, Median _, Clipped _, AdaptivelyClipped _, GeometricMedian _ -> 1;
    };
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
    Vocabulary words =
        new Vocabulary(
            "mix",
            List.of(
                "mean",
                "trimmed:B",
                "median",
                "clipped:T",
                "clipped:auto:D",
                "bridge:B",
                "geometric-median",
                "krum:B",
                "nearest:B",
                "nnm:B:RULE"));
    String[] parts = spec.strip().split(":", 3);
    if (parts[0].equals("nnm") && parts.length == 3) {
      return new NearestMixed(whole("nnm:B:RULE", parts[1]), parse(parts[2]));
    }
    List<String> given = words.parameters(spec);
    return switch (parts[0]) {
      case "mean" -> new Mean();
      case "median" -> new Median();
      case "geometric-median" -> new GeometricMedian();
      case "trimmed" -> new Trimmed(whole("trimmed:B", given.getFirst()));
      case "bridge" -> new Bridge(whole("bridge:B", given.getFirst()));
      case "krum" -> new Krum(whole("krum:B", given.getFirst()));
      case "nearest" -> new Nearest(whole("nearest:B", given.getFirst()));
      default -> clipped(given);
    };
  }

  private static Mixing clipped(List<String> given) {
    if (given.size() == 1) {
      return new Clipped(number("clipped:T", given.getFirst()));
    }
    if (!given.getFirst().equals("auto")) {
      throw new InvalidInput(
          "mix: the form is `clipped:T` or `clipped:auto:D`; got `clipped:%s`"
              .formatted(String.join(":", given)));
    }
    return new AdaptivelyClipped(number("clipped:auto:D", given.getLast()));
  }

  private static int whole(String form, String text) {
    double number = number(form, text);
    if (number != Math.rint(number) || Math.abs(number) > Integer.MAX_VALUE) {
      throw new InvalidInput("mix %s: B must be a whole number; got %s".formatted(form, number));
    }
    return (int) number;
  }

  private static double number(String form, String text) {
    return NumberText.read(
        text,
        Double::parseDouble,
        () -> "mix %s: must have a number; got `%s`".formatted(form, text));
  }
}
