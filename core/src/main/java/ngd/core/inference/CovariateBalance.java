package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.world.World;

/**
 * How far apart the treated and the others are in the columns of the treatment's model, before and
 * after weighting, by sums over each group.
 *
 * @param treated its size and weights
 * @param others the same of those who were not treated
 */
public record CovariateBalance(Group treated, Group others, List<Line> lines) {
  public CovariateBalance {
    lines = List.copyOf(lines);
  }

  /**
   * A group's rows.
   *
   * @param weight the sum of their weights
   * @param effective (Σ ω)² / Σ ω², the number of rows of equal weight that would say as much
   */
  public record Group(long rows, double weight, double effective) {}

  /**
   * One column. Differences are of the treated less the others, in standard deviations of the rows
   * without weights: the root of the groups' mean variance, or the deviation of the group whose
   * effect is asked for.
   */
  public record Line(
      String term,
      double treated,
      double others,
      double difference,
      double weightedTreated,
      double weightedOthers,
      double weightedDifference) {}

  /** Sums of a column over a group: of values, and of values times weights. */
  private static final int SUMS = 2;

  static CovariateBalance of(
      World world,
      Shards treatments,
      List<String> columns,
      IntFunction<double[]> weights,
      Estimand estimand) {
    int q = columns.size();
    int each = 3 + SUMS * q;
    double[] sums =
        Pooled.total(world, m -> firstSums(treatments.shard(m), weights.apply(m), q, each));
    double[] means = new double[2 * q];
    for (int g = 0; g < 2; g++) {
      for (int j = 0; j < q; j++) {
        means[g * q + j] = sums[g * each + 3 + SUMS * j] / sums[g * each];
      }
    }
    double[] squares = Pooled.total(world, m -> squares(treatments.shard(m), means, q));
    List<Line> lines = new ArrayList<>();
    for (int j = 0; j < q; j++) {
      if (columns.get(j).equals(Table.INTERCEPT)) {
        continue;
      }
      double ofOthers = squares[j] / (sums[0] - 1);
      double ofTreated = squares[q + j] / (sums[each] - 1);
      double deviation =
          Math.sqrt(
              switch (estimand) {
                case ATE, OVERLAP -> (ofTreated + ofOthers) / 2;
                case ATT -> ofTreated;
                case ATC -> ofOthers;
              });
      double others = sums[3 + SUMS * j + 1] / sums[1];
      double treated = sums[each + 3 + SUMS * j + 1] / sums[each + 1];
      lines.add(
          new Line(
              columns.get(j),
              means[q + j],
              means[j],
              (means[q + j] - means[j]) / deviation,
              treated,
              others,
              (treated - others) / deviation));
    }
    return new CovariateBalance(group(sums, each), group(sums, 0), lines);
  }

  private static Group group(double[] sums, int at) {
    return new Group((long) sums[at], sums[at + 1], sums[at + 1] * sums[at + 1] / sums[at + 2]);
  }

  /** For the others and then the treated: rows, Σ ω, Σ ω², and for each column Σ x and Σ ω x. */
  private static double[] firstSums(Shard shard, double[] weights, int q, int each) {
    double[] sums = new double[2 * each];
    double[] x = new double[q];
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      int at = shard.y(i) > 0 ? each : 0;
      sums[at]++;
      sums[at + 1] += weights[i];
      sums[at + 2] = Math.fma(weights[i], weights[i], sums[at + 2]);
      for (int j = 0; j < q; j++) {
        sums[at + 3 + SUMS * j] += x[j];
        sums[at + 3 + SUMS * j + 1] = Math.fma(weights[i], x[j], sums[at + 3 + SUMS * j + 1]);
      }
    }
    return sums;
  }

  /** Σ (x − mean)² of each column, of the others and then the treated. */
  private static double[] squares(Shard shard, double[] means, int q) {
    double[] sums = new double[2 * q];
    double[] x = new double[q];
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      int at = shard.y(i) > 0 ? q : 0;
      for (int j = 0; j < q; j++) {
        double way = x[j] - means[at + j];
        sums[at + j] = Math.fma(way, way, sums[at + j]);
      }
    }
    return sums;
  }
}
