package ngd.core.linalg;

import static ngd.core.linalg.Exp.C0;
import static ngd.core.linalg.Exp.C1;
import static ngd.core.linalg.Exp.C2;
import static ngd.core.linalg.Exp.C3;
import static ngd.core.linalg.Exp.C4;
import static ngd.core.linalg.Exp.C5;
import static ngd.core.linalg.Exp.C6;
import static ngd.core.linalg.Exp.C7;
import static ngd.core.linalg.Exp.C8;
import static ngd.core.linalg.Exp.C9;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernels on the machine's vectors: AVX-512, AVX2 or NEON.
 *
 * <p>A vector holds WIDTH of the eight virtual lanes. Sums over rows run through the columns once
 * for each group of lanes that fits a vector, so the order of additions in each virtual lane is
 * that of {@link ScalarKernels}; lanes are folded by shuffles and plain additions, never by {@code
 * reduceLanes}, whose order is open.
 */
final class VectorKernels implements Kernels {
  private static final VectorSpecies<Double> SPECIES = species();
  private static final int WIDTH = SPECIES.length();

  /**
   * Lane i of the result is lane i + WIDTH / 2 of the operand, and then half of that, and so on.
   */
  private static final VectorShuffle<Double> FOLD4 = VectorShuffle.iota(SPECIES, 4, 1, true);

  private static final VectorShuffle<Double> FOLD2 = VectorShuffle.iota(SPECIES, 2, 1, true);
  private static final VectorShuffle<Double> FOLD1 = VectorShuffle.iota(SPECIES, 1, 1, true);

  /** The widest vectors up to the virtual lanes; {@code -Dngd.lanes} narrows them, for tests. */
  private static VectorSpecies<Double> species() {
    int preferred = DoubleVector.SPECIES_PREFERRED.length();
    int lanes = Math.min(LANES, Integer.getInteger("ngd.lanes", preferred));
    return VectorSpecies.of(double.class, VectorShape.forBitSize(64 * lanes));
  }

  @Override
  public String description() {
    return "Vector API, %d lanes of %d bits".formatted(WIDTH, 64);
  }

