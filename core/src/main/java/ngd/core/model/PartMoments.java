package ngd.core.model;

import ngd.core.data.RowParts;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import org.jspecify.annotations.Nullable;

/**
 * Σ w x xᵀ and Σ w x y over each part of clients' rows, of those clients whose parts hold so many
 * rows that a product by their Σ w x xᵀ costs no more than two by the rows. The choice is each
 * client's own, so a client gives the same bits alone as among others.
 */
final class PartMoments {
  private final RowParts parts;
  private final Kernels kernels = Kernels.best();
  private final int stride;

  /** The columns kept of each matrix: p, or zeros beside them up to a full square of lanes. */
  private final int columns;

  /**
   * Of each client, from {@link Kernels#FRONT} on and part after part: the columns of its matrix,
   * and behind them its Σ w x y.
   */
  private final double @Nullable [][] moments;

  PartMoments(Shards shards, RowParts parts) {
    this.parts = parts;
    int p = shards.features();
    stride = Kernels.padded(p);
    columns = Math.max(p, Kernels.LANES);
    moments = new double[parts.clients()][];
    for (int m = 0; m < moments.length; m++) {
      if (2 * (shards.rows(m) / parts.of()) >= columns) {
        moments[m] = moments(shards.shard(m), m);
      }
    }
  }

  private double[] moments(Shard rows, int client) {
    double[] all = new double[Math.addExact(Kernels.FRONT, Math.multiplyExact(parts.of(), size()))];
    for (int part = 0; part < parts.of(); part++) {
      double[] sums =
          LinearObjective.moments(rows, parts.first(client, part), parts.first(client, part + 1));
      int at = Kernels.FRONT + part * size();
      double divisor = (double) rows.rows() / parts.of();
      LinearObjective.write(sums, divisor, rows.features(), all, at, all, at + size() - stride);
    }
    return all;
  }

  /** The numbers of a part. */
  private int size() {
    return (columns + 1) * stride;
  }

  /** Whether the rows of these parts were summed. */
  @SuppressWarnings("ReferenceEquality") // The same parts, not equal ones.
  boolean areOf(RowParts others) {
    return parts == others;
  }

  /**
   * Writes the gradient of a client's loss over a part at its row, times {@link RowParts#factor}.
   *
   * @return whether the client's parts are here; where not, nothing is written
   */
  boolean gradient(int client, int part, double[] at, double[] gradient, int rowStride) {
    double[] own = moments[client];
    if (own == null) {
      return false;
    }
    int s = Kernels.FRONT + part * size();
    int b = s + columns * stride;
    kernels.affine(own, s, 0, own, b, 0, columns, at, gradient, rowStride, client, client + 1);
    return true;
  }
}
