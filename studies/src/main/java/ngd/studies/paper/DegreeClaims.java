package ngd.studies.paper;

import static ngd.studies.report.NumberWords.number;

import java.util.ArrayList;
import java.util.List;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;

/** The claims of section 3 about the degree of fixed-degree networks. */
final class DegreeClaims {
  /** A gap in median log(MSE) below this, a quarter more MSE, counts as comparable. */
  private static final double COMPARABLE = 0.25;

  /** Medians this near count as equal. */
  private static final double EQUAL = 0.05;

  /** The degree from which on the paper finds nothing left to gain. */
  private static final int ENOUGH = 6;

  private DegreeClaims() {}

  /**
   * The medians of one model.
   *
   * @param global the global estimator's
   * @param medians those of the degrees 1, 2, 3, …
   */
  record Degrees(String model, double global, List<Double> medians) {
    Degrees {
      medians = List.copyOf(medians);
    }

    int largest() {
      return medians.size();
    }

    /** How much lower the median is at degree D than at D − 1. */
    double drop(int degree) {
      return medians.get(degree - 2) - medians.get(degree - 1);
    }

    /** How far the median at a degree lies above the global estimator's. */
    double gap(int degree) {
      return medians.get(degree - 1) - global;
    }
  }

  static List<Claim> of(List<Degrees> models) {
    return List.of(improves(models), greatly(models), comparable(models));
  }

  private static Claim improves(List<Degrees> models) {
    int improved = 0;
    int steps = 0;
    List<String> ends = new ArrayList<>();
    for (Degrees one : models) {
      for (int d = 2; d <= one.largest(); d++) {
        steps++;
        improved += one.drop(d) >= -EQUAL ? 1 : 0;
      }
      ends.add(
          "%s from %s to %s"
              .formatted(
                  one.model(), number(one.medians().getFirst()), number(one.medians().getLast())));
    }
    return new Claim(
        "as the in-degree increases, the statistical efficiency of the resulting estimator improves",
        Verdict.of(improved, steps),
        "The median rose by no more than %s in %d of %d steps from one degree to the next; from D = 1 to the largest: %s."
            .formatted(EQUAL, improved, steps, String.join("; ", ends)));
  }

  private static Claim greatly(List<Degrees> models) {
    List<Degrees> judged = models.stream().filter(one -> one.largest() > 2).toList();
    int greatly = 0;
    List<String> drops = new ArrayList<>();
    for (Degrees one : judged) {
      greatly += one.drop(2) > 0 && one.drop(2) > 2 * one.drop(3) ? 1 : 0;
      drops.add(
          "%s %s from 1 to 2, then %s from 2 to 3"
              .formatted(one.model(), number(one.drop(2)), number(one.drop(3))));
    }
    return new Claim(
        "the median log(MSE) decreases greatly when the in-degree increases from 1 to 2",
        Verdict.of(greatly, judged.size()),
        "The fall: %s. It counts as great where it is more than twice the next one."
            .formatted(String.join("; ", drops)));
  }

  private static Claim comparable(List<Degrees> models) {
    List<Degrees> judged = models.stream().filter(one -> one.largest() >= ENOUGH).toList();
    int close = 0;
    List<String> gaps = new ArrayList<>();
    for (Degrees one : judged) {
      close += one.gap(ENOUGH) < COMPARABLE ? 1 : 0;
      gaps.add(
          "%s %s at D = %d (a factor of %s in MSE) and %s at D = %d"
              .formatted(
                  one.model(),
                  number(one.gap(ENOUGH)),
                  ENOUGH,
                  number(Math.exp(one.gap(ENOUGH))),
                  number(one.gap(one.largest())),
                  one.largest()));
    }
    return new Claim(
        "when the in-degree is no less than 6, the statistical efficiency of the resulting NGD estimator becomes very comparable with that of the global estimator",
        Verdict.of(close, judged.size()),
        "Above the global estimator's median: %s. Below %s counts as comparable. What remains is the networks' imbalance: SE²(W) is about 1/D."
            .formatted(String.join("; ", gaps), COMPARABLE));
  }
}
