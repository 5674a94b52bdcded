package ngd.core.linalg;

import static ngd.core.linalg.Kernels.FRONT;
import static ngd.core.linalg.Kernels.LANES;
import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.SUMS;
import static ngd.core.linalg.VectorLanes.WIDTH;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/**
 * The products of columns with the residuals of a tile: Σ_i x[i][j] · residual[i] is added to the
 * lanes of column j from the given lane on, for two, four, six and eight columns with their sums in
 * registers, and for any number. The lanes lie in the scratch from {@link VectorLanes#SUMS} on.
 *
 * <p>After the last tile, vectors that hold all lanes are folded in registers, in the order of
 * {@link ScalarKernels#laneSum}: each step folds two vectors and lays them side by side, so that
 * lane k ends as the sum of column k, which goes to the scratch as one vector. The last tile may be
 * that of several clients, as in {@link VectorPredictors}: each is folded where its rows end, and
 * their sums lie one client's behind the other's. The loop keeps no more than that in mind, since
 * what does not fit the general registers would be moved in every group.
 */
final class VectorProjections {
  // Lane i is exchanged with lane i ± 4, 2 or 1; the lanes whose number holds a 4, a 2 or a 1.
  static final VectorShuffle<Double> BY4 = VectorShuffle.fromOp(SPECIES, i -> i ^ 4);
  static final VectorShuffle<Double> BY2 = VectorShuffle.fromOp(SPECIES, i -> i ^ 2);
  static final VectorShuffle<Double> BY1 = VectorShuffle.fromOp(SPECIES, i -> i ^ 1);
  static final VectorMask<Double> FIRST = VectorMask.fromLong(SPECIES, 1);
  private static final VectorMask<Double> HIGH4 = VectorMask.fromLong(SPECIES, 0b11110000);
  static final VectorMask<Double> HIGH2 = VectorMask.fromLong(SPECIES, 0b11001100);
  static final VectorMask<Double> HIGH1 = VectorMask.fromLong(SPECIES, 0b10101010);

  private VectorProjections() {}