  @Override
  public void mix(
      int[] offsets,
      int[] heard,
      double[] weights,
      double[] in,
      double[] out,
      int stride,
      int from,
      int to) {
    for (int m = from; m < to; m++) {
      int first = offsets[m];
      int end = offsets[m + 1];
      for (int j = 0; j < stride; j += WIDTH) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        for (int e = first; e < end; e++) {
          sum =
              DoubleVector.fromArray(SPECIES, in, heard[e] * stride + j)
                  .fma(DoubleVector.broadcast(SPECIES, weights[e]), sum);
        }
        sum.intoArray(out, m * stride + j);
      }
    }
  }

  @Override
  public void plus(double[] a, double scale, double[] b, double[] out, int from, int to) {
    DoubleVector factor = DoubleVector.broadcast(SPECIES, scale);
    for (int i = from; i < to; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, b, i)
          .fma(factor, DoubleVector.fromArray(SPECIES, a, i))
          .intoArray(out, i);
    }
  }

  @Override
  public void times(double[] a, double scale, double[] out, int from, int to) {
    DoubleVector factor = DoubleVector.broadcast(SPECIES, scale);
    for (int i = from; i < to; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, a, i).mul(factor).intoArray(out, i);
    }
  }

  @Override
  public void affine(
      double[] s,
      int first,
      double[] b,
      int p,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to) {
    for (int m = from; m < to; m++) {
      int row = m * stride;
      for (int i = 0; i < stride; i += WIDTH) {
        DoubleVector sum = DoubleVector.fromArray(SPECIES, b, row + i).neg();
        int column = (first + m - from) * p * stride + i;
        for (int j = 0; j < p; j++) {
          sum =
              DoubleVector.fromArray(SPECIES, s, column)
                  .fma(DoubleVector.broadcast(SPECIES, at[row + j]), sum);
          column += stride;
        }
        sum.intoArray(out, row + i);
      }
    }
  }

  @Override
  public void rowGradient(
      Link link,
      double scale,
      double[] x,
      int xOffset,
      double[] y,
      int yOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] scratch) {
    int leading = Kernels.padded(rows);
    for (int tile = 0; tile < leading; tile += TILE) {
      int count = Math.min(TILE, leading - tile);
      predictors(x, xOffset + tile, leading, count, p, at, atOffset, scratch);
      switch (link) {
        case IDENTITY -> plus(scratch, -1, y, yOffset + tile, count);
        case LOGISTIC -> logisticResiduals(scratch, y, yOffset + tile, count);
        case EXPONENTIAL -> exponentialResiduals(scratch, y, yOffset + tile, count);
      }
      boolean whole = count == leading;
      if (WIDTH == LANES && whole) {
        columnSums(x, xOffset, leading, p, scratch, scale, out, outOffset);
      } else {
        columnLanes(x, xOffset + tile, leading, count, p, scratch, tile == 0);
        if (tile + TILE >= leading) {
          for (int j = 0; j < p; j++) {
            out[outOffset + j] = scale * ScalarKernels.laneSum(scratch, TILE + j * LANES);
          }
        }
      }
    }
  }

  /** scratch[i] = Σ_j x[j][i] · at[j], four vectors at a time. */
  private static void predictors(
      double[] x,
      int xOffset,
      int leading,
      int count,
      int p,
      double[] at,
      int atOffset,
      double[] scratch) {
    int i = 0;
    for (; i <= count - 4 * WIDTH; i += 4 * WIDTH) {
      DoubleVector e0 = DoubleVector.zero(SPECIES);
      DoubleVector e1 = e0;
      DoubleVector e2 = e0;
      DoubleVector e3 = e0;
      int column = xOffset + i;
      for (int j = 0; j < p; j++) {
        DoubleVector theta = DoubleVector.broadcast(SPECIES, at[atOffset + j]);
        e0 = DoubleVector.fromArray(SPECIES, x, column).fma(theta, e0);
        e1 = DoubleVector.fromArray(SPECIES, x, column + WIDTH).fma(theta, e1);
        e2 = DoubleVector.fromArray(SPECIES, x, column + 2 * WIDTH).fma(theta, e2);
        e3 = DoubleVector.fromArray(SPECIES, x, column + 3 * WIDTH).fma(theta, e3);
        column += leading;
      }
      e0.intoArray(scratch, i);
      e1.intoArray(scratch, i + WIDTH);
      e2.intoArray(scratch, i + 2 * WIDTH);
      e3.intoArray(scratch, i + 3 * WIDTH);
    }
    for (; i < count; i += WIDTH) {
      DoubleVector eta = DoubleVector.zero(SPECIES);
      int column = xOffset + i;
      for (int j = 0; j < p; j++) {
        eta =
            DoubleVector.fromArray(SPECIES, x, column)
                .fma(DoubleVector.broadcast(SPECIES, at[atOffset + j]), eta);
        column += leading;
      }
      eta.intoArray(scratch, i);
    }
  }

  private static void plus(double[] scratch, double scale, double[] y, int yOffset, int count) {
    DoubleVector factor = DoubleVector.broadcast(SPECIES, scale);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, y, yOffset + i)
          .fma(factor, DoubleVector.fromArray(SPECIES, scratch, i))
          .intoArray(scratch, i);
    }
  }

  private static void logisticResiduals(double[] scratch, double[] y, int yOffset, int count) {
    int i = 0;
    for (; i <= count - 4 * WIDTH; i += 4 * WIDTH) {
      int i1 = i + WIDTH;
      int i2 = i + 2 * WIDTH;
      int i3 = i + 3 * WIDTH;
      DoubleVector x0 = clamp(DoubleVector.fromArray(SPECIES, scratch, i).neg(), Exp.LIMIT);
      DoubleVector x1 = clamp(DoubleVector.fromArray(SPECIES, scratch, i1).neg(), Exp.LIMIT);
      DoubleVector x2 = clamp(DoubleVector.fromArray(SPECIES, scratch, i2).neg(), Exp.LIMIT);
      DoubleVector x3 = clamp(DoubleVector.fromArray(SPECIES, scratch, i3).neg(), Exp.LIMIT);
      DoubleVector k0 = shifted(x0);
      DoubleVector k1 = shifted(x1);
      DoubleVector k2 = shifted(x2);
      DoubleVector k3 = shifted(x3);
      DoubleVector r0 = reduced(x0, k0);
      DoubleVector r1 = reduced(x1, k1);
      DoubleVector r2 = reduced(x2, k2);
      DoubleVector r3 = reduced(x3, k3);
      DoubleVector q0 = r0.fma(C9, C8);
      DoubleVector q1 = r1.fma(C9, C8);
      DoubleVector q2 = r2.fma(C9, C8);
      DoubleVector q3 = r3.fma(C9, C8);
      q0 = horner(q0, r0, C7);
      q1 = horner(q1, r1, C7);
      q2 = horner(q2, r2, C7);
      q3 = horner(q3, r3, C7);
      q0 = horner(q0, r0, C6);
      q1 = horner(q1, r1, C6);
      q2 = horner(q2, r2, C6);
      q3 = horner(q3, r3, C6);
      q0 = horner(q0, r0, C5);
      q1 = horner(q1, r1, C5);
      q2 = horner(q2, r2, C5);
      q3 = horner(q3, r3, C5);
      q0 = horner(q0, r0, C4);
      q1 = horner(q1, r1, C4);
      q2 = horner(q2, r2, C4);
      q3 = horner(q3, r3, C4);
      q0 = horner(q0, r0, C3);
      q1 = horner(q1, r1, C3);
      q2 = horner(q2, r2, C3);
      q3 = horner(q3, r3, C3);
      q0 = horner(q0, r0, C2);
      q1 = horner(q1, r1, C2);
      q2 = horner(q2, r2, C2);
      q3 = horner(q3, r3, C2);
      q0 = horner(q0, r0, C1);
      q1 = horner(q1, r1, C1);
      q2 = horner(q2, r2, C1);
      q3 = horner(q3, r3, C1);
      q0 = horner(q0, r0, C0);
      q1 = horner(q1, r1, C0);
      q2 = horner(q2, r2, C0);
      q3 = horner(q3, r3, C0);
      q0 = horner(horner(q0, r0, 1), r0, 1);
      q1 = horner(horner(q1, r1, 1), r1, 1);
      q2 = horner(horner(q2, r2, 1), r2, 1);
      q3 = horner(horner(q3, r3, 1), r3, 1);
      probabilityLessY(raised(q0, k0), y, yOffset + i).intoArray(scratch, i);
      probabilityLessY(raised(q1, k1), y, yOffset + i1).intoArray(scratch, i1);
      probabilityLessY(raised(q2, k2), y, yOffset + i2).intoArray(scratch, i2);
      probabilityLessY(raised(q3, k3), y, yOffset + i3).intoArray(scratch, i3);
    }
    for (; i < count; i += WIDTH) {
      DoubleVector minus = DoubleVector.fromArray(SPECIES, scratch, i).neg();
      probabilityLessY(exp(minus), y, yOffset + i).intoArray(scratch, i);
    }
  }

  private static DoubleVector probabilityLessY(DoubleVector exp, double[] y, int at) {
    return DoubleVector.broadcast(SPECIES, 1)
        .div(exp.add(1))
        .sub(DoubleVector.fromArray(SPECIES, y, at));
  }

  private static void exponentialResiduals(double[] scratch, double[] y, int yOffset, int count) {
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector eta = DoubleVector.fromArray(SPECIES, scratch, i).min(Exp.CEILING);
      exp(eta).sub(DoubleVector.fromArray(SPECIES, y, yOffset + i)).intoArray(scratch, i);
    }
  }

  private static DoubleVector exp(DoubleVector x) {
    DoubleVector clamped = clamp(x, Exp.LIMIT);
    DoubleVector k = shifted(clamped);
    DoubleVector r = reduced(clamped, k);
    DoubleVector q = r.fma(C9, C8);
    q = horner(q, r, C7);
    q = horner(q, r, C6);
    q = horner(q, r, C5);
    q = horner(q, r, C4);
    q = horner(q, r, C3);
    q = horner(q, r, C2);
    q = horner(q, r, C1);
    q = horner(q, r, C0);
    return raised(horner(horner(q, r, 1), r, 1), k);
  }

  private static DoubleVector clamp(DoubleVector x, double limit) {
    return x.max(-limit).min(limit);
  }

  private static DoubleVector shifted(DoubleVector x) {
    return x.fma(Exp.LOG2E, Exp.ROUND);
  }

  private static DoubleVector reduced(DoubleVector x, DoubleVector shifted) {
    DoubleVector minusK = shifted.sub(Exp.ROUND).neg();
    DoubleVector high = minusK.fma(DoubleVector.broadcast(SPECIES, Exp.LN2_HIGH), x);
    return minusK.fma(DoubleVector.broadcast(SPECIES, Exp.LN2_LOW), high);
  }

  private static DoubleVector horner(DoubleVector q, DoubleVector r, double next) {
    return q.fma(r, DoubleVector.broadcast(SPECIES, next));
  }

  private static DoubleVector raised(DoubleVector q, DoubleVector shifted) {
    return q.reinterpretAsLongs()
        .add(shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52))
        .reinterpretAsDoubles();
  }

  /**
   * out[j] = scale · Σ_i x[j][i] r[i] where all rows are at hand and a vector is all eight lanes.
   */
  private static void columnSums(
      double[] x,
      int xOffset,
      int leading,
      int p,
      double[] residuals,
      double scale,
      double[] out,
      int outOffset) {
    int j = 0;
    for (; j <= p - 4; j += 4) {
      int c0 = xOffset + j * leading;
      int c1 = c0 + leading;
      int c2 = c1 + leading;
      int c3 = c2 + leading;
      DoubleVector s0 = DoubleVector.zero(SPECIES);
      DoubleVector s1 = s0;
      DoubleVector s2 = s0;
      DoubleVector s3 = s0;
      for (int i = 0; i < leading; i += WIDTH) {
        DoubleVector r = DoubleVector.fromArray(SPECIES, residuals, i);
        s0 = DoubleVector.fromArray(SPECIES, x, c0 + i).fma(r, s0);
        s1 = DoubleVector.fromArray(SPECIES, x, c1 + i).fma(r, s1);
        s2 = DoubleVector.fromArray(SPECIES, x, c2 + i).fma(r, s2);
        s3 = DoubleVector.fromArray(SPECIES, x, c3 + i).fma(r, s3);
      }
      out[outOffset + j] = scale * folded(s0);
      out[outOffset + j + 1] = scale * folded(s1);
      out[outOffset + j + 2] = scale * folded(s2);
      out[outOffset + j + 3] = scale * folded(s3);
    }
    for (; j < p; j++) {
      DoubleVector sum = DoubleVector.zero(SPECIES);
      int column = xOffset + j * leading;
      for (int i = 0; i < leading; i += WIDTH) {
        sum =
            DoubleVector.fromArray(SPECIES, x, column + i)
                .fma(DoubleVector.fromArray(SPECIES, residuals, i), sum);
      }
      out[outOffset + j] = scale * folded(sum);
    }
  }

  /**
   * The eight lanes of one vector, halves folded onto each other as in {@link
   * ScalarKernels#laneSum}.
   */
  private static double folded(DoubleVector lanes) {
    DoubleVector four = lanes.add(lanes.rearrange(FOLD4));
    DoubleVector two = four.add(four.rearrange(FOLD2));
    return two.add(two.rearrange(FOLD1)).lane(0);
  }

  /**
   * Adds a tile's products to the lanes of each column, kept in the scratch behind the residuals.
   */
  private static void columnLanes(
      double[] x, int xOffset, int leading, int count, int p, double[] scratch, boolean first) {
    for (int j = 0; j < p; j++) {
      int column = xOffset + j * leading;
      for (int group = 0; group < LANES; group += WIDTH) {
        int lanes = TILE + j * LANES + group;
        DoubleVector sum =
            first ? DoubleVector.zero(SPECIES) : DoubleVector.fromArray(SPECIES, scratch, lanes);
        for (int i = group; i < count; i += LANES) {
          sum =
              DoubleVector.fromArray(SPECIES, x, column + i)
                  .fma(DoubleVector.fromArray(SPECIES, scratch, i), sum);
        }
        sum.intoArray(scratch, lanes);
      }
    }
  }
}
