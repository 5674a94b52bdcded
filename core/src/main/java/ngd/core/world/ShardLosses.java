package ngd.core.world;

import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import ngd.core.algorithm.LossLocal;
import ngd.core.data.Shard;
import ngd.core.model.Objective;
import ngd.core.model.RowScores;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * The losses of rows that live in this process, each at its client's point: through kernels where
 * these know the loss. Valid until the round's blocks are taken back.
 */
final class ShardLosses implements LossLocal.RowLosses {
  private final Objective objective;
  private final Host host;
  private final HostRows at;
  private final Shard[] shards;

  /** Where each client's rows begin in the arrays, and after the last where they end. */
  private final int[] first;

  private final double[] losses;

  /** How the kernels do it, and the derivatives by predictors; null where they cannot. */
  private final @Nullable RowScores kernels;

  private final double[] scores;

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
    first = new int[at.rows() + 1];
    for (int m = 0; m < shards.length; m++) {
      shards[m] = rows.apply(m);
      first[m + 1] = Math.addExact(first[m], Shard.padded(shards[m].rows()));
    }
    kernels = objective.rowScores().orElse(null);
    losses = host.block(1, first[shards.length]).values();
    scores = kernels == null ? losses : host.block(1, first[shards.length]).values();
    host.workers().run(shards.length, objective.work(), this::find);
  }

  private void find(int from, int to) {
    for (int m = from; m < to; m++) {
      if (kernels != null) {
        kernels.of(shards[m], at.values(), m * at.stride(), scores, losses, first[m]);
      } else {
        double[] own = objective.loss().rowLosses(shards[m], at.row(m));
        System.arraycopy(own, 0, losses, first[m], own.length);
      }
    }
  }

  /** Each client's loss: the mean over its rows, by their weights. */
  double[] means() {
    double[] means = new double[shards.length];
    double[] sums = new double[3];
    for (int m = 0; m < means.length; m++) {
      if (kernels != null) {
        kernels.above(shards[m], losses, first[m], Double.NEGATIVE_INFINITY, 0, sums);
      } else {
        sums[1] = sum(m, loss -> loss);
      }
      means[m] = sums[1] / shards[m].rows();
    }
    return means;
  }

  private double sum(int client, DoubleUnaryOperator term) {
    double sum = 0;
    for (int i = 0; i < shards[client].rows(); i++) {
      sum = Math.fma(shards[client].weight(i), term.applyAsDouble(losses[first[client] + i]), sum);
    }
    return sum;
  }

  @Override
  public double[][] sums(DoubleUnaryOperator... terms) {
    double[][] sums = new double[shards.length][terms.length];
    for (int m = 0; m < sums.length; m++) {
      for (int k = 0; k < terms.length; k++) {
        sums[m][k] = sum(m, terms[k]);
      }
    }
    return sums;
  }

  @Override
  public double[][] above(double least, double from) {
    if (kernels == null) {
      return LossLocal.RowLosses.super.above(least, from);
    }
    double[][] sums = new double[shards.length][3];
    for (int m = 0; m < sums.length; m++) {
      kernels.above(shards[m], losses, first[m], least, from, sums[m]);
    }
    return sums;
  }

  @Override
  public Rows gradient(DoubleUnaryOperator weight) {
    return each(
        (m, out, offset) -> {
          double[] factors = new double[shards[m].rows()];
          for (int i = 0; i < factors.length; i++) {
            factors[i] = weight.applyAsDouble(losses[first[m] + i]);
          }
          objective.gradient(shards[m], factors, at.values(), m * at.stride(), out, offset);
        });
  }

  @Override
  public Rows gradient(double least, double from, double constant, double slope) {
    RowScores known = kernels;
    if (known == null) {
      return LossLocal.RowLosses.super.gradient(least, from, constant, slope);
    }
    return each(
        (m, out, offset) ->
            known.gradient(
                shards[m], scores, losses, first[m], least, from, constant, slope, out, offset));
  }

  /** The gradient in which all rows count. */
  Rows gradient() {
    return gradient(Double.NEGATIVE_INFINITY, 0, 1, 0);
  }

  /** Writes one client's gradient. */
  @FunctionalInterface
  private interface Writer {
    void write(int client, double[] out, int offset);
  }

  private Rows each(Writer writer) {
    HostRows out = host.block(at.rows(), at.width());
    host.workers()
        .run(
            at.rows(),
            objective.work(),
            (from, to) -> {
              for (int m = from; m < to; m++) {
                writer.write(m, out.values(), m * out.stride());
              }
            });
    return out;
  }
}
