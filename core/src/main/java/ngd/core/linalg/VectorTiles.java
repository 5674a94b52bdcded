package ngd.core.linalg;

import static ngd.core.linalg.Kernels.LANES;
import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.WIDTH;

import jdk.incubator.vector.DoubleVector;

/**
 * The same on the machine's vectors, each of which holds WIDTH of the eight lanes; four columns at
 * once, so that the factors are read and the loops paid for once for four.
 */
final class VectorTiles implements TileKernels {
  @Override
  public void predict(double[] x, int start, int count, int p, double[] at, double[] eta) {
    int width = Kernels.columns(p) * LANES;
    for (int lane = 0; lane < LANES; lane += WIDTH) {
      DoubleVector zero = DoubleVector.zero(SPECIES);
      for (int i = lane; i < count; i += LANES) {
        zero.intoArray(eta, i);
      }
      int j = 0;
      for (; j + 4 <= p; j += 4) {
        DoubleVector t0 = DoubleVector.broadcast(SPECIES, at[j]);
        DoubleVector t1 = DoubleVector.broadcast(SPECIES, at[j + 1]);
        DoubleVector t2 = DoubleVector.broadcast(SPECIES, at[j + 2]);
        DoubleVector t3 = DoubleVector.broadcast(SPECIES, at[j + 3]);
        int c = start + j * LANES + lane;
        for (int i = lane; i < count; i += LANES) {
          DoubleVector e = DoubleVector.fromArray(SPECIES, eta, i);
          e = DoubleVector.fromArray(SPECIES, x, c).fma(t0, e);
          e = DoubleVector.fromArray(SPECIES, x, c + LANES).fma(t1, e);
          e = DoubleVector.fromArray(SPECIES, x, c + 2 * LANES).fma(t2, e);
          e = DoubleVector.fromArray(SPECIES, x, c + 3 * LANES).fma(t3, e);
          e.intoArray(eta, i);
          c += width;
        }
      }
      for (; j < p; j++) {
        DoubleVector t = DoubleVector.broadcast(SPECIES, at[j]);
        int c = start + j * LANES + lane;
        for (int i = lane; i < count; i += LANES) {
          DoubleVector.fromArray(SPECIES, x, c)
              .fma(t, DoubleVector.fromArray(SPECIES, eta, i))
              .intoArray(eta, i);
          c += width;
        }
      }
    }
  }

  @Override
  public void project(double[] x, int start, int count, int p, double[] factors, double[] lanes) {
    addProducts(x, start, count, p, p, factors, lanes, 0);
  }

  @Override
  public void square(
      double[] x, int start, int count, int p, double[] factors, double[] lanes, double[] spare) {
    int width = Kernels.columns(p) * LANES;
    int pair = 0;
    for (int j = 0; j < p; j++) {
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        int c = start + j * LANES + lane;
        for (int i = lane; i < count; i += LANES) {
          DoubleVector.fromArray(SPECIES, x, c)
              .mul(DoubleVector.fromArray(SPECIES, factors, i))
              .intoArray(spare, i);
          c += width;
        }
      }
      addProducts(x, start, count, p, j + 1, spare, lanes, pair);
      pair += (j + 1) * LANES;
    }
  }

  /** Adds the products of the first columns with the factors to their lanes. */
  private static void addProducts(
      double[] x,
      int start,
      int count,
      int p,
      int columns,
      double[] factors,
      double[] lanes,
      int sums) {
    int width = Kernels.columns(p) * LANES;
    for (int lane = 0; lane < LANES; lane += WIDTH) {
      int k = 0;
      for (; k + 4 <= columns; k += 4) {
        int sum = sums + k * LANES + lane;
        DoubleVector s0 = DoubleVector.fromArray(SPECIES, lanes, sum);
        DoubleVector s1 = DoubleVector.fromArray(SPECIES, lanes, sum + LANES);
        DoubleVector s2 = DoubleVector.fromArray(SPECIES, lanes, sum + 2 * LANES);
        DoubleVector s3 = DoubleVector.fromArray(SPECIES, lanes, sum + 3 * LANES);
        int c = start + k * LANES + lane;
        for (int i = lane; i < count; i += LANES) {
          DoubleVector f = DoubleVector.fromArray(SPECIES, factors, i);
          s0 = DoubleVector.fromArray(SPECIES, x, c).fma(f, s0);
          s1 = DoubleVector.fromArray(SPECIES, x, c + LANES).fma(f, s1);
          s2 = DoubleVector.fromArray(SPECIES, x, c + 2 * LANES).fma(f, s2);
          s3 = DoubleVector.fromArray(SPECIES, x, c + 3 * LANES).fma(f, s3);
          c += width;
        }
        s0.intoArray(lanes, sum);
        s1.intoArray(lanes, sum + LANES);
        s2.intoArray(lanes, sum + 2 * LANES);
        s3.intoArray(lanes, sum + 3 * LANES);
      }
      for (; k < columns; k++) {
        int sum = sums + k * LANES + lane;
        DoubleVector s = DoubleVector.fromArray(SPECIES, lanes, sum);
        int c = start + k * LANES + lane;
        for (int i = lane; i < count; i += LANES) {
          s =
              DoubleVector.fromArray(SPECIES, x, c)
                  .fma(DoubleVector.fromArray(SPECIES, factors, i), s);
          c += width;
        }
        s.intoArray(lanes, sum);
      }
    }
  }

  @Override
  public void exp(double[] in, int count, double[] out) {
    for (int i = 0; i < count; i++) {
      // As the scalar twin, which cuts at both ends.
      out[i] = Math.min(Math.max(in[i], -Exp.LIMIT), Exp.LIMIT);
    }
    VectorResiduals.exponential(out, 0, VectorResiduals.NONE, 0, count, /* clamp= */ false);
  }
}
