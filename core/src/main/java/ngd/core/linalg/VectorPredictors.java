package ngd.core.linalg;

import static ngd.core.linalg.Kernels.FRONT;
import static ngd.core.linalg.Kernels.LANES;
import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.WIDTH;

import jdk.incubator.vector.DoubleVector;

/**
 * The linear predictors of a tile of rows: scratch[FRONT + i] = Σ_j x[i][j] · at[j], for two, four,
 * six and eight columns with their coefficients in registers, and for any number.
 *
 * <p>The tile may be that of several clients: where the rows of client m end, at {@code ends[m + 1]
 * − ends[client]}, those of the next begin, whose coefficients stand {@code stride} further on. One
 * loop over the groups of all of them has no begin and end for each client, which would take longer
 * than its seven groups.
 */
final class VectorPredictors {
  private VectorPredictors() {}

  static void predict2(
      double[] x,
      int start,
      int count,
      int p,
      double[] at,
      int atOffset,
      int stride,
      int[] ends,
      int client,
      double[] scratch) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector t0 = zero;
    DoubleVector t1 = zero;
    int next = 0;
    int k = atOffset;
    int m = client;
    int c = start;
    for (int i = 0; i < count; i += LANES) {
      if (i == next) {
        t0 = DoubleVector.broadcast(SPECIES, at[k]);
        t1 = DoubleVector.broadcast(SPECIES, p < 2 ? 0 : at[k + 1]);
        k += stride;
        next = ends[++m] - ends[client];
      }
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta = DoubleVector.fromArray(SPECIES, x, c + lane).fma(t0, zero);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 1 * LANES).fma(t1, eta);
        eta.intoArray(scratch, FRONT + i + lane);
      }
      c += 2 * LANES;
    }
  }

  static void predict4(
      double[] x,
      int start,
      int count,
      int p,
      double[] at,
      int atOffset,
      int stride,
      int[] ends,
      int client,
      double[] scratch) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector t0 = zero;
    DoubleVector t1 = zero;
    DoubleVector t2 = zero;
    DoubleVector t3 = zero;
    int next = 0;
    int k = atOffset;
    int m = client;
    int c = start;
    for (int i = 0; i < count; i += LANES) {
      if (i == next) {
        t0 = DoubleVector.broadcast(SPECIES, at[k]);
        t1 = DoubleVector.broadcast(SPECIES, at[k + 1]);
        t2 = DoubleVector.broadcast(SPECIES, at[k + 2]);
        t3 = DoubleVector.broadcast(SPECIES, p < 4 ? 0 : at[k + 3]);
        k += stride;
        next = ends[++m] - ends[client];
      }
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta = DoubleVector.fromArray(SPECIES, x, c + lane).fma(t0, zero);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 1 * LANES).fma(t1, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 2 * LANES).fma(t2, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 3 * LANES).fma(t3, eta);
        eta.intoArray(scratch, FRONT + i + lane);
      }
      c += 4 * LANES;
    }
  }

  static void predict6(
      double[] x,
      int start,
      int count,
      int p,
      double[] at,
      int atOffset,
      int stride,
      int[] ends,
      int client,
      double[] scratch) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector t0 = zero;
    DoubleVector t1 = zero;
    DoubleVector t2 = zero;
    DoubleVector t3 = zero;
    DoubleVector t4 = zero;
    DoubleVector t5 = zero;
    int next = 0;
    int k = atOffset;
    int m = client;
    int c = start;
    for (int i = 0; i < count; i += LANES) {
      if (i == next) {
        t0 = DoubleVector.broadcast(SPECIES, at[k]);
        t1 = DoubleVector.broadcast(SPECIES, at[k + 1]);
        t2 = DoubleVector.broadcast(SPECIES, at[k + 2]);
        t3 = DoubleVector.broadcast(SPECIES, at[k + 3]);
        t4 = DoubleVector.broadcast(SPECIES, at[k + 4]);
        t5 = DoubleVector.broadcast(SPECIES, p < 6 ? 0 : at[k + 5]);
        k += stride;
        next = ends[++m] - ends[client];
      }
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta = DoubleVector.fromArray(SPECIES, x, c + lane).fma(t0, zero);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 1 * LANES).fma(t1, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 2 * LANES).fma(t2, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 3 * LANES).fma(t3, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 4 * LANES).fma(t4, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 5 * LANES).fma(t5, eta);
        eta.intoArray(scratch, FRONT + i + lane);
      }
      c += 6 * LANES;
    }
  }

  static void predict8(
      double[] x,
      int start,
      int count,
      int p,
      double[] at,
      int atOffset,
      int stride,
      int[] ends,
      int client,
      double[] scratch) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector t0 = zero;
    DoubleVector t1 = zero;
    DoubleVector t2 = zero;
    DoubleVector t3 = zero;
    DoubleVector t4 = zero;
    DoubleVector t5 = zero;
    DoubleVector t6 = zero;
    DoubleVector t7 = zero;
    int next = 0;
    int k = atOffset;
    int m = client;
    int c = start;
    for (int i = 0; i < count; i += LANES) {
      if (i == next) {
        t0 = DoubleVector.broadcast(SPECIES, at[k]);
        t1 = DoubleVector.broadcast(SPECIES, at[k + 1]);
        t2 = DoubleVector.broadcast(SPECIES, at[k + 2]);
        t3 = DoubleVector.broadcast(SPECIES, at[k + 3]);
        t4 = DoubleVector.broadcast(SPECIES, at[k + 4]);
        t5 = DoubleVector.broadcast(SPECIES, at[k + 5]);
        t6 = DoubleVector.broadcast(SPECIES, at[k + 6]);
        t7 = DoubleVector.broadcast(SPECIES, p < 8 ? 0 : at[k + 7]);
        k += stride;
        next = ends[++m] - ends[client];
      }
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector eta = DoubleVector.fromArray(SPECIES, x, c + lane).fma(t0, zero);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 1 * LANES).fma(t1, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 2 * LANES).fma(t2, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 3 * LANES).fma(t3, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 4 * LANES).fma(t4, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 5 * LANES).fma(t5, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 6 * LANES).fma(t6, eta);
        eta = DoubleVector.fromArray(SPECIES, x, c + lane + 7 * LANES).fma(t7, eta);
        eta.intoArray(scratch, FRONT + i + lane);
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
        eta.intoArray(scratch, FRONT + i + lane);
      }
      group += p * LANES;
    }
  }
}
