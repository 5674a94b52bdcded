package ngd.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.data.Shard;

/**
 * Risk sets at given times: what some rows add to the sums there, and what all of them come to
 * together, whether they are those of all sites or the blocks of one.
 */
public final class RiskSetSums {
  private final Ties ties;

  /** Those of each stratum, rising. */
  private final double[][] times;

  RiskSetSums(Ties ties, double[][] times) {
    this.ties = ties;
    this.times = times;
  }

  /** At the times of a grid, in each of its strata. */
  public static RiskSetSums at(Ties ties, TimeGrid grid) {
    return new RiskSetSums(ties, grid.arrays());
  }

  public Ties ties() {
    return ties;
  }

  /** How many numbers there are of all risk sets. */
  static long numbers(double[][] times, int p, int order) {
    return Arrays.stream(times).mapToLong(own -> own.length).sum() * RiskSet.numbers(p, order);
  }

  /** What some rows add at a point. */
  public double[] said(Shard shard, double[] theta, int order) {
    int width = RiskSet.numbers(theta.length, order);
    double[] said = new double[Math.toIntExact(numbers(times, theta.length, order))];
    int[] next = new int[1];
    RiskSets.at(shard, times)
        .visit(
            theta,
            order,
            set -> {
              set.say(said, next[0]);
              next[0] += width;
            });
    return said;
  }

  /** The risk sets that sums over all rows say, in each stratum by falling time. */
  public List<RiskSet> heard(double[] sums, int p, int order) {
    int width = RiskSet.numbers(p, order);
    List<RiskSet> sets = new ArrayList<>();
    for (int s = 0; s < times.length; s++) {
      for (int k = times[s].length - 1; k >= 0; k--) {
        sets.add(RiskSet.of(s, times[s][k], p, order, sums, sets.size() * width));
      }
    }
    return sets;
  }

  /** Minus the log partial likelihood, then its gradient and its Hessian's lower triangle. */
  public double[] likelihood(List<RiskSet> sets, int p, int order) {
    double[] loss = new double[1];
    double[] score = new double[order > 0 ? p : 0];
    double[] hessian = new double[order > 1 ? p * (p + 1) / 2 : 0];
    sets.forEach(set -> set.contribute(ties, loss, score, hessian));
    return IntStream.range(0, 1 + score.length + hessian.length)
        .mapToDouble(
            i ->
                i == 0 ? loss[0] : i <= score.length ? score[i - 1] : hessian[i - 1 - score.length])
        .toArray();
  }

  /** Σ s sᵀ over some rows' score residuals, the lower triangle. */
  public double[] squares(Shard shard, double[] theta, List<RiskSet> sets) {
    List<List<RiskSet.Hazard>> hazards = hazards(sets);
    RiskSets own = RiskSets.at(shard, times);
    return RiskSets.squaresOf(theta.length, sink -> own.residuals(theta, hazards, sink));
  }

  /** The sum of some rows' score residuals. */
  public double[] score(Shard shard, double[] theta, List<RiskSet> sets) {
    double[] sum = new double[theta.length];
    RiskSets.at(shard, times)
        .residuals(
            theta,
            hazards(sets),
            (_, residual) -> {
              for (int j = 0; j < sum.length; j++) {
                sum[j] += residual[j];
              }
            });
    return sum;
  }

  private List<List<RiskSet.Hazard>> hazards(List<RiskSet> sets) {
    List<List<RiskSet.Hazard>> hazards = new ArrayList<>();
    for (int s = 0; s < times.length; s++) {
      hazards.add(new ArrayList<>());
    }
    sets.forEach(set -> hazards.get(set.stratum()).add(set.hazard(ties)));
    return hazards;
  }
}
