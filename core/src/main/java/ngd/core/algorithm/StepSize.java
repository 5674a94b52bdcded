package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NumberText;

/**
 * The learning rate α as a function of the round. Rounds are counted from 0.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="step"}
 */
public sealed interface StepSize {
  double at(int round);

  /** The largest α of all rounds: what a safe limit is compared with. */
  default double largest() {
    return at(0);
  }

  /**
   * This one until a round, and another from there on; refused where no words of {@link #parse} say
   * that.
   */
  default StepSize until(int round, StepSize next) {
    if (round == 0) {
      return next;
    }
    if (this instanceof Polynomial || next instanceof Polynomial) {
      throw new InvalidInput(
          "alpha: in mid-run it changes between numbers, as in 0.05,0.01@500; got %s after %s"
              .formatted(next, this));
    }
    List<Cuts.Cut> cuts = new ArrayList<>();
    cuts(this).stream().filter(cut -> cut.from() < round).forEach(cuts::add);
    if (next.at(round) != at(round - 1)) {
      cuts.add(new Cuts.Cut(round, next.at(round)));
    }
    cuts(next).stream().filter(cut -> cut.from() > round).forEach(cuts::add);
    return cuts.size() == 1 ? new Constant(cuts.getFirst().alpha()) : new Cuts(cuts);
  }

  private static List<Cuts.Cut> cuts(StepSize step) {
    return step instanceof Cuts(List<Cuts.Cut> cuts) ? cuts : List.of(new Cuts.Cut(0, step.at(0)));
  }

  static StepSize constant(double alpha) {
    return new Constant(alpha);
  }

  /** The same α in every round. */
  record Constant(double alpha) implements StepSize {
    public Constant {
      requirePositive(alpha);
    }

    @Override
    public double at(int round) {
      return alpha;
    }

    @Override
    public String toString() {
      return plain(alpha);
    }
  }

  /** Constant and cut: {@code alpha} from round {@code from} on, until the next cut. */
  record Cuts(List<Cut> cuts) implements StepSize {
    /** One stretch of a schedule. */
    public record Cut(int from, double alpha) {
      public Cut {
        requirePositive(alpha);
      }
    }

    public Cuts {
      cuts = List.copyOf(cuts);
      for (int i = 0; i < cuts.size(); i++) {
        int least = i == 0 ? 0 : cuts.get(i - 1).from() + 1;
        if (cuts.get(i).from() < least || (i == 0 && cuts.get(0).from() != 0)) {
          throw new InvalidInput(
              "alpha: cuts must be in ascending order of rounds; got round %d after %d"
                  .formatted(cuts.get(i).from(), least - 1));
        }
      }
    }

    @Override
    public double at(int round) {
      int i = cuts.size() - 1;
      while (cuts.get(i).from() > round) {
        i--;
      }
      return cuts.get(i).alpha();
    }

    @Override
    public double largest() {
      return cuts.stream().mapToDouble(Cut::alpha).max().orElseThrow();
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      for (Cut cut : cuts) {
        text.append(cut.from() == 0 ? "" : ",").append(plain(cut.alpha()));
        text.append(cut.from() == 0 ? "" : "@" + cut.from());
      }
      return text.toString();
    }
  }

  /** alpha / (t + 1)^power in round t: 1/t for power 1, 1/√t for power ½. */
  record Polynomial(double alpha, double power) implements StepSize {
    public Polynomial {
      requirePositive(alpha);
      if (!(power > 0 && power <= 1)) {
        throw new InvalidInput(
            "alpha: the power of t must lie in (0, 1], or the steps vanish too soon; got " + power);
      }
    }

    @Override
    public double at(int round) {
      return alpha / Math.pow(round + 1.0, power);
    }

    @Override
    public String toString() {
      return plain(alpha) + "/t^" + plain(power);
    }
  }

  /** A number as people write it, 0.0005 rather than 5.0E-4. */
  static String plain(double number) {
    return NumberText.plain(number);
  }

  /**
   * Reads {@code 0.01}, {@code 0.01,0.005@1000,0.001@4000} (rounds 0 to 999 at 0.01, and so on),
   * {@code 0.5/t}, {@code 0.5/sqrt(t)} or {@code 0.5/t^0.75}.
   */
  static StepSize parse(String text) {
    String trimmed = text.strip();
    int slash = trimmed.indexOf('/');
    if (slash >= 0) {
      double alpha = number(trimmed.substring(0, slash), text);
      String form = trimmed.substring(slash + 1).strip();
      double power =
          switch (form) {
            case "t" -> 1;
            case "sqrt(t)" -> 0.5;
            default -> {
              if (!form.startsWith("t^")) {
                throw malformed(text);
              }
              yield number(form.substring(2), text);
            }
          };
      return new Polynomial(alpha, power);
    }
    String[] parts = trimmed.split(",", -1);
    if (parts.length == 1) {
      return new Constant(number(parts[0], text));
    }
    String[][] pairs =
        Arrays.stream(parts).map(part -> part.split("@", -1)).toArray(String[][]::new);
    // Before any number is looked at: 0,1 is meant as one.
    for (int i = 0; i < pairs.length; i++) {
      if (pairs[i].length != (i == 0 ? 1 : 2)) {
        throw malformed(text);
      }
    }
    List<Cuts.Cut> cuts = new ArrayList<>();
    for (int i = 0; i < pairs.length; i++) {
      String[] pair = pairs[i];
      double from = i == 0 ? 0 : number(pair[1], text);
      if (from != Math.rint(from) || from < 0 || from > Integer.MAX_VALUE) {
        throw malformed(text);
      }
      cuts.add(new Cuts.Cut((int) from, number(pair[0], text)));
    }
    return new Cuts(cuts);
  }

  private static double number(String part, String whole) {
    return NumberText.read(part, Double::parseDouble, () -> malformed(whole).getMessage());
  }

  private static InvalidInput malformed(String text) {
    return new InvalidInput(
        "alpha: must be a number (0.01), a schedule (0.01,0.005@1000,0.001@4000) or polynomial "
            + "(0.5/t, 0.5/sqrt(t), 0.5/t^0.75); got `%s`".formatted(text));
  }

  private static void requirePositive(double alpha) {
    if (!(alpha > 0) || Double.isInfinite(alpha)) {
      throw new InvalidInput("alpha: must be a positive number; got " + alpha);
    }
  }
}
