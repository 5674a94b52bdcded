package ngd.core.linalg;

import static ngd.core.linalg.Kernels.LANES;
import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.WIDTH;

import jdk.incubator.vector.DoubleVector;

/**
 * The linear predictors of a tile of rows: scratch[i] = Σ_j x[i][j] · at[j], for two, four, six and
 * eight columns with their coefficients in registers, and for any number.
 */
final class VectorPredictors {
  private VectorPredictors() {}

  static void predict2(
      double[] x, int start, int count, int p, double[] at, int k, double[] scratch) {
    DoubleVector t0 = DoubleVector.broadcast(SPECIES, at[k]);
    DoubleVector t1 = DoubleVector.broadcast(SPECIES, p < 2 ? 0 : at[k + 1]);
    int c = start;
    for (int i = 0; i < count; i += LANES) {
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta =
            DoubleVector.fromArray(SPECIES, x, c + lane).fma(t0, DoubleVector.zero(SPECIES));
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 1 * LANES).fma(t1, eta);
        eta.intoArray(scratch, i + lane);
      }
      c += 2 * LANES;
    }
  }

  static void predict4(
      double[] x, int start, int count, int p, double[] at, int k, double[] scratch) {
    DoubleVector t0 = DoubleVector.broadcast(SPECIES, at[k]);
    DoubleVector t1 = DoubleVector.broadcast(SPECIES, at[k + 1]);
    DoubleVector t2 = DoubleVector.broadcast(SPECIES, at[k + 2]);
    DoubleVector t3 = DoubleVector.broadcast(SPECIES, p < 4 ? 0 : at[k + 3]);
    int c = start;
    for (int i = 0; i < count; i += LANES) {
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta =
            DoubleVector.fromArray(SPECIES, x, c + lane).fma(t0, DoubleVector.zero(SPECIES));
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 1 * LANES).fma(t1, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 2 * LANES).fma(t2, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 3 * LANES).fma(t3, eta);
        eta.intoArray(scratch, i + lane);
      }
      c += 4 * LANES;
    }
  }

  static void predict6(
      double[] x, int start, int count, int p, double[] at, int k, double[] scratch) {
    DoubleVector t0 = DoubleVector.broadcast(SPECIES, at[k]);
    DoubleVector t1 = DoubleVector.broadcast(SPECIES, at[k + 1]);
    DoubleVector t2 = DoubleVector.broadcast(SPECIES, at[k + 2]);
    DoubleVector t3 = DoubleVector.broadcast(SPECIES, at[k + 3]);
    DoubleVector t4 = DoubleVector.broadcast(SPECIES, at[k + 4]);
    DoubleVector t5 = DoubleVector.broadcast(SPECIES, p < 6 ? 0 : at[k + 5]);
    int c = start;
    for (int i = 0; i < count; i += LANES) {
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta =
            DoubleVector.fromArray(SPECIES, x, c + lane).fma(t0, DoubleVector.zero(SPECIES));
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 1 * LANES).fma(t1, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 2 * LANES).fma(t2, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 3 * LANES).fma(t3, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 4 * LANES).fma(t4, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 5 * LANES).fma(t5, eta);
        eta.intoArray(scratch, i + lane);
      }
      c += 6 * LANES;
    }
  }

  static void predict8(
      double[] x, int start, int count, int p, double[] at, int k, double[] scratch) {
    DoubleVector t0 = DoubleVector.broadcast(SPECIES, at[k]);
    DoubleVector t1 = DoubleVector.broadcast(SPECIES, at[k + 1]);
    DoubleVector t2 = DoubleVector.broadcast(SPECIES, at[k + 2]);
    DoubleVector t3 = DoubleVector.broadcast(SPECIES, at[k + 3]);
    DoubleVector t4 = DoubleVector.broadcast(SPECIES, at[k + 4]);
    DoubleVector t5 = DoubleVector.broadcast(SPECIES, at[k + 5]);
    DoubleVector t6 = DoubleVector.broadcast(SPECIES, at[k + 6]);
    DoubleVector t7 = DoubleVector.broadcast(SPECIES, p < 8 ? 0 : at[k + 7]);
    int c = start;
    for (int i = 0; i < count; i += LANES) {
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta =
            DoubleVector.fromArray(SPECIES, x, c + lane).fma(t0, DoubleVector.zero(SPECIES));
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 1 * LANES).fma(t1, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 2 * LANES).fma(t2, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 3 * LANES).fma(t3, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 4 * LANES).fma(t4, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 5 * LANES).fma(t5, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 6 * LANES).fma(t6, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 7 * LANES).fma(t7, eta);
        eta.intoArray(scratch, i + lane);
      }
      c += 8 * LANES;
    }
  }

  static void predict(
      double[] x, int start, int count, int p, double[] at, int k, double[] scratch) {
    int group = start;
    for (int i = 0; i < count; i += LANES) {
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta = DoubleVector.zero(SPECIES);
        int c = group + lane;
        for (int j = 0; j < p; j++) {
          eta =
              DoubleVector.fromArray(SPECIES, x, c)
                  .fma(DoubleVector.broadcast(SPECIES, at[k + j]), eta);
          c += LANES;
        }
        eta.intoArray(scratch, i + lane);
      }
      group += p * LANES;
    }
  }
}
