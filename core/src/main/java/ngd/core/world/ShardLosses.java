package ngd.core.world;

import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import ngd.core.algorithm.LossLocal;
import ngd.core.data.Shard;
import ngd.core.model.Objective;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;

/** The losses of rows that live in this process, each at its client's point. */
final class ShardLosses implements LossLocal.RowLosses {
  private final Objective objective;
  private final Host host;
  private final HostRows at;
  private final Shard[] shards;
  private final double[][] losses;

  /**
   * Computes them.
   *
   * @param rows of each client, all or some
   */
  ShardLosses(Objective objective, Host host, HostRows at, IntFunction<Shard> rows) {
    this.objective = objective;
    this.host = host;
    this.at = at;
    shards = new Shard[at.rows()];
    losses = new double[at.rows()][];
    host.workers()
        .run(
            losses.length,
            objective.work(),
            (from, to) -> {
              for (int m = from; m < to; m++) {
                shards[m] = rows.apply(m);
                losses[m] = objective.loss().rowLosses(shards[m], at.row(m));
              }
            });
  }

  /** Each client's loss: the mean over its rows, by their weights. */
  double[] means() {
    double[] means = new double[losses.length];
    for (int m = 0; m < means.length; m++) {
      means[m] = sum(m, loss -> loss) / losses[m].length;
    }
    return means;
  }

  private double sum(int client, DoubleUnaryOperator term) {
    double sum = 0;
    for (int i = 0; i < losses[client].length; i++) {
      sum = Math.fma(shards[client].weight(i), term.applyAsDouble(losses[client][i]), sum);
    }
    return sum;
  }

  @Override
  public double[][] sums(DoubleUnaryOperator... terms) {
    double[][] sums = new double[losses.length][terms.length];
    for (int m = 0; m < sums.length; m++) {
      for (int k = 0; k < terms.length; k++) {
        sums[m][k] = sum(m, terms[k]);
      }
    }
    return sums;
  }

  @Override
  public Rows gradient(DoubleUnaryOperator weight) {
    HostRows out = host.block(at.rows(), at.width());
    host.workers()
        .run(
            at.rows(),
            objective.work(),
            (from, to) -> {
              for (int m = from; m < to; m++) {
                double[] factors = new double[losses[m].length];
                for (int i = 0; i < factors.length; i++) {
                  factors[i] = weight.applyAsDouble(losses[m][i]);
                }
                objective.gradient(
                    shards[m],
                    factors,
                    at.values(),
                    m * at.stride(),
                    out.values(),
                    m * at.stride());
              }
            });
    return out;
  }
}
