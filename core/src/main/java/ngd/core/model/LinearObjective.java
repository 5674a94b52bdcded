package ngd.core.model;

import java.util.Optional;
import ngd.core.data.RowParts;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.RowScore;
import org.jspecify.annotations.Nullable;

/**
 * The linear model on all shards: through Σ̂xx and Σ̂xy, made once, where a client has at least as
 * many rows as parameters, and row by row where it has fewer. The choice is each client's own, so a
 * client gives the same bits alone as among others.
 */
final class LinearObjective implements Objective {
  /** The share of Σ̂yy that a loss must be to be known from moments to some twelve digits. */
  private static final double LEAST_SHARE = 1e-3;

  private final RowObjective rowwise;
  private final Kernels kernels = Kernels.best();
  private final Shards shards;
  private final int stride;

  /** The columns kept of each Σ̂xx: p, or zeros beside them up to a full square of lanes. */
  private final int columns;

  /** Client m's place among those that use moments, or −1. */
  private final int[] place;

  /** The client after the last of those that follow m without a change of way. */
  private final int[] runEnd;

  /** Σ̂xx of each such client: {@link #columns} columns of {@link #stride} numbers. */
  private final double[] xx;

  /** Σ̂xy of each client, a row of {@link #stride} numbers. */
  private final double[] xy;

  /** Σ w (y − offset)² / n of each client that uses moments. */
  private final double[] yy;

  /** Those of the parts that were last asked for. */
  private @Nullable PartMoments partMoments;

  LinearObjective(Linear loss, Shards shards) {
    this.shards = shards;
    rowwise = new RowObjective(loss, RowScore.IDENTITY, shards);
    int p = shards.features();
    stride = Kernels.padded(p);
    columns = Math.max(p, Kernels.LANES);
    place = new int[shards.clients()];
    int count = 0;
    for (int m = 0; m < place.length; m++) {
      place[m] = shards.rows(m) >= p ? count++ : -1;
    }
    runEnd = new int[place.length];
    for (int m = place.length - 1; m >= 0; m--) {
      boolean last = m == place.length - 1 || (place[m] >= 0) != (place[m + 1] >= 0);
      runEnd[m] = last ? m + 1 : runEnd[m + 1];
    }
    xx = new double[Math.multiplyExact(count, Math.multiplyExact(columns, stride))];
    xy = new double[Math.multiplyExact(shards.clients(), stride)];
    yy = new double[shards.clients()];
    for (int m = 0; m < place.length; m++) {
      if (place[m] >= 0) {
        keep(shards.sum(m, rows -> moments(rows, 0, rows.rows())), m);
      }
    }
  }

  /**
   * Σ w x xᵀ of the rows [from, to), p columns of which the first entries up to the diagonal are
   * there; then Σ w x y and Σ w y².
   */
  static double[] moments(Shard rows, int from, int to) {
    int p = rows.features();
    double[] sums = new double[p * p + p + 1];
    double[] x = new double[p];
    for (int i = from; i < to; i++) {
      rows.row(i, x);
      double weight = rows.weight(i);
      double response = rows.y(i) - rows.offset(i);
      sums[p * p + p] = Math.fma(weight * response, response, sums[p * p + p]);
      for (int j = 0; j < p; j++) {
        double weighted = weight * x[j];
        for (int k = 0; k <= j; k++) {
          sums[j * p + k] = Math.fma(weighted, x[k], sums[j * p + k]);
        }
        sums[p * p + j] = Math.fma(weighted, response, sums[p * p + j]);
      }
    }
    return sums;
  }

