package ngd.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.data.Shard;

/**
 * The risk sets of all sites' rows at the times of a grid: what a site says of its own, and what
 * all have said together.
 */
public record GridRiskSets(Ties ties, TimeGrid grid) {
  private int strata() {
    return grid.strata().size();
  }

  private double[][] times() {
    double[][] times = new double[strata()][];
    Arrays.fill(times, grid.array());
    return times;
  }

  /** A site's sums at a point. */
  public double[] said(Shard shard, double[] theta, int order) {
    int width = RiskSet.numbers(theta.length, order);
    double[] said = new double[strata() * grid.times().size() * width];
    int[] next = new int[1];
    RiskSets.at(shard, times())
        .visit(
            theta,
            order,
            set -> {
              set.say(said, next[0]);
              next[0] += width;
            });
    return said;
  }

  /** The sums of all sites. */
  public List<RiskSet> heard(double[] sums, int p, int order) {
    int width = RiskSet.numbers(p, order);
    int count = grid.times().size();
    List<RiskSet> sets = new ArrayList<>();
    for (int s = 0; s < strata(); s++) {
      for (int k = 0; k < count; k++) {
        double time = grid.times().get(count - 1 - k);
        sets.add(RiskSet.of(s, time, p, order, sums, (s * count + k) * width));
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

  /** A site's Σ s sᵀ over its rows' score residuals, the lower triangle. */
  public double[] squares(Shard shard, double[] theta, List<RiskSet> sets) {
    List<List<RiskSet.Hazard>> hazards = hazards(sets);
    RiskSets own = RiskSets.at(shard, times());
    return RiskSets.squaresOf(theta.length, sink -> own.residuals(theta, hazards, sink));
  }

  /** The sum of a site's score residuals. */
  public double[] score(Shard shard, double[] theta, List<RiskSet> sets) {
    double[] sum = new double[theta.length];
    RiskSets.at(shard, times())
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
    for (int s = 0; s < strata(); s++) {
      hazards.add(new ArrayList<>());
    }
    sets.forEach(set -> hazards.get(set.stratum()).add(set.hazard(ties)));
    return hazards;
  }
}
