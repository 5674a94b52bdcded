package ngd.core.linalg;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernels on the machine's vectors: AVX-512, AVX2 or NEON.
 *
 * <p>A vector holds WIDTH of the eight virtual lanes. Sums over rows run through the columns once
 * for each group of lanes that fits a vector, so the order of additions in each virtual lane is
 * that of {@link ScalarKernels}; lanes are folded by {@link ScalarKernels#laneSum}, never by {@code
 * reduceLanes}, whose order is open.
 *
 * <p>Up to eight columns are taken at once, an even number, with their coefficients or their sums
 * in registers: loops this short cost more than the arithmetic in them, so there are as few as can
 * be. No helper takes or returns a vector: one that the compiler declines to inline would put its
 * vectors on the heap.
 */
final class VectorKernels implements Kernels {
  private static final VectorSpecies<Double> SPECIES = species();
  private static final int WIDTH = SPECIES.length();

  // Lane i is exchanged with lane i ± 4, 2 or 1; the lanes whose number holds a 4, a 2 or a 1.
  private static final VectorShuffle<Double> BY4 = VectorShuffle.fromOp(SPECIES, i -> i ^ 4);
  private static final VectorShuffle<Double> BY2 = VectorShuffle.fromOp(SPECIES, i -> i ^ 2);
  private static final VectorShuffle<Double> BY1 = VectorShuffle.fromOp(SPECIES, i -> i ^ 1);
  private static final VectorMask<Double> HIGH4 = VectorMask.fromLong(SPECIES, 0b11110000);
  private static final VectorMask<Double> HIGH2 = VectorMask.fromLong(SPECIES, 0b11001100);
  private static final VectorMask<Double> HIGH1 = VectorMask.fromLong(SPECIES, 0b10101010);

  /** The widest vectors up to the virtual lanes; {@code -Dngd.lanes} narrows them, for tests. */
  private static VectorSpecies<Double> species() {
    int preferred = DoubleVector.SPECIES_PREFERRED.length();
    int lanes = Math.min(LANES, Integer.getInteger("ngd.lanes", preferred));
    return VectorSpecies.of(double.class, VectorShape.forBitSize(64 * lanes));
  }

