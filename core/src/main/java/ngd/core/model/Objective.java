package ngd.core.model;

import java.util.Arrays;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.RowParts;
import ngd.core.data.Shard;
import ngd.core.data.Shards;

/**
 * A loss on all clients' shards, prepared once and evaluated often.
 *
 * <p>Points and gradients are blocks of rows: client m's row starts at {@code m * stride} and has
 * {@link #parameters} entries, followed by padding that is zero and stays zero. Implementations are
 * safe for several threads over disjoint ranges of clients.
 */
public interface Objective {
  Loss loss();

  Shards shards();

  default int clients() {
    return shards().clients();
  }

  default int parameters() {
    return loss().parameters(shards().features());
  }

  /** The cost of all clients' gradients in multiply-adds, roughly: decides whether threads pay. */
  default long work() {
    return 2 * shards().totalRows() * parameters();
  }

  /** For each client in [from, to): the gradient of its loss at its own row of {@code at}. */
  void gradients(double[] at, double[] gradient, int stride, int from, int to);

  /** The gradient of one client's loss at the point that starts at {@code at[atOffset]}. */
  void gradient(int client, double[] at, int atOffset, double[] gradient, int gradientOffset);

  /**
   * {@link #gradients}, and each client's loss, counted from the least that any prediction would
   * have, where it follows on the way; otherwise NaN.
   *
   * @param losses a number for each client, those of [from, to) written
   */
  default void evaluate(
      double[] at, double[] gradient, int stride, int from, int to, double[] losses) {
    gradients(at, gradient, stride, from, to);
    Arrays.fill(losses, from, to, Double.NaN);
  }

  /** The gradient of one client's loss at each of the rows [from, to) of {@code at}. */
  default void gradientsOf(
      int client, double[] at, double[] gradient, int stride, int from, int to) {
    for (int row = from; row < to; row++) {
      gradient(client, at, row * stride, gradient, row * stride);
    }
  }

  /**
   * The gradient of one client's loss over some of its rows only: {@code rows[from] .. rows[to -
   * 1]}.
   */
  default void batchGradient(
      int client,
      int[] rows,
      int from,
      int to,
      double[] at,
      int atOffset,
      double[] gradient,
      int gradientOffset) {
    int p = parameters();
    double[] own = new double[p];
    double[] point = Arrays.copyOfRange(at, atOffset, atOffset + p);
    loss().gradient(shards().taken(client, rows, from, to), point, own);
    System.arraycopy(own, 0, gradient, gradientOffset, p);
  }

  /**
   * For each client in [from, to): the gradient of its loss over one part of its rows at its own
   * row of {@code at}, times {@link RowParts#factor}.
   *
   * @param chosen each client's part
   */
  default void partGradients(
      RowParts parts, int[] chosen, double[] at, double[] gradient, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      int first = parts.first(m, chosen[m]);
      int count = parts.count(m, chosen[m]);
      if (count > 0) {
        batchGradient(m, parts.order(), first, first + count, at, m * stride, gradient, m * stride);
      }
      double factor = parts.factor(m, chosen[m]);
      for (int j = m * stride; j < m * stride + parameters(); j++) {
        gradient[j] = count == 0 ? 0 : factor * gradient[j];
      }
    }
  }

  /**
   * The gradient of the loss of some rows, each counting by a factor of its own; only for losses
   * that are means over rows.
   */
  default void gradient(
      Shard rows, double[] factors, double[] at, int atOffset, double[] out, int outOffset) {
    int p = parameters();
    double[] point = Arrays.copyOfRange(at, atOffset, atOffset + p);
    double[] own = new double[p];
    Arrays.fill(out, outOffset, outOffset + p, 0);
    for (int i = 0; i < factors.length; i++) {
      // Row by row, since a loss of one's own need not know of weights.
      loss().gradient(rows.take(new int[] {i}, 0, 1), point, own);
      for (int j = 0; j < p; j++) {
        out[outOffset + j] = Math.fma(factors[i] / factors.length, own[j], out[outOffset + j]);
      }
    }
  }

  /**
   * The same loss, every gradient of which goes over the rows: itself where it has no other way.
   */
  default Objective byRows() {
    return this;
  }

  /** Losses and derivatives of single rows by kernels; empty where these do not know the loss. */
  default Optional<RowScores> rowScores() {
    return Optional.empty();
  }

  /**
   * For each client in [from, to): the diagonal of its loss's Hessian at its own row of {@code at};
   * only for losses that have one.
   */
  default void curvatures(double[] at, double[] curvature, int stride, int from, int to) {
    int p = parameters();
    double[] hessian = new double[p * p];
    for (int m = from; m < to; m++) {
      double[] point = Arrays.copyOfRange(at, m * stride, m * stride + p);
      hessian(m, point, hessian);
      for (int j = 0; j < p; j++) {
        curvature[m * stride + j] = hessian[j * p + j];
      }
    }
  }

  /** Writes the Hessian of one client's loss; only for losses that have one. */
  default void hessian(int client, double[] theta, double[] hessian) {
    if (!(loss() instanceof CurvedLoss curved)) {
      throw new InvalidInput("loss `%s`: has no Hessian".formatted(loss().name()));
    }
    double[] found = curved.hessian(shards(), client, theta);
    System.arraycopy(found, 0, hessian, 0, found.length);
  }

  /** Writes both, for less than the two one by one where kernels know the loss. */
  default void quadratic(int client, double[] theta, double[] gradient, double[] hessian) {
    gradient(client, theta, 0, gradient, 0);
    hessian(client, theta, hessian);
  }

  default double value(int client, double[] theta) {
    return loss().value(shards(), client, theta);
  }
}
