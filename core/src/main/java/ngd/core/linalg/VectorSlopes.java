package ngd.core.linalg;

import static ngd.core.linalg.Kernels.FRONT;
import static ngd.core.linalg.Kernels.LANES;
import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.WIDTH;

import jdk.incubator.vector.DoubleVector;
import org.jspecify.annotations.Nullable;

/** From the means of a tile's rows to residuals and derivatives, and these times a column. */
final class VectorSlopes {
  private VectorSlopes() {}

  /** Writes the derivatives of the means, and over the means the residuals, both by the weights. */
  static void split(
      RowScore link,
      double[] y,
      int yFrom,
      double @Nullable [] weights,
      int count,
      double[] slopes,
      int first,
      double[] scratch) {
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector mean = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      DoubleVector residual = mean.sub(DoubleVector.fromArray(SPECIES, y, yFrom + i));
      DoubleVector slope =
          link == RowScore.IDENTITY
              ? one
              : link == RowScore.LOGISTIC ? mean.mul(one.sub(mean)) : mean;
      if (weights != null) {
        DoubleVector weight = DoubleVector.fromArray(SPECIES, weights, yFrom + i);
        residual = residual.mul(weight);
        slope = slope.mul(weight);
      }
      residual.intoArray(scratch, FRONT + i);
      slope.intoArray(slopes, first + i);
    }
  }

  /** Writes the derivatives times the column that begins at {@code x[from]}. */
  static void column(
      double[] x, int from, int p, double[] slopes, int first, int count, double[] scratch) {
    int step = Kernels.columns(p) * LANES;
    for (int group = 0, c = from; group < count; group += LANES, c += step) {
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector.fromArray(SPECIES, slopes, first + group + lane)
            .mul(DoubleVector.fromArray(SPECIES, x, c + lane))
            .intoArray(scratch, FRONT + group + lane);
      }
    }
  }
}
