package ngd.core.linalg;

import static ngd.core.linalg.Kernels.LANES;

/**
 * The definition, one number at a time, eight sums side by side as {@link VectorTiles} has them:
 * written out, since short loops cost the first compiler more than what is in them.
 */
final class ScalarTiles implements TileKernels {
  @Override
  public void predict(double[] x, int start, int count, int p, double[] at, double[] eta) {
    int width = Kernels.columns(p) * LANES;
    int group = start;
    for (int i = 0; i < count; i += LANES) {
      double e0 = 0;
      double e1 = 0;
      double e2 = 0;
      double e3 = 0;
      double e4 = 0;
      double e5 = 0;
      double e6 = 0;
      double e7 = 0;
      int c = group;
      for (int j = 0; j < p; j++) {
        double t = at[j];
        e0 = Math.fma(x[c], t, e0);
        e1 = Math.fma(x[c + 1], t, e1);
        e2 = Math.fma(x[c + 2], t, e2);
        e3 = Math.fma(x[c + 3], t, e3);
        e4 = Math.fma(x[c + 4], t, e4);
        e5 = Math.fma(x[c + 5], t, e5);
        e6 = Math.fma(x[c + 6], t, e6);
        e7 = Math.fma(x[c + 7], t, e7);
        c += LANES;
      }
      eta[i] = e0;
      eta[i + 1] = e1;
      eta[i + 2] = e2;
      eta[i + 3] = e3;
      eta[i + 4] = e4;
      eta[i + 5] = e5;
      eta[i + 6] = e6;
      eta[i + 7] = e7;
      group += width;
    }
  }

  @Override
  public void project(double[] x, int start, int count, int p, double[] factors, double[] lanes) {
    int width = Kernels.columns(p) * LANES;
    for (int j = 0; j < p; j++) {
      addProduct(x, start + j * LANES, width, count, factors, lanes, j * LANES);
    }
  }

  @Override
  public void square(
      double[] x, int start, int count, int p, double[] factors, double[] lanes, double[] spare) {
    int width = Kernels.columns(p) * LANES;
    int pair = 0;
    for (int j = 0; j < p; j++) {
      int c = start + j * LANES;
      for (int i = 0; i < count; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
          spare[i + lane] = x[c + lane] * factors[i + lane];
        }
        c += width;
      }
      for (int k = 0; k <= j; k++) {
        addProduct(x, start + k * LANES, width, count, spare, lanes, pair);
        pair += LANES;
      }
    }
  }

  /** Adds the products of one column with the factors to its lanes. */
  private static void addProduct(
      double[] x, int from, int width, int count, double[] factors, double[] lanes, int sum) {
    double s0 = lanes[sum];
    double s1 = lanes[sum + 1];
    double s2 = lanes[sum + 2];
    double s3 = lanes[sum + 3];
    double s4 = lanes[sum + 4];
    double s5 = lanes[sum + 5];
    double s6 = lanes[sum + 6];
    double s7 = lanes[sum + 7];
    int c = from;
    for (int i = 0; i < count; i += LANES) {
      s0 = Math.fma(x[c], factors[i], s0);
      s1 = Math.fma(x[c + 1], factors[i + 1], s1);
      s2 = Math.fma(x[c + 2], factors[i + 2], s2);
      s3 = Math.fma(x[c + 3], factors[i + 3], s3);
      s4 = Math.fma(x[c + 4], factors[i + 4], s4);
      s5 = Math.fma(x[c + 5], factors[i + 5], s5);
      s6 = Math.fma(x[c + 6], factors[i + 6], s6);
      s7 = Math.fma(x[c + 7], factors[i + 7], s7);
      c += width;
    }
    lanes[sum] = s0;
    lanes[sum + 1] = s1;
    lanes[sum + 2] = s2;
    lanes[sum + 3] = s3;
    lanes[sum + 4] = s4;
    lanes[sum + 5] = s5;
    lanes[sum + 6] = s6;
    lanes[sum + 7] = s7;
  }

  @Override
  public void exp(double[] in, int count, double[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = Exp.exp(in[i]);
    }
  }
}
