package ngd.core.linalg;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The definition of every kernel, one number at a time. */
final class ScalarKernels implements Kernels {

  @Override
  public String description() {
    return "scalar";
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
      for (int j = 0; j < stride; j++) {
        double sum = 0;
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          sum = Math.fma(weights[e], in[heard[e] * stride + j], sum);
        }
        out[m * stride + j] = sum;
      }
    }
  }

  @Override
  public void take(int[] source, double[] in, double[] out, int stride, int from, int to) {
    for (int e = from; e < to; e++) {
      for (int j = 0; j < stride; j++) {
        out[e * stride + j] = in[source[e] * stride + j];
      }
    }
  }

  @Override
  public void sums(int[] offsets, double[] in, double[] out, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      for (int j = 0; j < stride; j++) {
        double sum = 0;
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          sum += in[e * stride + j];
        }
        out[m * stride + j] = sum;
      }
    }
  }

  @Override
  public void sumsOf(
      int[] offsets, int[] heard, double[] in, double[] out, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      for (int j = 0; j < stride; j++) {
        double sum = 0;
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          sum += in[heard[e] * stride + j];
        }
        out[m * stride + j] = sum;
      }
    }
  }

  @Override
  public void plus(double[] a, double scale, double[] b, double[] out, int from, int to) {
    for (int i = from; i < to; i++) {
      out[i] = Math.fma(scale, b[i], a[i]);
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
    for (int i = from; i < to; i++) {
      out[i] = Math.fma(nextScale, c[i], Math.fma(scale, b[i], a[i]));
    }
  }

  @Override
  public void times(double[] a, double scale, double[] out, int from, int to) {
    for (int i = from; i < to; i++) {
      out[i] = scale * a[i];
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
      double share = 1.0 / (offsets[m + 1] - offsets[m]);
      for (int j = 0; j < stride; j++) {
        double sum = 0;
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          sum += in[heard[e] * stride + j];
        }
        out[m * stride + j] =
            offsets[m] == offsets[m + 1] ? 0 : Math.fma(sum, -share, own[m * stride + j]);
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
      double links = offsets[m + 1] - offsets[m];
      for (int j = 0; j < stride; j++) {
        double sum = 0;
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          sum += in[heard[e] * stride + j];
        }
        out[m * stride + j] = Math.fma(own[m * stride + j], links, -sum);
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
    double[] lanes = new double[LANES];
    for (int m = from; m < to; m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        Arrays.fill(lanes, 0);
        for (int j = 0; j < stride; j++) {
          double way = own[m * stride + j] - in[heard[e] * stride + j];
          lanes[j % LANES] = Math.fma(way, way, lanes[j % LANES]);
        }
        out[e] = laneSum(lanes, 0);
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
        for (int j = 0; j < right; j++) {
          out[m * stride + i * right + j] = a[m * aStride + i] * b[m * bStride + j];
        }
      }
    }
  }

  @Override
  public void products(
      double[] a, double[] b, double[] less, double[] out, int stride, int from, int to) {
    double[] lanes = new double[LANES];
    for (int m = from; m < to; m++) {
      Arrays.fill(lanes, 0);
      for (int j = 0; j < stride; j++) {
        int i = m * stride + j;
        lanes[j % LANES] = Math.fma(a[i], b[i] - less[i], lanes[j % LANES]);
      }
      out[m] = laneSum(lanes, 0);
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
      for (int j = 0; j < width; j++) {
        out[target + j] = in[source + j];
      }
    }
  }

  @Override
  public void plusEach(
      double[] a, double[] scales, double[] b, double[] out, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      plus(a, scales[m], b, out, m * stride, (m + 1) * stride);
    }
  }

  @Override
  public void timesEach(
      double[] a, double[] scales, int every, double[] out, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      times(a, scales[m * every], out, m * stride, (m + 1) * stride);
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
    for (int m = from; m < to; m++) {
      int matrix = sOffset + (m - from) * sStep;
      for (int i = 0; i < stride; i++) {
        double sum = -b[bOffset + (m - from) * bStep + i];
        for (int j = 0; j < columns; j++) {
          sum = Math.fma(s[matrix + j * stride + i], at[m * stride + j], sum);
        }
        out[m * stride + i] = sum;
      }
    }
  }

  @Override
  public void extract(
      double[] x, double high, double low, double[] sums, int stride, int from, int to) {
    for (int j = 0; j < stride; j++) {
      double upper = 0;
      double lower = 0;
      double most = 0;
      for (int m = from; m < to; m++) {
        double all = x[m * stride + j];
        double first = high + all - high;
        double left = all - first;
        double second = low + left - low;
        double rest = Math.abs(left - second);
        upper += first;
        lower += second;
        most = rest > most ? rest : most;
      }
      sums[j] = upper;
      sums[stride + j] = lower;
      sums[2 * stride + j] = most;
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
    int count = Kernels.padded(rows);
    for (int j = 0; j < p * LANES; j++) {
      scratch[TILE + j] = 0;
    }
    for (int i = 0; i < count; i++) {
      int row = xOffset + i / LANES * Kernels.columns(p) * LANES + i % LANES;
      double eta = 0;
      for (int j = 0; j < p; j++) {
        eta = Math.fma(x[row + j * LANES], at[atOffset + j], eta);
      }
      double shifted = offsets == null ? eta : eta + offsets[yOffset + i];
      double plain = residual(link, shape, shifted, y[yOffset + i]);
      double residual = weights == null ? plain : plain * weights[yOffset + i];
      for (int j = 0; j < p; j++) {
        int lane = TILE + j * LANES + i % LANES;
        scratch[lane] = Math.fma(x[row + j * LANES], residual, scratch[lane]);
      }
    }
    for (int j = 0; j < p; j++) {
      out[outOffset + j] = scale * laneSum(scratch, TILE + j * LANES);
    }
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
    rowGradient(
        link, 1, clamp, scale, x, xOffset, y, offsets, null, yOffset, rows, p, at, atOffset, out,
        outOffset, scratch);
    boolean logistic = isLogistic(link);
    double loss = 0;
    for (int tile = 0; tile < rows; tile += TILE) {
      Arrays.fill(scratch, 0, LANES, logistic ? 1 : 0);
      for (int i = tile; i < Math.min(rows, tile + TILE); i++) {
        int row = xOffset + i / LANES * Kernels.columns(p) * LANES + i % LANES;
        double eta = 0;
        for (int j = 0; j < p; j++) {
          eta = Math.fma(x[row + j * LANES], at[atOffset + j], eta);
        }
        double shifted = offsets == null ? eta : eta + offsets[yOffset + i];
        double residual = residual(link, 1, shifted, y[yOffset + i]);
        if (logistic) {
          double told = 1 - Math.abs(residual);
          scratch[i % LANES] *= told < LEAST_TOLD ? Double.NaN : told;
        } else {
          scratch[i % LANES] += residual;
        }
      }
      loss += logistic ? lossOf(scratch, 0) : laneSum(scratch, 0);
    }
    return logistic ? told(loss, rows) : loss;
  }

  /** Of the two links that {@link #rowLossGradient} is for; refuses others. */
  static boolean isLogistic(RowScore link) {
    return switch (link) {
      case LOGISTIC -> true;
      case EXPONENTIAL -> false;
      case IDENTITY, PROBIT, GAMMA, NEGATIVE_BINOMIAL ->
          throw new IllegalArgumentException("link: must be logistic or exponential; got " + link);
    };
  }

  /** −log of the product of eight lanes, each of at most 32 numbers. */
  static double lossOf(double[] lanes, int at) {
    double loss = 0;
    double product = 1;
    for (int lane = 0; lane < LANES; lane++) {
      product *= lanes[at + lane];
      if (product < 1e-150) {
        loss -= StrictMath.log(product);
        product = 1;
      }
    }
    return loss - StrictMath.log(product);
  }

  /** A sum of losses, or NaN where they are too small for what is lost on the way. */
  static double told(double loss, int rows) {
    return loss < rows * LEAST_TOLD ? Double.NaN : loss;
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
    int count = Kernels.padded(rows);
    for (int j = 0; j < p * LANES; j++) {
      scratch[TILE + j] = 0;
    }
    for (int i = 0; i < count; i++) {
      int row = xOffset + i / LANES * Kernels.columns(p) * LANES + i % LANES;
      double eta = 0;
      for (int j = 0; j < p; j++) {
        eta = Math.fma(x[row + j * LANES], at[atOffset + j], eta);
      }
      double derivative = derivative(link, residual(link, 1, eta, 0));
      for (int j = 0; j < p; j++) {
        int lane = TILE + j * LANES + i % LANES;
        scratch[lane] = Math.fma(squares[row + j * LANES], derivative, scratch[lane]);
      }
    }
    for (int j = 0; j < p; j++) {
      out[outOffset + j] = scale * laneSum(scratch, TILE + j * LANES);
    }
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
    rowGradient(
        link, 1, true, scale, x, xOffset, y, offsets, weights, yOffset, rows, p, at, atOffset, out,
        outOffset, scratch);
    int count = Kernels.padded(rows);
    for (int i = 0; i < count; i++) {
      int row = xOffset + i / LANES * Kernels.columns(p) * LANES + i % LANES;
      double eta = 0;
      for (int j = 0; j < p; j++) {
        eta = Math.fma(x[row + j * LANES], at[atOffset + j], eta);
      }
      double shifted = offsets == null ? eta : eta + offsets[yOffset + i];
      double plain = derivative(link, residual(link, 1, shifted, 0));
      slopes[i] = weights == null ? plain : plain * weights[yOffset + i];
    }
    for (int j = 0; j < p; j++) {
      Arrays.fill(scratch, TILE, TILE + p * LANES, 0);
      for (int i = 0; i < count; i++) {
        int row = xOffset + i / LANES * Kernels.columns(p) * LANES + i % LANES;
        double slope = slopes[i] * x[row + j * LANES];
        for (int k = 0; k < p; k++) {
          int lane = TILE + k * LANES + i % LANES;
          scratch[lane] = Math.fma(x[row + k * LANES], slope, scratch[lane]);
        }
      }
      for (int k = 0; k < p; k++) {
        hessian[j * p + k] = scale * laneSum(scratch, TILE + k * LANES);
      }
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
    for (int i = 0; i < Kernels.padded(rows); i++) {
      int row = xOffset + i / LANES * Kernels.columns(p) * LANES + i % LANES;
      double eta = 0;
      for (int j = 0; j < p; j++) {
        eta = Math.fma(x[row + j * LANES], at[atOffset + j], eta);
      }
      double shifted = offsets == null ? eta : eta + offsets[yOffset + i];
      // A zero has no sign: columns that fill up a group take it away.
      scores[first + i] = residual(link, 1, shifted, y[yOffset + i]) + 0.0;
      double loss = factor * loss(link, shifted, y[yOffset + i]);
      double counted = leasts == null ? loss : loss - leasts[yOffset + i];
      losses[first + i] = i < rows ? counted : Double.NEGATIVE_INFINITY;
    }
  }

  private static double loss(RowScore link, double eta, double y) {
    return switch (link) {
      case IDENTITY -> 0.5 * (eta - y) * (eta - y);
      case LOGISTIC -> Math.fma(-y, eta, eta > 0 ? eta : 0) + Exp.logOnePlus(eta);
      case EXPONENTIAL -> {
        double beyond = eta > Exp.CEILING ? eta - Exp.CEILING : 0;
        yield Math.fma(-y, eta, Exp.exp(Math.min(eta, Exp.CEILING)) * (1 + beyond));
      }
      case PROBIT, GAMMA, NEGATIVE_BINOMIAL -> throw link.notCanonical();
    };
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
    Arrays.fill(scratch, 0, 3 * LANES, 0);
    for (int i = 0; i < Kernels.padded(rows); i++) {
      boolean above = losses[first + i] > least;
      double excess = above ? losses[first + i] - from : 0;
      double weight = above ? weights == null ? 1 : weights[wOffset + i] : 0;
      double weighted = weight * excess;
      int lane = i % LANES;
      scratch[lane] += weight;
      scratch[LANES + lane] += weighted;
      scratch[2 * LANES + lane] = Math.fma(weighted, excess, scratch[2 * LANES + lane]);
    }
    for (int k = 0; k < 3; k++) {
      sums[k] = laneSum(scratch, k * LANES);
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
    for (int j = 0; j < p * LANES; j++) {
      scratch[TILE + j] = 0;
    }
    for (int i = 0; i < Kernels.padded(rows); i++) {
      int row = xOffset + i / LANES * Kernels.columns(p) * LANES + i % LANES;
      double loss = losses[first + i];
      double counted = loss > least ? Math.fma(loss - from, slope, constant) : 0;
      double weight = weights == null ? counted : counted * weights[wOffset + i];
      double residual = scores[first + i] * weight;
      for (int j = 0; j < p; j++) {
        int lane = TILE + j * LANES + i % LANES;
        scratch[lane] = Math.fma(x[row + j * LANES], residual, scratch[lane]);
      }
    }
    for (int j = 0; j < p; j++) {
      out[outOffset + j] = scale * laneSum(scratch, TILE + j * LANES);
    }
  }

  /** The derivative of a link's mean with respect to the predictor, from that mean. */
  private static double derivative(RowScore link, double mean) {
    return switch (link) {
      case IDENTITY -> 1;
      case LOGISTIC -> mean * (1 - mean);
      case EXPONENTIAL -> mean;
      case PROBIT, GAMMA, NEGATIVE_BINOMIAL -> throw link.notCanonical();
    };
  }

  @Override
  public double largest(double[] a, int from, int to) {
    double largest = 0;
    for (int i = from; i < to; i++) {
      double next = Math.abs(a[i]);
      largest = next > largest ? next : largest;
    }
    return largest;
  }

  /** Padding rows have x = y = 0: whatever their residual, it is multiplied by zero. */
  static double residual(RowScore link, double shape, double eta, double y) {
    return switch (link) {
      case IDENTITY -> eta - y;
      case LOGISTIC -> Exp.logistic(eta) - y;
      case EXPONENTIAL -> Exp.exp(Math.min(eta, Exp.CEILING)) - y;
      case PROBIT -> {
        double sign = Math.fma(y, 2, -1);
        yield Mills.ratio(eta * sign) * -sign;
      }
      case GAMMA -> Math.fma(-y, Exp.exp(Math.min(-eta, Exp.CEILING)), 1);
      case NEGATIVE_BINOMIAL -> {
        double mean = Exp.exp(Math.min(eta, Exp.CEILING));
        yield (mean - y) / Math.fma(mean, 1 / shape, 1);
      }
    };
  }

  /** The sum of eight lanes, halves folded onto each other: the order of every sum over rows. */
  static double laneSum(double[] lanes, int at) {
    double s0 = lanes[at] + lanes[at + 4];
    double s1 = lanes[at + 1] + lanes[at + 5];
    double s2 = lanes[at + 2] + lanes[at + 6];
    double s3 = lanes[at + 3] + lanes[at + 7];
    return (s0 + s2) + (s1 + s3);
  }
}
