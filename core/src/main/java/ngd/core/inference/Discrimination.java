package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * How well predictions tell responses 1 from responses 0, on the rows of the fit: the area under
 * the receiver operating characteristic.
 *
 * <p>Two rows of one group count as a tie. Whatever their order, the area of the rows one by one is
 * within half the share of such pairs of that of the groups, and within the shares of the rows of
 * either kind that are not in the group they belong to.
 *
 * @param auc the chance that a row with response 1 has the larger prediction than one with 0
 * @param within how far it is at most from the area of the rows one by one
 * @param standardError DeLong's; none where rows have weights
 * @param low the lower end of the interval
 * @param high its upper end
 * @param curve the receiver operating characteristic, from (0, 0) to (1, 1)
 */
public record Discrimination(
    double auc,
    double within,
    OptionalDouble standardError,
    OptionalDouble low,
    OptionalDouble high,
    List<Point> curve) {
  /** The shares of both kinds of rows whose predictions are above a limit. */
  public record Point(double falsePositive, double truePositive) {}

  public Discrimination {
    curve = List.copyOf(curve);
  }

  /**
   * That of groups in the order of their predictions; none where one kind is missing or no two
   * groups differ.
   *
   * @param movedZeros the most rows with 0, by their weights, that may be counted on the wrong side
   *     of any limit
   * @param movedOnes the same of rows with 1
   */
  static Optional<Discrimination> of(
      List<PredictionGroup> groups,
      boolean weighted,
      double level,
      double movedZeros,
      double movedOnes) {
    double ones = groups.stream().mapToDouble(PredictionGroup::weightOfEvents).sum();
    double zeros = groups.stream().mapToDouble(g -> g.weight() - g.weightOfEvents()).sum();
    if (groups.size() < 2 || !(ones > 0 && zeros > 0)) {
      return Optional.empty();
    }
    double auc = 0;
    double ties = 0;
    double below = 0;
    List<Point> curve = new ArrayList<>(List.of(new Point(1, 1)));
    double onesLeft = ones;
    for (PredictionGroup group : groups) {
      double own = group.weight() - group.weightOfEvents();
      auc += group.weightOfEvents() * (below + 0.5 * own);
      ties += group.weightOfEvents() * own;
      below += own;
      onesLeft -= group.weightOfEvents();
      curve.addFirst(new Point(Math.max(0, 1 - below / zeros), Math.max(0, onesLeft / ones)));
    }
    curve.set(0, new Point(0, 0));
    double area = auc / (ones * zeros);
    OptionalDouble error = weighted ? OptionalDouble.empty() : deLong(groups, ones, zeros, area);
    double reach = NormalDistribution.of(0, 1).inverseSurvivalProbability((1 - level) / 2);
    return Optional.of(
        new Discrimination(
            area,
            Math.min(1, 0.5 * ties / (ones * zeros) + movedZeros / zeros + movedOnes / ones),
            error,
            end(area, -reach, error),
            end(area, reach, error),
            curve));
  }

  private static OptionalDouble end(double area, double reach, OptionalDouble error) {
    return error.isEmpty()
        ? error
        : OptionalDouble.of(Math.clamp(area + reach * error.getAsDouble(), 0, 1));
  }

  /** DeLong, DeLong and Clarke-Pearson (1988): the variance of each kind's placements. */
  private static OptionalDouble deLong(
      List<PredictionGroup> groups, double ones, double zeros, double area) {
    if (ones < 2 || zeros < 2) {
      return OptionalDouble.empty();
    }
    double zerosBelow = 0;
    double onesBelow = 0;
    double ofOnes = 0;
    double ofZeros = 0;
    for (PredictionGroup group : groups) {
      double own = group.weightOfEvents();
      double others = group.weight() - own;
      double one = (zerosBelow + 0.5 * others) / zeros - area;
      double zero = 1 - (onesBelow + 0.5 * own) / ones - area;
      ofOnes += own * one * one;
      ofZeros += others * zero * zero;
      zerosBelow += others;
      onesBelow += own;
    }
    return OptionalDouble.of(Math.sqrt(ofOnes / (ones - 1) / ones + ofZeros / (zeros - 1) / zeros));
  }
}
