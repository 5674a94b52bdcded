package ngd.core.linalg;

import static ngd.core.linalg.VectorLanes.SPECIES;
import static ngd.core.linalg.VectorLanes.SUMS;
import static ngd.core.linalg.VectorLanes.WIDTH;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

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
  /** Where the rows of a client that has a tile for itself begin and end: beyond the tile. */
  private static final int[] ALONE = {0, Integer.MAX_VALUE};

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
  public void take(int[] source, double[] in, double[] out, int stride, int from, int to) {
    for (int e = from; e < to; e++) {
      for (int j = 0; j < stride; j += WIDTH) {
        DoubleVector.fromArray(SPECIES, in, source[e] * stride + j).intoArray(out, e * stride + j);
      }
    }
  }

  @Override
  public void sums(int[] offsets, double[] in, double[] out, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      for (int j = 0; j < stride; j += WIDTH) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          sum = sum.add(DoubleVector.fromArray(SPECIES, in, e * stride + j));
        }
        sum.intoArray(out, m * stride + j);
      }
    }
  }

  @Override
  public void sumsOf(
      int[] offsets, int[] heard, double[] in, double[] out, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      for (int j = 0; j < stride; j += WIDTH) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          sum = sum.add(DoubleVector.fromArray(SPECIES, in, heard[e] * stride + j));
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
  public void plusTwo(
      double[] a,
      double scale,
      double[] b,
      double nextScale,
      double[] c,
      double[] out,
      int from,
      int to) {
    DoubleVector factor = DoubleVector.broadcast(SPECIES, scale);
    DoubleVector next = DoubleVector.broadcast(SPECIES, nextScale);
    for (int i = from; i < to; i += WIDTH) {
      DoubleVector first =
          DoubleVector.fromArray(SPECIES, b, i).fma(factor, DoubleVector.fromArray(SPECIES, a, i));
      DoubleVector.fromArray(SPECIES, c, i).fma(next, first).intoArray(out, i);
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
  public void fromMeans(
      int[] offsets,
      int[] heard,
      double[] in,
      double[] own,
      double[] out,
      int stride,
      int from,
      int to) {
    for (int m = from; m < to; m++) {
      int first = offsets[m];
      int end = offsets[m + 1];
      if (first == end) {
        Arrays.fill(out, m * stride, (m + 1) * stride, 0);
        continue;
      }
      DoubleVector share = DoubleVector.broadcast(SPECIES, -(1.0 / (end - first)));
      for (int j = 0; j < stride; j += WIDTH) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        for (int e = first; e < end; e++) {
          sum = sum.add(DoubleVector.fromArray(SPECIES, in, heard[e] * stride + j));
        }
        sum.fma(share, DoubleVector.fromArray(SPECIES, own, m * stride + j))
            .intoArray(out, m * stride + j);
      }
    }
  }

  @Override
  public void apart(
      int[] offsets,
      int[] heard,
      double[] in,
      double[] own,
      double[] out,
      int stride,
      int from,
      int to) {
    for (int m = from; m < to; m++) {
      int first = offsets[m];
      int end = offsets[m + 1];
      DoubleVector links = DoubleVector.broadcast(SPECIES, end - first);
      for (int j = 0; j < stride; j += WIDTH) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        for (int e = first; e < end; e++) {
          sum = sum.add(DoubleVector.fromArray(SPECIES, in, heard[e] * stride + j));
        }
        DoubleVector.fromArray(SPECIES, own, m * stride + j)
            .fma(links, sum.neg())
            .intoArray(out, m * stride + j);
      }
    }
  }

  @Override
  public void distances(
      int[] offsets,
      int[] heard,
      double[] in,
      double[] own,
      double[] out,
      int stride,
      int from,
      int to) {
    if (stride == WIDTH && WIDTH == LANES) {
      distancesOne(offsets, heard, in, own, out, from, to);
      return;
    }
    double[] lanes = new double[LANES];
    for (int m = from; m < to; m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        for (int lane = 0; lane < LANES; lane += WIDTH) {
          DoubleVector sum = DoubleVector.zero(SPECIES);
          for (int j = lane; j < stride; j += LANES) {
            DoubleVector way =
                DoubleVector.fromArray(SPECIES, own, m * stride + j)
                    .sub(DoubleVector.fromArray(SPECIES, in, heard[e] * stride + j));
            sum = way.fma(way, sum);
          }
          if (WIDTH == LANES) {
            sum = sum.add(sum.rearrange(VectorProjections.BY4));
            sum = sum.add(sum.rearrange(VectorProjections.BY2));
            sum = sum.add(sum.rearrange(VectorProjections.BY1));
            sum.intoArray(out, e, VectorProjections.FIRST);
          } else {
            sum.intoArray(lanes, lane);
          }
        }
        if (WIDTH < LANES) {
          out[e] = ScalarKernels.laneSum(lanes, 0);
        }
      }
    }
  }

  /** The same where a row is one vector. */
  private static void distancesOne(
      int[] offsets, int[] heard, double[] in, double[] own, double[] out, int from, int to) {
    for (int m = from; m < to; m++) {
      DoubleVector mine = DoubleVector.fromArray(SPECIES, own, m * LANES);
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        DoubleVector way = mine.sub(DoubleVector.fromArray(SPECIES, in, heard[e] * LANES));
        DoubleVector sum = way.mul(way);
        sum = sum.add(sum.rearrange(VectorProjections.BY4));
        sum = sum.add(sum.rearrange(VectorProjections.BY2));
        sum = sum.add(sum.rearrange(VectorProjections.BY1));
        out[e] = sum.lane(0);
      }
    }
  }

  @Override
  public void outer(
      double[] a,
      int aStride,
      int left,
      double[] b,
      int bStride,
      int right,
      double[] out,
      int stride,
      int from,
      int to) {
    for (int m = from; m < to; m++) {
      for (int i = 0; i < left; i++) {
        double factor = a[m * aStride + i];
        DoubleVector each = DoubleVector.broadcast(SPECIES, factor);
        int target = m * stride + i * right;
        int source = m * bStride;
        int j = 0;
        for (; j + WIDTH <= right; j += WIDTH) {
          DoubleVector.fromArray(SPECIES, b, source + j).mul(each).intoArray(out, target + j);
        }
        for (; j < right; j++) {
          out[target + j] = factor * b[source + j];
        }
      }
    }
  }

  @Override
  public void products(
      double[] a, double[] b, double[] less, double[] out, int stride, int from, int to) {
    if (stride == WIDTH && WIDTH == LANES) {
      productsOne(a, b, less, out, from, to);
      return;
    }
    double[] lanes = new double[LANES];
    for (int m = from; m < to; m++) {
      for (int lane = 0; lane < LANES; lane += WIDTH) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        for (int i = m * stride + lane; i < (m + 1) * stride; i += LANES) {
          DoubleVector way =
              DoubleVector.fromArray(SPECIES, b, i).sub(DoubleVector.fromArray(SPECIES, less, i));
          sum = DoubleVector.fromArray(SPECIES, a, i).fma(way, sum);
        }
        if (WIDTH == LANES) {
          sum = sum.add(sum.rearrange(VectorProjections.BY4));
          sum = sum.add(sum.rearrange(VectorProjections.BY2));
          sum = sum.add(sum.rearrange(VectorProjections.BY1));
          sum.intoArray(out, m, VectorProjections.FIRST);
        } else {
          sum.intoArray(lanes, lane);
        }
      }
      if (WIDTH < LANES) {
        out[m] = ScalarKernels.laneSum(lanes, 0);
      }
    }
  }

  /** The same where a row is one vector. */
  private static void productsOne(
      double[] a, double[] b, double[] less, double[] out, int from, int to) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    for (int m = from; m < to; m++) {
      int i = m * LANES;
      DoubleVector way =
          DoubleVector.fromArray(SPECIES, b, i).sub(DoubleVector.fromArray(SPECIES, less, i));
      // With zero, so that no −0 is left, as in a sum over several vectors.
      DoubleVector sum = DoubleVector.fromArray(SPECIES, a, i).fma(way, zero);
      sum = sum.add(sum.rearrange(VectorProjections.BY4));
      sum = sum.add(sum.rearrange(VectorProjections.BY2));
      sum = sum.add(sum.rearrange(VectorProjections.BY1));
      out[m] = sum.lane(0);
    }
  }

  @Override
  public void copy(
      double[] in,
      int inStride,
      int @Nullable [] inSegments,
      double[] out,
      int outStride,
      int outColumn,
      int @Nullable [] outSegments,
      int width,
      int from,
      int to) {
    for (int m = from; m < to; m++) {
      int source = m * inStride + (inSegments == null ? 0 : inSegments[m] * width);
      int target = m * outStride + outColumn + (outSegments == null ? 0 : outSegments[m] * width);
      int j = 0;
      for (; j + WIDTH <= width; j += WIDTH) {
        DoubleVector.fromArray(SPECIES, in, source + j).intoArray(out, target + j);
      }
      for (; j < width; j++) {
        out[target + j] = in[source + j];
      }
    }
  }

  @Override
  public void plusEach(
      double[] a, double[] scales, double[] b, double[] out, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      DoubleVector factor = DoubleVector.broadcast(SPECIES, scales[m]);
      for (int i = m * stride; i < (m + 1) * stride; i += WIDTH) {
        DoubleVector.fromArray(SPECIES, b, i)
            .fma(factor, DoubleVector.fromArray(SPECIES, a, i))
            .intoArray(out, i);
      }
    }
  }

  @Override
  public void timesEach(
      double[] a, double[] scales, int every, double[] out, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      DoubleVector factor = DoubleVector.broadcast(SPECIES, scales[m * every]);
      for (int i = m * stride; i < (m + 1) * stride; i += WIDTH) {
        DoubleVector.fromArray(SPECIES, a, i).mul(factor).intoArray(out, i);
      }
    }
  }

  @Override
  public void affine(
      double[] s,
      int sOffset,
      int sStep,
      double[] b,
      int bOffset,
      int bStep,
      int columns,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to) {
    if (stride == WIDTH && columns == LANES && WIDTH == LANES) {
      affineOne(s, sOffset, sStep, b, bOffset, bStep, at, out, from, to);
      return;
    }
    int matrix = sOffset;
    int bRow = bOffset;
    for (int row = from * stride; row < to * stride; row += stride) {
      for (int i = 0; i < stride; i += WIDTH) {
        DoubleVector sum = DoubleVector.fromArray(SPECIES, b, bRow + i).neg();
        int column = matrix + i;
        for (int j = 0; j < columns; j++) {
          sum =
              DoubleVector.fromArray(SPECIES, s, column)
                  .fma(DoubleVector.broadcast(SPECIES, at[row + j]), sum);
          column += stride;
        }
        sum.intoArray(out, row + i);
      }
      matrix += sStep;
      bRow += bStep;
    }
  }

  /** The same where S is eight columns of one vector each. */
  private static void affineOne(
      double[] s,
      int sOffset,
      int sStep,
      double[] b,
      int bOffset,
      int bStep,
      double[] at,
      double[] out,
      int from,
      int to) {
    int c = sOffset;
    int bRow = bOffset;
    for (int row = from * LANES; row < to * LANES; row += LANES) {
      DoubleVector sum = DoubleVector.fromArray(SPECIES, b, bRow).neg();
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
      c += sStep;
      bRow += bStep;
    }
  }

  @Override
  public void extract(
      double[] x, double high, double low, double[] sums, int stride, int from, int to) {
    DoubleVector highCut = DoubleVector.broadcast(SPECIES, high);
    DoubleVector lowCut = DoubleVector.broadcast(SPECIES, low);
    for (int j = 0; j < stride; j += WIDTH) {
      DoubleVector upper = DoubleVector.zero(SPECIES);
      DoubleVector lower = DoubleVector.zero(SPECIES);
      DoubleVector most = DoubleVector.zero(SPECIES);
      for (int at = from * stride + j; at < to * stride; at += stride) {
        DoubleVector all = DoubleVector.fromArray(SPECIES, x, at);
        DoubleVector first = highCut.add(all).sub(highCut);
        DoubleVector left = all.sub(first);
        DoubleVector second = lowCut.add(left).sub(lowCut);
        DoubleVector rest = left.sub(second).abs();
        upper = upper.add(first);
        lower = lower.add(second);
        most = most.blend(rest, rest.compare(VectorOperators.GT, most));
      }
      upper.intoArray(sums, j);
      lower.intoArray(sums, stride + j);
      most.intoArray(sums, 2 * stride + j);
    }
  }

  @Override
  public void rowGradient(
      RowScore link,
      double shape,
      boolean clamp,
      double scale,
      double[] x,
      int xOffset,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] weights,
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
      predict(x, start, count, p, at, atOffset, scratch);
      residuals(link, shape, clamp, y, offsets, weights, yOffset + tile, count, p, scratch);
      project(x, start, count, p, tile == 0, tile + TILE >= padded, scratch);
    }
    fold(p, scale, out, outOffset, scratch);
  }

  @Override
  public void rowGradients(
      RowScore link,
      double shape,
      boolean clamp,
      double[] scales,
      double[] x,
      int[] xOffsets,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] weights,
      int[] yOffsets,
      int p,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to,
      double[] scratch) {
    int end;
    for (int m = from; m < to; m = end) {
      int begin = yOffsets[m];
      end = m + 1;
      while (WIDTH == LANES && p <= LANES && end < to && yOffsets[end + 1] - begin <= TILE) {
        end++;
      }
      int count = yOffsets[end] - begin;
      if (end == m + 1) {
        rowGradient(
            link,
            shape,
            clamp,
            scales[m],
            x,
            xOffsets[m],
            y,
            offsets,
            weights,
            begin,
            count,
            p,
            at,
            m * stride,
            out,
            m * stride,
            scratch);
        continue;
      }
      predict(x, xOffsets[m], count, p, at, m * stride, stride, yOffsets, m, scratch);
      residuals(link, shape, clamp, y, offsets, weights, begin, count, p, scratch);
      project(x, xOffsets[m], count, p, /* first= */ true, /* last= */ true, yOffsets, m, scratch);
      for (int k = m; k < end; k++) {
        write(p, scales[k], out, k * stride, scratch, SUMS + (k - m) * LANES);
      }
    }
  }

  /** From the predictors of a tile's rows, whose responses begin at yFrom, to the residuals. */
  private static void residuals(
      RowScore link,
      double shape,
      boolean clamp,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] weights,
      int yFrom,
      int count,
      int p,
      double[] scratch) {
    if (offsets != null) {
      VectorResiduals.shift(scratch, offsets, yFrom, count);
    }
    switch (link) {
      case IDENTITY -> VectorResiduals.identity(scratch, y, yFrom, count);
      case LOGISTIC -> VectorResiduals.logistic(scratch, y, yFrom, count, clamp);
      case EXPONENTIAL -> VectorResiduals.exponential(scratch, FRONT, y, yFrom, count, clamp);
      case PROBIT -> VectorResiduals.probit(scratch, spare(p), y, yFrom, count);
      case GAMMA -> VectorResiduals.gamma(scratch, y, yFrom, count, clamp);
      case NEGATIVE_BINOMIAL ->
          VectorResiduals.negativeBinomial(scratch, shape, y, yFrom, count, clamp);
    }
    if (weights != null) {
      VectorResiduals.weigh(scratch, weights, yFrom, count);
    }
  }

  /** Where the second tile of the scratch begins. */
  private static int spare(int p) {
    return SUMS + Kernels.padded(p) * LANES;
  }

  @Override
  public double rowLossGradient(
      RowScore link,
      boolean clamp,
      double scale,
      double[] x,
      int xOffset,
      double[] y,
      double @Nullable [] offsets,
      int yOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] scratch) {
    int padded = Kernels.padded(rows);
    double loss = 0;
    for (int tile = 0; tile < padded; tile += TILE) {
      int count = Math.min(TILE, padded - tile);
      int start = xOffset + tile * Kernels.columns(p);
      predict(x, start, count, p, at, atOffset, scratch);
      residuals(link, 1, clamp, y, offsets, null, yOffset + tile, count, p, scratch);
      loss += loss(link, 0, count, rows - tile, p, scratch);
      project(x, start, count, p, tile == 0, tile + TILE >= padded, scratch);
    }
    fold(p, scale, out, outOffset, scratch);
    return ScalarKernels.isLogistic(link) ? ScalarKernels.told(loss, rows) : loss;
  }

  @Override
  public void rowLossGradients(
      RowScore link,
      boolean clamp,
      double[] scales,
      double[] x,
      int[] xOffsets,
      double[] y,
      double @Nullable [] offsets,
      int[] yOffsets,
      int[] rows,
      int p,
      double[] at,
      double[] out,
      int stride,
      int from,
      int to,
      double[] losses,
      double[] scratch) {
    int end;
    for (int m = from; m < to; m = end) {
      int begin = yOffsets[m];
      end = m + 1;
      while (WIDTH == LANES && p <= LANES && end < to && yOffsets[end + 1] - begin <= TILE) {
        end++;
      }
      int count = yOffsets[end] - begin;
      if (end == m + 1) {
        losses[m] =
            rowLossGradient(
                link,
                clamp,
                scales[m],
                x,
                xOffsets[m],
                y,
                offsets,
                yOffsets[m],
                rows[m],
                p,
                at,
                m * stride,
                out,
                m * stride,
                scratch);
        continue;
      }
      predict(x, xOffsets[m], count, p, at, m * stride, stride, yOffsets, m, scratch);
      residuals(link, 1, clamp, y, offsets, null, begin, count, p, scratch);
      for (int k = m; k < end; k++) {
        int own = yOffsets[k] - begin;
        double loss = loss(link, own, yOffsets[k + 1] - yOffsets[k], rows[k], p, scratch);
        losses[k] = ScalarKernels.isLogistic(link) ? ScalarKernels.told(loss, rows[k]) : loss;
      }
      project(x, xOffsets[m], count, p, /* first= */ true, /* last= */ true, yOffsets, m, scratch);
      for (int k = m; k < end; k++) {
        write(p, scales[k], out, k * stride, scratch, SUMS + (k - m) * LANES);
      }
    }
  }

  /**
   * What some rows of a tile add to {@link #rowLossGradient}, whose residuals begin at {@code
   * first}; those of the zeros that fill up the last group become 0.
   */
  private static double loss(
      RowScore link, int first, int count, int rows, int p, double[] scratch) {
    boolean logistic = ScalarKernels.isLogistic(link);
    int lanes = spare(p);
    Arrays.fill(scratch, FRONT + first + Math.min(count, rows), FRONT + first + count, 0);
    for (int lane = 0; lane < LANES; lane += WIDTH) {
      if (logistic) {
        VectorLosses.told(scratch, first, count, lane, lanes);
      } else {
        VectorLosses.sum(scratch, first, count, lane, lanes);
      }
    }
    return logistic ? ScalarKernels.lossOf(scratch, lanes) : ScalarKernels.laneSum(scratch, lanes);
  }

  @Override
  public void rowCurvature(
      RowScore link,
      double scale,
      double[] x,
      double[] squares,
      int xOffset,
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
      predict(x, start, count, p, at, atOffset, scratch);
      switch (link) {
        case IDENTITY -> Arrays.fill(scratch, FRONT, FRONT + count, 1);
        case LOGISTIC -> {
          VectorResiduals.logistic(scratch, VectorResiduals.NONE, 0, count, true);
          for (int i = FRONT; i < FRONT + count; i++) {
            scratch[i] *= 1 - scratch[i];
          }
        }
        case EXPONENTIAL ->
            VectorResiduals.exponential(scratch, FRONT, VectorResiduals.NONE, 0, count, true);
        case PROBIT, GAMMA, NEGATIVE_BINOMIAL -> throw link.notCanonical();
      }
      project(squares, start, count, p, tile == 0, tile + TILE >= padded, scratch);
    }
    fold(p, scale, out, outOffset, scratch);
  }

  @Override
  public void rowHessian(
      RowScore link,
      double scale,
      double[] x,
      int xOffset,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] weights,
      int yOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] out,
      int outOffset,
      double[] hessian,
      double[] slopes,
      double[] scratch) {
    int padded = Kernels.padded(rows);
    for (int tile = 0; tile < padded; tile += TILE) {
      int count = Math.min(TILE, padded - tile);
      int start = xOffset + tile * Kernels.columns(p);
      boolean last = tile + TILE >= padded;
      predict(x, start, count, p, at, atOffset, scratch);
      int yFrom = yOffset + tile;
      if (offsets != null) {
        VectorResiduals.shift(scratch, offsets, yFrom, count);
      }
      switch (link) {
        case IDENTITY -> {}
        case LOGISTIC -> VectorResiduals.logistic(scratch, VectorResiduals.NONE, 0, count, true);
        case EXPONENTIAL ->
            VectorResiduals.exponential(scratch, FRONT, VectorResiduals.NONE, 0, count, true);
        case PROBIT, GAMMA, NEGATIVE_BINOMIAL -> throw link.notCanonical();
      }
      VectorSlopes.split(link, y, yFrom, weights, count, slopes, tile, scratch);
      project(x, start, count, p, tile == 0, last, scratch);
    }
    fold(p, scale, out, outOffset, scratch);
    for (int j = 0; j < p; j++) {
      for (int tile = 0; tile < padded; tile += TILE) {
        int count = Math.min(TILE, padded - tile);
        int start = xOffset + tile * Kernels.columns(p);
        boolean last = tile + TILE >= padded;
        VectorSlopes.column(x, start + j * LANES, p, slopes, tile, count, scratch);
        project(x, start, count, p, tile == 0, last, scratch);
      }
      fold(p, scale, hessian, j * p, scratch);
    }
  }

  @Override
  public void rowScores(
      RowScore link,
      double factor,
      double[] x,
      int xOffset,
      double[] y,
      double @Nullable [] offsets,
      double @Nullable [] leasts,
      int yOffset,
      int rows,
      int p,
      double[] at,
      int atOffset,
      double[] scores,
      double[] losses,
      int first,
      double[] scratch) {
    int padded = Kernels.padded(rows);
    for (int tile = 0; tile < padded; tile += TILE) {
      int count = Math.min(TILE, padded - tile);
      int start = xOffset + tile * Kernels.columns(p);
      predict(x, start, count, p, at, atOffset, scratch);
      int yFrom = yOffset + tile;
      if (offsets != null) {
        VectorResiduals.shift(scratch, offsets, yFrom, count);
      }
      switch (link) {
        case IDENTITY ->
            VectorLosses.identity(scratch, factor, y, yFrom, count, scores, losses, first + tile);
        case LOGISTIC ->
            VectorLosses.logistic(scratch, factor, y, yFrom, count, scores, losses, first + tile);
        case EXPONENTIAL ->
            VectorLosses.exponential(
                scratch, factor, y, yFrom, count, scores, losses, first + tile);
        case PROBIT, GAMMA, NEGATIVE_BINOMIAL -> throw link.notCanonical();
      }
      if (leasts != null) {
        VectorLosses.lessLeast(losses, first + tile, leasts, yFrom, count);
      }
    }
    Arrays.fill(losses, first + rows, first + padded, Double.NEGATIVE_INFINITY);
  }

  @Override
  public void excessSums(
      double least,
      double from,
      double[] losses,
      int first,
      double @Nullable [] weights,
      int wOffset,
      int rows,
      double[] sums,
      double[] scratch) {
    for (int lane = 0; lane < LANES; lane += WIDTH) {
      VectorLosses.excess(
          least, from, losses, first, weights, wOffset, Kernels.padded(rows), lane, sums, scratch);
    }
    for (int k = 0; WIDTH < LANES && k < 3; k++) {
      sums[k] = ScalarKernels.laneSum(scratch, k * LANES);
    }
  }

  @Override
  public void scoreGradient(
      double scale,
      double least,
      double from,
      double constant,
      double slope,
      double[] x,
      int xOffset,
      double[] scores,
      double[] losses,
      int first,
      double @Nullable [] weights,
      int wOffset,
      int rows,
      int p,
      double[] out,
      int outOffset,
      double[] scratch) {
    int padded = Kernels.padded(rows);
    for (int tile = 0; tile < padded; tile += TILE) {
      int count = Math.min(TILE, padded - tile);
      VectorLosses.counted(
          least,
          from,
          constant,
          slope,
          scores,
          losses,
          first + tile,
          weights,
          wOffset + tile,
          count,
          scratch);
      project(
          x,
          xOffset + tile * Kernels.columns(p),
          count,
          p,
          tile == 0,
          tile + TILE >= padded,
          scratch);
    }
    fold(p, scale, out, outOffset, scratch);
  }

  /** The predictors of a tile of one client's rows. */
  private static void predict(
      double[] x, int start, int count, int p, double[] at, int atOffset, double[] scratch) {
    predict(x, start, count, p, at, atOffset, 0, ALONE, 0, scratch);
  }

  /** The predictors of a tile of the rows of several clients; see {@link VectorPredictors}. */
  private static void predict(
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
    switch ((p + 1) / 2) {
      case 1 ->
          VectorPredictors.predict2(
              x, start, count, p, at, atOffset, stride, ends, client, scratch);
      case 2 ->
          VectorPredictors.predict4(
              x, start, count, p, at, atOffset, stride, ends, client, scratch);
      case 3 ->
          VectorPredictors.predict6(
              x, start, count, p, at, atOffset, stride, ends, client, scratch);
      case 4 ->
          VectorPredictors.predict8(
              x, start, count, p, at, atOffset, stride, ends, client, scratch);
      default -> VectorPredictors.predict(x, start, count, p, at, atOffset, scratch);
    }
  }

  /** Adds a tile's residuals times its columns. */
  private static void project(
      double[] x, int start, int count, int p, boolean first, boolean last, double[] scratch) {
    project(x, start, count, p, first, last, ALONE, 0, scratch);
  }

  /** The same for several clients; see {@link VectorProjections}. */
  private static void project(
      double[] x,
      int start,
      int count,
      int p,
      boolean first,
      boolean last,
      int[] ends,
      int client,
      double[] scratch) {
    for (int lane = 0; lane < LANES; lane += WIDTH) {
      switch ((p + 1) / 2) {
        case 1 ->
            VectorProjections.project2(x, start, count, lane, scratch, first, last, ends, client);
        case 2 ->
            VectorProjections.project4(x, start, count, lane, scratch, first, last, ends, client);
        case 3 ->
            VectorProjections.project6(x, start, count, lane, scratch, first, last, ends, client);
        case 4 ->
            VectorProjections.project8(x, start, count, lane, scratch, first, last, ends, client);
        default -> VectorProjections.project(x, start, count, p, lane, scratch, first);
      }
    }
  }

  /** Writes one client's sums, those that are lanes yet folded. */
  private static void fold(int p, double scale, double[] out, int outOffset, double[] scratch) {
    if (WIDTH == LANES && p <= LANES) {
      write(p, scale, out, outOffset, scratch, SUMS);
      return;
    }
    for (int j = 0; j < p; j++) {
      out[outOffset + j] = scale * ScalarKernels.laneSum(scratch, SUMS + j * LANES);
    }
  }

  /** Writes the sums that stand in the scratch from the given place on. */
  private static void write(
      int p, double scale, double[] out, int outOffset, double[] scratch, int sums) {
    DoubleVector.fromArray(SPECIES, scratch, sums)
        .mul(scale)
        .intoArray(out, outOffset, SPECIES.indexInRange(0, p));
  }

  /** Four vectors side by side, as each comparison would have to wait for the one before it. */
  @Override
  public double largest(double[] a, int from, int to) {
    DoubleVector most0 = DoubleVector.zero(SPECIES);
    DoubleVector most1 = most0;
    DoubleVector most2 = most0;
    DoubleVector most3 = most0;
    int i = from;
    for (; i < to - 3 * WIDTH; i += 4 * WIDTH) {
      DoubleVector next0 = DoubleVector.fromArray(SPECIES, a, i).abs();
      DoubleVector next1 = DoubleVector.fromArray(SPECIES, a, i + WIDTH).abs();
      DoubleVector next2 = DoubleVector.fromArray(SPECIES, a, i + 2 * WIDTH).abs();
      DoubleVector next3 = DoubleVector.fromArray(SPECIES, a, i + 3 * WIDTH).abs();
      most0 = most0.blend(next0, next0.compare(VectorOperators.GT, most0));
      most1 = most1.blend(next1, next1.compare(VectorOperators.GT, most1));
      most2 = most2.blend(next2, next2.compare(VectorOperators.GT, most2));
      most3 = most3.blend(next3, next3.compare(VectorOperators.GT, most3));
    }
    for (; i < to; i += WIDTH) {
      DoubleVector next = DoubleVector.fromArray(SPECIES, a, i).abs();
      most0 = most0.blend(next, next.compare(VectorOperators.GT, most0));
    }
    most0 = most0.blend(most1, most1.compare(VectorOperators.GT, most0));
    most2 = most2.blend(most3, most3.compare(VectorOperators.GT, most2));
    most0 = most0.blend(most2, most2.compare(VectorOperators.GT, most0));
    double most = 0;
    for (int lane = 0; lane < WIDTH; lane++) {
      most = Math.max(most, most0.lane(lane));
    }
    return most;
  }
}