  /**
   * Writes the first two of {@link #moments}, divided: the matrix whole, its columns as far apart
   * as rows of p numbers are, from {@code xxAt} on, and Σ w x y from {@code xyAt} on.
   */
  static void write(
      double[] sums, double divisor, int p, double[] xx, int xxAt, double[] xy, int xyAt) {
    int stride = Kernels.padded(p);
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        double mean = sums[j * p + k] / divisor;
        xx[xxAt + j * stride + k] = mean;
        xx[xxAt + k * stride + j] = mean;
      }
      xy[xyAt + j] = sums[p * p + j] / divisor;
    }
  }

  /** Keeps a client's means. */
  private void keep(double[] sums, int client) {
    int p = shards.features();
    int n = shards.rows(client);
    yy[client] = sums[p * p + p] / n;
    write(sums, n, p, xx, place[client] * columns * stride, xy, client * stride);
  }

  @Override
  public Linear loss() {
    return (Linear) rowwise.loss();
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public long work() {
    return Math.min((long) clients() * parameters() * stride, rowwise.work());
  }

  @Override
  public void gradients(double[] at, double[] gradient, int rowStride, int from, int to) {
    int start = from;
    while (start < to) {
      boolean byMoments = place[start] >= 0;
      int end = Math.min(to, runEnd[start]);
      if (byMoments) {
        kernels.affine(xx, place[start], xy, columns, at, gradient, checked(rowStride), start, end);
      } else {
        rowwise.gradients(at, gradient, rowStride, start, end);
      }
      start = end;
    }
  }

  @Override
  public void evaluate(
      double[] at, double[] gradient, int rowStride, int from, int to, double[] losses) {
    gradients(at, gradient, rowStride, from, to);
    kernels.products(at, gradient, xy, losses, checked(rowStride), from, to);
    for (int m = from; m < to; m++) {
      losses[m] = place[m] < 0 ? Double.NaN : loss(m, losses[m]);
    }
  }

  /** ½ (θᵀ (g − Σ̂xy) + Σ̂yy), but where that lost digits: NaN. */
  private double loss(int client, double product) {
    double loss = yy[client] + product;
    return loss > yy[client] * LEAST_SHARE ? loss / 2 : Double.NaN;
  }

  @Override
  public void gradient(int client, double[] at, int atOffset, double[] out, int outOffset) {
    if (place[client] < 0) {
      rowwise.gradient(client, at, atOffset, out, outOffset);
      return;
    }
    int p = parameters();
    double[] point = new double[stride];
    double[] result = new double[stride];
    System.arraycopy(at, atOffset, point, 0, p);
    gradientsOf(client, point, result, stride, 0, 1);
    System.arraycopy(result, 0, out, outOffset, p);
  }

  @Override
  public void gradientsOf(
      int client, double[] at, double[] gradient, int rowStride, int from, int to) {
    if (place[client] < 0) {
      rowwise.gradientsOf(client, at, gradient, rowStride, from, to);
      return;
    }
    int matrix = place[client] * columns * stride;
    int row = client * stride;
    kernels.affine(xx, matrix, 0, xy, row, 0, columns, at, gradient, checked(rowStride), from, to);
  }

  @Override
  public void batchGradient(
      int client,
      int[] rows,
      int from,
      int to,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset) {
    rowwise.batchGradient(client, rows, from, to, at, atOffset, out, outOffset);
  }

  @Override
  public void partGradients(
      RowParts parts,
      int[] chosen,
      double[] at,
      double[] gradient,
      int rowStride,
      int from,
      int to) {
    PartMoments known = moments(parts);
    for (int m = from; m < to; m++) {
      if (!known.gradient(m, chosen[m], at, gradient, checked(rowStride))) {
        rowwise.partGradients(parts, chosen, at, gradient, rowStride, m, m + 1);
      }
    }
  }

  private synchronized PartMoments moments(RowParts parts) {
    PartMoments known = partMoments;
    if (known == null || !known.areOf(parts)) {
      known = new PartMoments(shards, parts);
      partMoments = known;
    }
    return known;
  }

  @Override
  public void gradient(
      Shard rows, double[] factors, double[] at, int atOffset, double[] out, int outOffset) {
    rowwise.gradient(rows, factors, at, atOffset, out, outOffset);
  }

  @Override
  public Objective byRows() {
    return rowwise;
  }

  @Override
  public Optional<RowScores> rowScores() {
    return rowwise.rowScores();
  }

  private int checked(int rowStride) {
    if (rowStride != stride) {
      throw new IllegalArgumentException(
          "rows must lie %d numbers apart; got %d".formatted(stride, rowStride));
    }
    return rowStride;
  }
}