  static void project2(
      double[] x,
      int start,
      int count,
      int lane,
      double[] scratch,
      boolean first,
      boolean last,
      int[] ends,
      int client) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    int sums = SUMS + lane;
    DoubleVector s0 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums);
    DoubleVector s1 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 1 * LANES);
    int base = ends[client] + LANES;
    int m = client + 1;
    int end = WIDTH == LANES && last ? Math.min(count - LANES, ends[m] - base) : -1;
    int at = SUMS;
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      s0 = DoubleVector.fromArray(SPECIES, x, c).fma(r, s0);
      s1 = DoubleVector.fromArray(SPECIES, x, c + 1 * LANES).fma(r, s1);
      c += 2 * LANES;
      if (i == end) {
        DoubleVector a0 = s0.add(s0.rearrange(BY4));
        DoubleVector a1 = s1.add(s1.rearrange(BY4));
        DoubleVector b0 = a0.add(a0.rearrange(BY2));
        DoubleVector b1 = a1.add(a1.rearrange(BY2));
        DoubleVector c0 = b0.add(b0.rearrange(BY1)).blend(b1.add(b1.rearrange(BY1)), HIGH1);
        c0.intoArray(scratch, at);
        s0 = zero;
        s1 = zero;
        at += LANES;
        if (i + LANES < count) {
          end = ends[++m] - base;
        }
      }
    }
    if (WIDTH < LANES || !last) {
      s0.intoArray(scratch, sums);
      s1.intoArray(scratch, sums + 1 * LANES);
    }
  }

  static void project4(
      double[] x,
      int start,
      int count,
      int lane,
      double[] scratch,
      boolean first,
      boolean last,
      int[] ends,
      int client) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    int sums = SUMS + lane;
    DoubleVector s0 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums);
    DoubleVector s1 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 1 * LANES);
    DoubleVector s2 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 2 * LANES);
    DoubleVector s3 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 3 * LANES);
    int base = ends[client] + LANES;
    int m = client + 1;
    int end = WIDTH == LANES && last ? Math.min(count - LANES, ends[m] - base) : -1;
    int at = SUMS;
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      s0 = DoubleVector.fromArray(SPECIES, x, c).fma(r, s0);
      s1 = DoubleVector.fromArray(SPECIES, x, c + 1 * LANES).fma(r, s1);
      s2 = DoubleVector.fromArray(SPECIES, x, c + 2 * LANES).fma(r, s2);
      s3 = DoubleVector.fromArray(SPECIES, x, c + 3 * LANES).fma(r, s3);
      c += 4 * LANES;
      if (i == end) {
        DoubleVector a0 = s0.add(s0.rearrange(BY4));
        DoubleVector a1 = s1.add(s1.rearrange(BY4));
        DoubleVector a2 = s2.add(s2.rearrange(BY4));
        DoubleVector a3 = s3.add(s3.rearrange(BY4));
        DoubleVector b0 = a0.add(a0.rearrange(BY2)).blend(a2.add(a2.rearrange(BY2)), HIGH2);
        DoubleVector b1 = a1.add(a1.rearrange(BY2)).blend(a3.add(a3.rearrange(BY2)), HIGH2);
        DoubleVector c0 = b0.add(b0.rearrange(BY1)).blend(b1.add(b1.rearrange(BY1)), HIGH1);
        c0.intoArray(scratch, at);
        s0 = zero;
        s1 = zero;
        s2 = zero;
        s3 = zero;
        at += LANES;
        if (i + LANES < count) {
          end = ends[++m] - base;
        }
      }
    }
    if (WIDTH < LANES || !last) {
      s0.intoArray(scratch, sums);
      s1.intoArray(scratch, sums + 1 * LANES);
      s2.intoArray(scratch, sums + 2 * LANES);
      s3.intoArray(scratch, sums + 3 * LANES);
    }
  }

  static void project6(
      double[] x,
      int start,
      int count,
      int lane,
      double[] scratch,
      boolean first,
      boolean last,
      int[] ends,
      int client) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    int sums = SUMS + lane;
    DoubleVector s0 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums);
    DoubleVector s1 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 1 * LANES);
    DoubleVector s2 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 2 * LANES);
    DoubleVector s3 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 3 * LANES);
    DoubleVector s4 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 4 * LANES);
    DoubleVector s5 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 5 * LANES);
    int base = ends[client] + LANES;
    int m = client + 1;
    int end = WIDTH == LANES && last ? Math.min(count - LANES, ends[m] - base) : -1;
    int at = SUMS;
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      s0 = DoubleVector.fromArray(SPECIES, x, c).fma(r, s0);
      s1 = DoubleVector.fromArray(SPECIES, x, c + 1 * LANES).fma(r, s1);
      s2 = DoubleVector.fromArray(SPECIES, x, c + 2 * LANES).fma(r, s2);
      s3 = DoubleVector.fromArray(SPECIES, x, c + 3 * LANES).fma(r, s3);
      s4 = DoubleVector.fromArray(SPECIES, x, c + 4 * LANES).fma(r, s4);
      s5 = DoubleVector.fromArray(SPECIES, x, c + 5 * LANES).fma(r, s5);
      c += 6 * LANES;
      if (i == end) {
        DoubleVector a0 = s0.add(s0.rearrange(BY4)).blend(s4.add(s4.rearrange(BY4)), HIGH4);
        DoubleVector a1 = s1.add(s1.rearrange(BY4)).blend(s5.add(s5.rearrange(BY4)), HIGH4);
        DoubleVector a2 = s2.add(s2.rearrange(BY4));
        DoubleVector a3 = s3.add(s3.rearrange(BY4));
        DoubleVector b0 = a0.add(a0.rearrange(BY2)).blend(a2.add(a2.rearrange(BY2)), HIGH2);
        DoubleVector b1 = a1.add(a1.rearrange(BY2)).blend(a3.add(a3.rearrange(BY2)), HIGH2);
        DoubleVector c0 = b0.add(b0.rearrange(BY1)).blend(b1.add(b1.rearrange(BY1)), HIGH1);
        c0.intoArray(scratch, at);
        s0 = zero;
        s1 = zero;
        s2 = zero;
        s3 = zero;
        s4 = zero;
        s5 = zero;
        at += LANES;
        if (i + LANES < count) {
          end = ends[++m] - base;
        }
      }
    }
    if (WIDTH < LANES || !last) {
      s0.intoArray(scratch, sums);
      s1.intoArray(scratch, sums + 1 * LANES);
      s2.intoArray(scratch, sums + 2 * LANES);
      s3.intoArray(scratch, sums + 3 * LANES);
      s4.intoArray(scratch, sums + 4 * LANES);
      s5.intoArray(scratch, sums + 5 * LANES);
    }
  }

  static void project8(
      double[] x,
      int start,
      int count,
      int lane,
      double[] scratch,
      boolean first,
      boolean last,
      int[] ends,
      int client) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    int sums = SUMS + lane;
    DoubleVector s0 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums);
    DoubleVector s1 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 1 * LANES);
    DoubleVector s2 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 2 * LANES);
    DoubleVector s3 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 3 * LANES);
    DoubleVector s4 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 4 * LANES);
    DoubleVector s5 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 5 * LANES);
    DoubleVector s6 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 6 * LANES);
    DoubleVector s7 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 7 * LANES);
    int base = ends[client] + LANES;
    int m = client + 1;
    int end = WIDTH == LANES && last ? Math.min(count - LANES, ends[m] - base) : -1;
    int at = SUMS;
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      s0 = DoubleVector.fromArray(SPECIES, x, c).fma(r, s0);
      s1 = DoubleVector.fromArray(SPECIES, x, c + 1 * LANES).fma(r, s1);
      s2 = DoubleVector.fromArray(SPECIES, x, c + 2 * LANES).fma(r, s2);
      s3 = DoubleVector.fromArray(SPECIES, x, c + 3 * LANES).fma(r, s3);
      s4 = DoubleVector.fromArray(SPECIES, x, c + 4 * LANES).fma(r, s4);
      s5 = DoubleVector.fromArray(SPECIES, x, c + 5 * LANES).fma(r, s5);
      s6 = DoubleVector.fromArray(SPECIES, x, c + 6 * LANES).fma(r, s6);
      s7 = DoubleVector.fromArray(SPECIES, x, c + 7 * LANES).fma(r, s7);
      c += 8 * LANES;
      if (i == end) {
        DoubleVector a0 = s0.add(s0.rearrange(BY4)).blend(s4.add(s4.rearrange(BY4)), HIGH4);
        DoubleVector a1 = s1.add(s1.rearrange(BY4)).blend(s5.add(s5.rearrange(BY4)), HIGH4);
        DoubleVector a2 = s2.add(s2.rearrange(BY4)).blend(s6.add(s6.rearrange(BY4)), HIGH4);
        DoubleVector a3 = s3.add(s3.rearrange(BY4)).blend(s7.add(s7.rearrange(BY4)), HIGH4);
        DoubleVector b0 = a0.add(a0.rearrange(BY2)).blend(a2.add(a2.rearrange(BY2)), HIGH2);
        DoubleVector b1 = a1.add(a1.rearrange(BY2)).blend(a3.add(a3.rearrange(BY2)), HIGH2);
        DoubleVector c0 = b0.add(b0.rearrange(BY1)).blend(b1.add(b1.rearrange(BY1)), HIGH1);
        c0.intoArray(scratch, at);
        s0 = zero;
        s1 = zero;
        s2 = zero;
        s3 = zero;
        s4 = zero;
        s5 = zero;
        s6 = zero;
        s7 = zero;
        at += LANES;
        if (i + LANES < count) {
          end = ends[++m] - base;
        }
      }
    }
    if (WIDTH < LANES || !last) {
      s0.intoArray(scratch, sums);
      s1.intoArray(scratch, sums + 1 * LANES);
      s2.intoArray(scratch, sums + 2 * LANES);
      s3.intoArray(scratch, sums + 3 * LANES);
      s4.intoArray(scratch, sums + 4 * LANES);
      s5.intoArray(scratch, sums + 5 * LANES);
      s6.intoArray(scratch, sums + 6 * LANES);
      s7.intoArray(scratch, sums + 7 * LANES);
    }
  }

  static void project(
      double[] x, int start, int count, int p, int lane, double[] scratch, boolean first) {
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, FRONT + i);
      boolean fresh = first && i == lane;
      for (int j = 0; j < p; j++) {
        int sum = SUMS + lane + j * LANES;
        DoubleVector before =
            fresh ? DoubleVector.zero(SPECIES) : DoubleVector.fromArray(SPECIES, scratch, sum);
        DoubleVector.fromArray(SPECIES, x, c).fma(r, before).intoArray(scratch, sum);
        c += LANES;
      }
    }
  }
}