  @Override
  public String description() {
    return "Vector API, %d lanes".formatted(WIDTH);
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
    if (stride == WIDTH) {
      mixOne(offsets, heard, weights, in, out, from, to);
      return;
    }
    for (int m = from; m < to; m++) {
      for (int j = 0; j < stride; j += WIDTH) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          sum =
              DoubleVector.fromArray(SPECIES, in, heard[e] * stride + j)
                  .fma(DoubleVector.broadcast(SPECIES, weights[e]), sum);
        }
        sum.intoArray(out, m * stride + j);
      }
    }
  }

  /** The same where a row is one vector; the first two neighbours stand before the loop. */
  private static void mixOne(
      int[] offsets, int[] heard, double[] weights, double[] in, double[] out, int from, int to) {
    for (int m = from; m < to; m++) {
      int e = offsets[m];
      int end = offsets[m + 1];
      DoubleVector sum = DoubleVector.zero(SPECIES);
      if (e < end) {
        sum =
            DoubleVector.fromArray(SPECIES, in, heard[e] * WIDTH)
                .fma(DoubleVector.broadcast(SPECIES, weights[e]), sum);
        e++;
      }
      if (e < end) {
        sum =
            DoubleVector.fromArray(SPECIES, in, heard[e] * WIDTH)
                .fma(DoubleVector.broadcast(SPECIES, weights[e]), sum);
        e++;
      }
      for (; e < end; e++) {
        sum =
            DoubleVector.fromArray(SPECIES, in, heard[e] * WIDTH)
                .fma(DoubleVector.broadcast(SPECIES, weights[e]), sum);
      }
      sum.intoArray(out, m * WIDTH);
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
      int columns,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to) {
    if (stride == WIDTH && columns == LANES && WIDTH == LANES) {
      affineOne(s, first, b, at, out, from, to);
      return;
    }
    for (int m = from; m < to; m++) {
      int row = m * stride;
      int matrix = (first + m - from) * columns * stride;
      for (int i = 0; i < stride; i += WIDTH) {
        DoubleVector sum = DoubleVector.fromArray(SPECIES, b, row + i).neg();
        int column = matrix + i;
        for (int j = 0; j < columns; j++) {
          sum =
              DoubleVector.fromArray(SPECIES, s, column)
                  .fma(DoubleVector.broadcast(SPECIES, at[row + j]), sum);
          column += stride;
        }
        sum.intoArray(out, row + i);
      }
    }
  }

  /** The same where S is eight columns of one vector each. */
  private static void affineOne(
      double[] s, int first, double[] b, double[] at, double[] out, int from, int to) {
    for (int m = from; m < to; m++) {
      int row = m * LANES;
      int c = (first + m - from) * LANES * LANES;
      DoubleVector sum = DoubleVector.fromArray(SPECIES, b, row).neg();
      sum =
          DoubleVector.fromArray(SPECIES, s, c).fma(DoubleVector.broadcast(SPECIES, at[row]), sum);
      sum =
          DoubleVector.fromArray(SPECIES, s, c + 1 * LANES)
              .fma(DoubleVector.broadcast(SPECIES, at[row + 1]), sum);
      sum =
          DoubleVector.fromArray(SPECIES, s, c + 2 * LANES)
              .fma(DoubleVector.broadcast(SPECIES, at[row + 2]), sum);
      sum =
          DoubleVector.fromArray(SPECIES, s, c + 3 * LANES)
              .fma(DoubleVector.broadcast(SPECIES, at[row + 3]), sum);
      sum =
          DoubleVector.fromArray(SPECIES, s, c + 4 * LANES)
              .fma(DoubleVector.broadcast(SPECIES, at[row + 4]), sum);
      sum =
          DoubleVector.fromArray(SPECIES, s, c + 5 * LANES)
              .fma(DoubleVector.broadcast(SPECIES, at[row + 5]), sum);
      sum =
          DoubleVector.fromArray(SPECIES, s, c + 6 * LANES)
              .fma(DoubleVector.broadcast(SPECIES, at[row + 6]), sum);
      sum =
          DoubleVector.fromArray(SPECIES, s, c + 7 * LANES)
              .fma(DoubleVector.broadcast(SPECIES, at[row + 7]), sum);
      sum.intoArray(out, row);
    }
  }

  @Override
  public void rowGradient(
      Link link,
      boolean clamp,
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
    int padded = Kernels.padded(rows);
    for (int tile = 0; tile < padded; tile += TILE) {
      int count = Math.min(TILE, padded - tile);
      int start = xOffset + tile * Kernels.columns(p);
      switch ((p + 1) / 2) {
        case 1 -> predict2(x, start, count, p, at, atOffset, scratch);
        case 2 -> predict4(x, start, count, p, at, atOffset, scratch);
        case 3 -> predict6(x, start, count, p, at, atOffset, scratch);
        case 4 -> predict8(x, start, count, p, at, atOffset, scratch);
        default -> predict(x, start, count, p, at, atOffset, scratch);
      }
      switch (link) {
        case IDENTITY -> identityResiduals(scratch, y, yOffset + tile, count);
        case LOGISTIC -> logisticResiduals(scratch, y, yOffset + tile, count, clamp);
        case EXPONENTIAL -> exponentialResiduals(scratch, y, yOffset + tile, count, clamp);
      }
      boolean first = tile == 0;
      boolean last = tile + TILE >= padded;
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        switch ((p + 1) / 2) {
          case 1 -> project2(x, start, count, p, lane, scratch, first, last, scale, out, outOffset);
          case 2 -> project4(x, start, count, p, lane, scratch, first, last, scale, out, outOffset);
          case 3 -> project6(x, start, count, p, lane, scratch, first, last, scale, out, outOffset);
          case 4 -> project8(x, start, count, p, lane, scratch, first, last, scale, out, outOffset);
          default -> project(x, start, count, p, lane, scratch, first);
        }
      }
    }
    if (WIDTH < LANES || p > LANES) {
      for (int j = 0; j < p; j++) {
        out[outOffset + j] = scale * ScalarKernels.laneSum(scratch, TILE + j * LANES);
      }
    }
  }

  @Override
  public double largest(double[] a, int from, int to) {
    DoubleVector largest = DoubleVector.zero(SPECIES);
    for (int i = from; i < to; i += WIDTH) {
      DoubleVector next = DoubleVector.fromArray(SPECIES, a, i).abs();
      largest = largest.blend(next, next.compare(VectorOperators.GT, largest));
    }
    double most = 0;
    for (int lane = 0; lane < WIDTH; lane++) {
      most = Math.max(most, largest.lane(lane));
    }
    return most;
  }

  // predictN: scratch[i] = Σ_j x[i][j] · at[j] for a tile of rows and N columns, and for any
  // number.

  private static void predict2(
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

  private static void predict4(
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

  private static void predict6(
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

  private static void predict8(
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

  private static void predict(
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

  private static void identityResiduals(double[] scratch, double[] y, int yFrom, int count) {
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector.fromArray(SPECIES, scratch, i)
          .sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
          .intoArray(scratch, i);
    }
  }

  /**
   * {@link Exp#logistic} less y. Clamps, where it must, by comparison: {@code min} and {@code max}
   * obey Java's rules for −0 and NaN, which cost half of the loop.
   */
  private static void logisticResiduals(
      double[] scratch, double[] y, int yFrom, int count, boolean clamp) {
    DoubleVector high = DoubleVector.broadcast(SPECIES, Exp.LIMIT);
    DoubleVector low = DoubleVector.broadcast(SPECIES, -Exp.LIMIT);
    DoubleVector minusLog2e = DoubleVector.broadcast(SPECIES, -Exp.LOG2E);
    DoubleVector round = DoubleVector.broadcast(SPECIES, Exp.ROUND);
    DoubleVector ln2Low = DoubleVector.broadcast(SPECIES, Exp.LN2_LOW);
    DoubleVector ln2High = DoubleVector.broadcast(SPECIES, Exp.LN2_HIGH);
    DoubleVector e2 = DoubleVector.broadcast(SPECIES, Exp.E2);
    DoubleVector e4 = DoubleVector.broadcast(SPECIES, Exp.E4);
    DoubleVector o3 = DoubleVector.broadcast(SPECIES, Exp.O3);
    DoubleVector o5 = DoubleVector.broadcast(SPECIES, Exp.O5);
    DoubleVector half = DoubleVector.broadcast(SPECIES, 0.5);
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, scratch, i);
      if (clamp) {
        x = x.blend(high, x.compare(VectorOperators.GT, high));
        x = x.blend(low, x.compare(VectorOperators.LT, low));
      }
      DoubleVector shifted = x.fma(minusLog2e, round);
      DoubleVector k = shifted.sub(round);
      DoubleVector r = k.fma(ln2Low, k.fma(ln2High, x));
      DoubleVector square = r.mul(r);
      DoubleVector even = square.fma(e4, e2).fma(square, one);
      DoubleVector odd = square.fma(o5, o3).fma(square, half).mul(r);
      DoubleVector up = even.add(odd);
      DoubleVector raised =
          even.sub(odd)
              .reinterpretAsLongs()
              .add(shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52))
              .reinterpretAsDoubles();
      up.div(up.add(raised))
          .sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
          .intoArray(scratch, i);
    }
  }

  /** {@link Exp#exp} less y. */
  private static void exponentialResiduals(
      double[] scratch, double[] y, int yFrom, int count, boolean clamp) {
    DoubleVector high = DoubleVector.broadcast(SPECIES, Exp.CEILING);
    DoubleVector low = DoubleVector.broadcast(SPECIES, -Exp.LIMIT);
    DoubleVector log2e = DoubleVector.broadcast(SPECIES, Exp.LOG2E);
    DoubleVector round = DoubleVector.broadcast(SPECIES, Exp.ROUND);
    DoubleVector minusLn2Low = DoubleVector.broadcast(SPECIES, -Exp.LN2_LOW);
    DoubleVector minusLn2High = DoubleVector.broadcast(SPECIES, -Exp.LN2_HIGH);
    DoubleVector c0 = DoubleVector.broadcast(SPECIES, Exp.C0);
    DoubleVector c1 = DoubleVector.broadcast(SPECIES, Exp.C1);
    DoubleVector c2 = DoubleVector.broadcast(SPECIES, Exp.C2);
    DoubleVector c3 = DoubleVector.broadcast(SPECIES, Exp.C3);
    DoubleVector c4 = DoubleVector.broadcast(SPECIES, Exp.C4);
    DoubleVector c5 = DoubleVector.broadcast(SPECIES, Exp.C5);
    DoubleVector c6 = DoubleVector.broadcast(SPECIES, Exp.C6);
    DoubleVector c7 = DoubleVector.broadcast(SPECIES, Exp.C7);
    DoubleVector c8 = DoubleVector.broadcast(SPECIES, Exp.C8);
    DoubleVector c9 = DoubleVector.broadcast(SPECIES, Exp.C9);
    DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
    for (int i = 0; i < count; i += WIDTH) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, scratch, i);
      if (clamp) {
        x = x.blend(high, x.compare(VectorOperators.GT, high));
        x = x.blend(low, x.compare(VectorOperators.LT, low));
      }
      DoubleVector shifted = x.fma(log2e, round);
      DoubleVector k = shifted.sub(round);
      DoubleVector r = k.fma(minusLn2Low, k.fma(minusLn2High, x));
      DoubleVector q = r.fma(c9, c8);
      q = q.fma(r, c7);
      q = q.fma(r, c6);
      q = q.fma(r, c5);
      q = q.fma(r, c4);
      q = q.fma(r, c3);
      q = q.fma(r, c2);
      q = q.fma(r, c1);
      q = q.fma(r, c0);
      q = q.fma(r, one);
      q = q.fma(r, one);
      q.reinterpretAsLongs()
          .add(shifted.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 52))
          .reinterpretAsDoubles()
          .sub(DoubleVector.fromArray(SPECIES, y, yFrom + i))
          .intoArray(scratch, i);
    }
  }

  // projectN: adds Σ_i x[i][j] · residual[i] over a tile of rows to the lanes of N columns, and of
  // any
  // number, from the given lane on; they lie in the scratch behind the residuals. After the last
  // tile
  // vectors of all lanes are folded here, as in ScalarKernels.laneSum: each step folds two vectors
  // and
  // lays them side by side, so that lane k ends as column k's sum.

  private static void project2(
      double[] x,
      int start,
      int count,
      int p,
      int lane,
      double[] scratch,
      boolean first,
      boolean last,
      double scale,
      double[] out,
      int outOffset) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    int sums = TILE + lane;
    DoubleVector s0 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums);
    DoubleVector s1 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 1 * LANES);
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, i);
      s0 = DoubleVector.fromArray(SPECIES, x, c).fma(r, s0);
      s1 = DoubleVector.fromArray(SPECIES, x, c + 1 * LANES).fma(r, s1);
      c += 2 * LANES;
    }
    if (WIDTH == LANES && last) {
      DoubleVector a0 = s0.add(s0.rearrange(BY4));
      DoubleVector a1 = s1.add(s1.rearrange(BY4));
      DoubleVector b0 = a0.add(a0.rearrange(BY2));
      DoubleVector b1 = a1.add(a1.rearrange(BY2));
      DoubleVector c0 = b0.add(b0.rearrange(BY1)).blend(b1.add(b1.rearrange(BY1)), HIGH1);
      c0.mul(scale).intoArray(out, outOffset, SPECIES.indexInRange(0, p));
    } else {
      s0.intoArray(scratch, sums);
      s1.intoArray(scratch, sums + 1 * LANES);
    }
  }

  private static void project4(
      double[] x,
      int start,
      int count,
      int p,
      int lane,
      double[] scratch,
      boolean first,
      boolean last,
      double scale,
      double[] out,
      int outOffset) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    int sums = TILE + lane;
    DoubleVector s0 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums);
    DoubleVector s1 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 1 * LANES);
    DoubleVector s2 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 2 * LANES);
    DoubleVector s3 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 3 * LANES);
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, i);
      s0 = DoubleVector.fromArray(SPECIES, x, c).fma(r, s0);
      s1 = DoubleVector.fromArray(SPECIES, x, c + 1 * LANES).fma(r, s1);
      s2 = DoubleVector.fromArray(SPECIES, x, c + 2 * LANES).fma(r, s2);
      s3 = DoubleVector.fromArray(SPECIES, x, c + 3 * LANES).fma(r, s3);
      c += 4 * LANES;
    }
    if (WIDTH == LANES && last) {
      DoubleVector a0 = s0.add(s0.rearrange(BY4));
      DoubleVector a1 = s1.add(s1.rearrange(BY4));
      DoubleVector a2 = s2.add(s2.rearrange(BY4));
      DoubleVector a3 = s3.add(s3.rearrange(BY4));
      DoubleVector b0 = a0.add(a0.rearrange(BY2)).blend(a2.add(a2.rearrange(BY2)), HIGH2);
      DoubleVector b1 = a1.add(a1.rearrange(BY2)).blend(a3.add(a3.rearrange(BY2)), HIGH2);
      DoubleVector c0 = b0.add(b0.rearrange(BY1)).blend(b1.add(b1.rearrange(BY1)), HIGH1);
      c0.mul(scale).intoArray(out, outOffset, SPECIES.indexInRange(0, p));
    } else {
      s0.intoArray(scratch, sums);
      s1.intoArray(scratch, sums + 1 * LANES);
      s2.intoArray(scratch, sums + 2 * LANES);
      s3.intoArray(scratch, sums + 3 * LANES);
    }
  }

  private static void project6(
      double[] x,
      int start,
      int count,
      int p,
      int lane,
      double[] scratch,
      boolean first,
      boolean last,
      double scale,
      double[] out,
      int outOffset) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    int sums = TILE + lane;
    DoubleVector s0 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums);
    DoubleVector s1 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 1 * LANES);
    DoubleVector s2 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 2 * LANES);
    DoubleVector s3 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 3 * LANES);
    DoubleVector s4 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 4 * LANES);
    DoubleVector s5 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 5 * LANES);
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, i);
      s0 = DoubleVector.fromArray(SPECIES, x, c).fma(r, s0);
      s1 = DoubleVector.fromArray(SPECIES, x, c + 1 * LANES).fma(r, s1);
      s2 = DoubleVector.fromArray(SPECIES, x, c + 2 * LANES).fma(r, s2);
      s3 = DoubleVector.fromArray(SPECIES, x, c + 3 * LANES).fma(r, s3);
      s4 = DoubleVector.fromArray(SPECIES, x, c + 4 * LANES).fma(r, s4);
      s5 = DoubleVector.fromArray(SPECIES, x, c + 5 * LANES).fma(r, s5);
      c += 6 * LANES;
    }
    if (WIDTH == LANES && last) {
      DoubleVector a0 = s0.add(s0.rearrange(BY4)).blend(s4.add(s4.rearrange(BY4)), HIGH4);
      DoubleVector a1 = s1.add(s1.rearrange(BY4)).blend(s5.add(s5.rearrange(BY4)), HIGH4);
      DoubleVector a2 = s2.add(s2.rearrange(BY4));
      DoubleVector a3 = s3.add(s3.rearrange(BY4));
      DoubleVector b0 = a0.add(a0.rearrange(BY2)).blend(a2.add(a2.rearrange(BY2)), HIGH2);
      DoubleVector b1 = a1.add(a1.rearrange(BY2)).blend(a3.add(a3.rearrange(BY2)), HIGH2);
      DoubleVector c0 = b0.add(b0.rearrange(BY1)).blend(b1.add(b1.rearrange(BY1)), HIGH1);
      c0.mul(scale).intoArray(out, outOffset, SPECIES.indexInRange(0, p));
    } else {
      s0.intoArray(scratch, sums);
      s1.intoArray(scratch, sums + 1 * LANES);
      s2.intoArray(scratch, sums + 2 * LANES);
      s3.intoArray(scratch, sums + 3 * LANES);
      s4.intoArray(scratch, sums + 4 * LANES);
      s5.intoArray(scratch, sums + 5 * LANES);
    }
  }

  private static void project8(
      double[] x,
      int start,
      int count,
      int p,
      int lane,
      double[] scratch,
      boolean first,
      boolean last,
      double scale,
      double[] out,
      int outOffset) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    int sums = TILE + lane;
    DoubleVector s0 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums);
    DoubleVector s1 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 1 * LANES);
    DoubleVector s2 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 2 * LANES);
    DoubleVector s3 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 3 * LANES);
    DoubleVector s4 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 4 * LANES);
    DoubleVector s5 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 5 * LANES);
    DoubleVector s6 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 6 * LANES);
    DoubleVector s7 = first ? zero : DoubleVector.fromArray(SPECIES, scratch, sums + 7 * LANES);
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, i);
      s0 = DoubleVector.fromArray(SPECIES, x, c).fma(r, s0);
      s1 = DoubleVector.fromArray(SPECIES, x, c + 1 * LANES).fma(r, s1);
      s2 = DoubleVector.fromArray(SPECIES, x, c + 2 * LANES).fma(r, s2);
      s3 = DoubleVector.fromArray(SPECIES, x, c + 3 * LANES).fma(r, s3);
      s4 = DoubleVector.fromArray(SPECIES, x, c + 4 * LANES).fma(r, s4);
      s5 = DoubleVector.fromArray(SPECIES, x, c + 5 * LANES).fma(r, s5);
      s6 = DoubleVector.fromArray(SPECIES, x, c + 6 * LANES).fma(r, s6);
      s7 = DoubleVector.fromArray(SPECIES, x, c + 7 * LANES).fma(r, s7);
      c += 8 * LANES;
    }
    if (WIDTH == LANES && last) {
      DoubleVector a0 = s0.add(s0.rearrange(BY4)).blend(s4.add(s4.rearrange(BY4)), HIGH4);
      DoubleVector a1 = s1.add(s1.rearrange(BY4)).blend(s5.add(s5.rearrange(BY4)), HIGH4);
      DoubleVector a2 = s2.add(s2.rearrange(BY4)).blend(s6.add(s6.rearrange(BY4)), HIGH4);
      DoubleVector a3 = s3.add(s3.rearrange(BY4)).blend(s7.add(s7.rearrange(BY4)), HIGH4);
      DoubleVector b0 = a0.add(a0.rearrange(BY2)).blend(a2.add(a2.rearrange(BY2)), HIGH2);
      DoubleVector b1 = a1.add(a1.rearrange(BY2)).blend(a3.add(a3.rearrange(BY2)), HIGH2);
      DoubleVector c0 = b0.add(b0.rearrange(BY1)).blend(b1.add(b1.rearrange(BY1)), HIGH1);
      c0.mul(scale).intoArray(out, outOffset, SPECIES.indexInRange(0, p));
    } else {
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

  private static void project(
      double[] x, int start, int count, int p, int lane, double[] scratch, boolean first) {
    int c = start + lane;
    for (int i = lane; i < count; i += LANES) {
      DoubleVector r = DoubleVector.fromArray(SPECIES, scratch, i);
      boolean fresh = first && i == lane;
      for (int j = 0; j < p; j++) {
        int sum = TILE + lane + j * LANES;
        DoubleVector before =
            fresh ? DoubleVector.zero(SPECIES) : DoubleVector.fromArray(SPECIES, scratch, sum);
        DoubleVector.fromArray(SPECIES, x, c).fma(r, before).intoArray(scratch, sum);
        c += LANES;
      }
    }
  }
}
