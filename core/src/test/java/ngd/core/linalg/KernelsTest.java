package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Arrays;
import java.util.List;
import ngd.core.Fork;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: the scalar twins, to the last bit; and for the twins themselves the plain formulas. */
class KernelsTest {
  private static final List<String> VECTORS = List.of("--add-modules", "jdk.incubator.vector");

  @Test
  void best_awkwardSizesAndValues_equalTheScalarTwinsToTheLastBit() {
    assertThat(Kernels.best()).isInstanceOf(VectorKernels.class);
    java.util.ArrayList<double[]> expected = new java.util.ArrayList<>();
    KernelCases.all(
        new ScalarKernels(),
        KernelCases.ALL_ROWS,
        KernelCases.ALL_WIDTHS,
        (name, out) -> expected.add(out.clone()));
    int[] next = {0};
    KernelCases.all(
        Kernels.best(),
        KernelCases.ALL_ROWS,
        KernelCases.ALL_WIDTHS,
        (name, out) -> {
          double[] twin = expected.get(next[0]++);
          for (int i = 0; i < out.length; i++) {
            if (Double.doubleToRawLongBits(out[i]) != Double.doubleToRawLongBits(twin[i])) {
              throw new AssertionError(
                  "%s, number %d: %s, the scalar twin %s".formatted(name, i, out[i], twin[i]));
            }
          }
        });
    assertThat(next[0]).isEqualTo(expected.size()).isGreaterThan(9000);
  }

  @Test
  void all_finitePredictors_giveFiniteNumbersAndTouchNothingElse() {
    KernelCases.all(
        Kernels.best(),
        KernelCases.ALL_ROWS,
        KernelCases.ALL_WIDTHS,
        (name, out) -> {
          for (double value : out) {
            assertThat(Double.isFinite(value)).as(name).isTrue();
          }
          if (name.startsWith("rowGradient")) {
            int p = out.length - 14;
            for (int i = 0; i < out.length; i++) {
              assertThat(out[i] == KernelCases.MARK)
                  .as("%s, number %d", name, i)
                  .isEqualTo(i < 5 || i >= 5 + p);
            }
          }
        });
  }

  @Test
  void rowKernels_rowsOutsideTheRange_areLeftAndPaddingIsZero() {
    for (Kernels kernels : List.of(new ScalarKernels(), Kernels.best())) {
      KernelCases.all(
          kernels,
          new int[] {1},
          KernelCases.ALL_WIDTHS,
          (name, out) -> {
            int p = Integer.parseInt(name.replaceAll(".*p = (\\d+).*", "$1"));
            int stride = Kernels.padded(p);
            int to = name.startsWith("mix") ? 9 : name.startsWith("affine") ? 4 : 3;
            if (name.matches("(rowGradient|largest|.*in place).*")) {
              return;
            }
            for (int i = 0; i < out.length; i++) {
              boolean inside = i / stride >= 1 && i / stride < to;
              if (!inside) {
                assertThat(out[i]).as(name).isEqualTo(KernelCases.MARK);
              } else if (i % stride >= p) {
                assertThat(out[i] == 0).as("padding, %s", name).isTrue();
              }
            }
          });
    }
  }

  /** Oracle: the sums as they are written. */
  @Test
  void tiles_predictorsProjectionsAndSquares_areTheSums() {
    int n = 37;
    int p = 6;
    UniformRandomProvider draw = Streams.of(6).stream(Streams.Purpose.DATA);
    int columns = Kernels.columns(p);
    int count = Kernels.padded(n);
    double[][] rows = new double[count][p];
    double[] x = new double[count * columns];
    double[] factors = new double[count];
    double[] at = draw.doubles(p, -1, 1).toArray();
    for (int i = 0; i < n; i++) {
      factors[i] = draw.nextDouble() - 0.5;
      for (int j = 0; j < p; j++) {
        rows[i][j] = draw.nextDouble() - 0.5;
        x[(i / 8 * columns + j) * 8 + i % 8] = rows[i][j];
      }
    }
    for (TileKernels tiles : List.of(new ScalarTiles(), TileKernels.best())) {
      double[] eta = new double[count];
      double[] first = new double[p * 8];
      double[] second = new double[p * (p + 1) / 2 * 8];
      tiles.predict(x, 0, count, p, at, eta);
      tiles.project(x, 0, count, p, factors, first);
      tiles.square(x, 0, count, p, factors, second, new double[Kernels.TILE]);
      for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int j = 0; j < p; j++) {
          sum += rows[i][j] * at[j];
        }
        assertThat(eta[i]).isCloseTo(sum, offset(1e-15));
      }
      int pair = 0;
      for (int j = 0; j < p; j++) {
        double projection = 0;
        for (int i = 0; i < n; i++) {
          projection += factors[i] * rows[i][j];
        }
        assertThat(TileKernels.laneSum(first, 8 * j)).isCloseTo(projection, offset(1e-14));
        for (int k = 0; k <= j; k++) {
          double square = 0;
          for (int i = 0; i < n; i++) {
            square += factors[i] * rows[i][j] * rows[i][k];
          }
          assertThat(TileKernels.laneSum(second, 8 * pair++)).isCloseTo(square, offset(1e-14));
        }
      }
      double[] arguments = {0, 1, -1, 708, 1e300, -1e300, Double.NEGATIVE_INFINITY, 700.5};
      double[] out = new double[8];
      tiles.exp(arguments, 8, out);
      for (int i = 0; i < 8; i++) {
        double cut = Math.clamp(arguments[i], -Exp.LIMIT, Exp.LIMIT);
        assertThat(out[i] / Math.exp(cut)).isCloseTo(1, offset(1e-14));
      }
    }
  }

  @Test
  void mix_noLinks_givesZero() {
    for (Kernels kernels : List.of(new ScalarKernels(), Kernels.best())) {
      double[] out = KernelCases.marked(8);
      kernels.mix(new int[] {0, 0}, new int[0], new double[0], new double[8], out, 8, 0, 1);
      assertThat(out).containsOnly(0.0);
    }
  }

  /** The one S for all rows gives what S repeated for each row gives. */
  @Test
  void affine_oneMatrixForAllRows_hasTheBitsOfOneForEach() {
    UniformRandomProvider draw = Streams.of(5).stream(Streams.Purpose.DATA);
    for (Kernels kernels : List.of(new ScalarKernels(), Kernels.best())) {
      for (int width = 1; width < 20; width++) {
        int p = width;
        int stride = Kernels.padded(p);
        int columns = Math.max(p, Kernels.LANES);
        double[] s = new double[columns * stride];
        double[] b = new double[stride];
        double[] at = new double[3 * stride];
        for (double[] all : List.of(s, b, at)) {
          Arrays.setAll(all, i -> i % stride < p && i / stride < p ? draw.nextDouble() - 0.5 : 0);
        }
        double[] many = new double[3 * stride];
        kernels.affine(s, 0, 0, b, 0, 0, columns, at, many, stride, 0, 3);
        for (int row = 0; row < 3; row++) {
          double[] alone = new double[stride];
          double[] point = Arrays.copyOfRange(at, row * stride, (row + 1) * stride);
          kernels.affine(s, 0, b, columns, point, alone, stride, 0, 1);
          assertThat(Arrays.copyOfRange(many, row * stride, (row + 1) * stride)).isEqualTo(alone);
        }
      }
    }
  }

  @Test
  void largest_anyRange_isTheLargestAbsoluteValueInIt() {
    double[] a = new double[32];
    a[3] = 99;
    a[9] = -7;
    a[15] = 5;
    a[24] = -99;
    for (Kernels kernels : List.of(new ScalarKernels(), Kernels.best())) {
      assertThat(kernels.largest(a, 8, 24)).isEqualTo(7);
      assertThat(kernels.largest(a, 0, 32)).isEqualTo(99);
      assertThat(kernels.largest(a, 16, 24)).isZero();
      assertThat(kernels.largest(a, 8, 8)).isZero();
    }
  }

  /** n = 3, p = 2 by hand: X = [1 2; 3 4; 5 6], θ = (1, −1), Xθ = (−1, −1, −1). */
  @Test
  void rowGradient_threeRowsByHand_isScaledXtResiduals() {
    double[] x = new double[24];
    double[][] rows = {{1, 2}, {3, 4}, {5, 6}};
    for (int i = 0; i < 3; i++) {
      x[i] = rows[i][0];
      x[8 + i] = rows[i][1];
    }
    double[] y = {1, 0, 1, 0, 0, 0, 0, 0};
    for (Kernels kernels : List.of(new ScalarKernels(), Kernels.best())) {
      for (RowScore link : RowScore.values()) {
        double mean =
            switch (link) {
              case IDENTITY -> -1;
              case LOGISTIC -> 1 / (1 + Math.E);
              case EXPONENTIAL -> 1 / Math.E;
              case PROBIT, GAMMA, NEGATIVE_BINOMIAL -> 0;
            };
        double[] out = new double[2];
        double[] scratch = new double[Kernels.scratch(2)];
        kernels.rowGradient(
            link,
            2,
            true,
            0.5,
            x,
            0,
            y,
            null,
            null,
            0,
            3,
            2,
            new double[] {1, -1},
            0,
            out,
            0,
            scratch);
        double phi = Math.exp(-0.5) / Math.sqrt(2 * Math.PI);
        double below = 0.15865525393145707; // Φ(−1)
        double r0 =
            switch (link) {
              case PROBIT -> -phi / below;
              case GAMMA -> 1 - Math.E;
              case NEGATIVE_BINOMIAL -> (1 / Math.E - 1) / (1 + 0.5 / Math.E);
              default -> mean - 1;
            };
        double r1 =
            switch (link) {
              case PROBIT -> phi / (1 - below);
              case GAMMA -> 1;
              case NEGATIVE_BINOMIAL -> 1 / Math.E / (1 + 0.5 / Math.E);
              default -> mean;
            };
        assertThat(out[0]).isCloseTo(0.5 * (r0 + 3 * r1 + 5 * r0), within(link));
        assertThat(out[1]).isCloseTo(0.5 * (2 * r0 + 4 * r1 + 6 * r0), within(link));
      }
    }
  }

  /** The same rows: Xᵀ V X, v = μ′(−1), and the logistic losses log(1 + e^−1) + y. */
  @Test
  void rowHessianAndScores_threeRowsByHand_areTheFormulas() {
    double[] x = new double[16];
    double[][] rows = {{1, 2}, {3, 4}, {5, 6}};
    for (int i = 0; i < 3; i++) {
      x[i] = rows[i][0];
      x[8 + i] = rows[i][1];
    }
    double[] y = {1, 0, 1, 0, 0, 0, 0, 0};
    double[] at = {1, -1};
    double[] scratch = new double[Kernels.scratch(2)];
    for (Kernels kernels : List.of(new ScalarKernels(), Kernels.best())) {
      for (RowScore link : List.of(RowScore.IDENTITY, RowScore.LOGISTIC, RowScore.EXPONENTIAL)) {
        double v =
            switch (link) {
              case IDENTITY -> 1;
              case LOGISTIC -> Math.E / ((1 + Math.E) * (1 + Math.E));
              default -> 1 / Math.E;
            };
        double[] hessian = new double[4];
        kernels.rowHessian(
            link,
            0.5,
            x,
            0,
            y,
            null,
            null,
            0,
            3,
            2,
            at,
            0,
            new double[2],
            0,
            hessian,
            new double[8],
            scratch);
        double[] squares = {35, 44, 44, 56};
        for (int k = 0; k < 4; k++) {
          assertThat(hessian[k]).isCloseTo(0.5 * v * squares[k], within(link));
        }
      }
      double[] scores = new double[8];
      double[] losses = new double[8];
      kernels.rowScores(
          RowScore.LOGISTIC, 2, x, 0, y, null, null, 0, 3, 2, at, 0, scores, losses, 0, scratch);
      for (int i = 0; i < 3; i++) {
        assertThat(losses[i])
            .isCloseTo(2 * (Math.log1p(1 / Math.E) + y[i]), within(RowScore.LOGISTIC));
        assertThat(scores[i]).isCloseTo(1 / (1 + Math.E) - y[i], within(RowScore.LOGISTIC));
      }
      assertThat(losses[3]).isEqualTo(Double.NEGATIVE_INFINITY);
    }
  }

  /** 300 rows of one number, more than a tile; oracle: log1p, and the sum as it is defined. */
  @Test
  void rowLossGradient_isTheSumOfLossesOrSaysThatItCannotTell() {
    int n = 300;
    double[] x = new double[Kernels.padded(n) * Kernels.columns(1)];
    double[] y = new double[Kernels.padded(n)];
    double loss = 0;
    double slope = 0;
    for (int i = 0; i < n; i++) {
      double value = 5 * Math.sin(i);
      x[i / 8 * 8 * Kernels.columns(1) + i % 8] = value;
      y[i] = i % 3 == 0 ? 1 : 0;
      loss += Math.log1p(Math.exp(value)) - y[i] * value;
      slope += value * (1 / (1 + Math.exp(-value)) - y[i]);
    }
    double[] scratch = new double[Kernels.scratch(1)];
    for (Kernels kernels : List.of(Kernels.best(), new ScalarKernels())) {
      for (double coefficient : new double[] {1, 2, 1e-9, 100}) {
        double[] out = new double[1];
        double told =
            kernels.rowLossGradient(
                RowScore.LOGISTIC,
                true,
                1,
                x,
                0,
                y,
                null,
                0,
                n,
                1,
                new double[] {coefficient},
                0,
                out,
                0,
                scratch);
        if (coefficient == 1) {
          assertThat(told).isCloseTo(loss, withPercentage(1e-11));
          assertThat(out[0]).isCloseTo(slope, withPercentage(1e-11));
        } else if (coefficient < 1) {
          assertThat(told).isCloseTo(n * Math.log(2), withPercentage(1e-6));
        } else {
          assertThat(told).isNaN();
        }
      }
      double[] sure = new double[x.length];
      Arrays.setAll(sure, i -> 1 + Math.abs(x[i]));
      double small =
          kernels.rowLossGradient(
              RowScore.LOGISTIC,
              true,
              1,
              sure,
              0,
              new double[y.length],
              null,
              0,
              n,
              1,
              new double[] {-1e6},
              0,
              new double[1],
              0,
              scratch);
      assertThat(small).isNaN();
    }
  }

  /** 300 rows of one number; oracle: Math.exp. */
  @Test
  void rowLossGradient_exponential_isTheSumOfResiduals() {
    int n = 300;
    double[] x = new double[Kernels.padded(n) * Kernels.columns(1)];
    double[] y = new double[Kernels.padded(n)];
    double residuals = 0;
    for (int i = 0; i < n; i++) {
      x[i / 8 * 8 * Kernels.columns(1) + i % 8] = 3 * Math.sin(i);
      y[i] = i % 5;
      residuals += Math.exp(1.5 * Math.sin(i)) - y[i];
    }
    for (Kernels kernels : List.of(Kernels.best(), new ScalarKernels())) {
      double sum =
          kernels.rowLossGradient(
              RowScore.EXPONENTIAL,
              false,
              1,
              x,
              0,
              y,
              null,
              0,
              n,
              1,
              new double[] {0.5},
              0,
              new double[1],
              0,
              new double[Kernels.scratch(1)]);
      assertThat(sum).isCloseTo(residuals, withPercentage(1e-11));
    }
  }

  private static org.assertj.core.data.Offset<Double> within(RowScore link) {
    return org.assertj.core.api.Assertions.within(link == RowScore.IDENTITY ? 0.0 : 2e-14);
  }

  @Test
  void best_narrowerVectors_giveTheSameBits() {
    String expected =
        Long.toHexString(
            KernelDigest.digest(Kernels.best(), KernelCases.FEW_ROWS, KernelCases.FEW_WIDTHS));
    for (int lanes : new int[] {4, 2}) {
      List<String> options = List.of(VECTORS.get(0), VECTORS.get(1), "-Dngd.lanes=" + lanes);
      String output = Fork.output(KernelDigest.class, options, "3");
      assertThat(Fork.line(output, "kernels")).contains(lanes + " lanes");
      assertThat(Fork.line(output, "digest")).isEqualTo(expected);
    }
  }

  /** The later passes of the compiled process run code of the optimising compiler. */
  @Test
  void best_interpretedAndCompiled_giveTheSameBits() {
    String compiled =
        Fork.output(
            KernelDigest.class,
            List.of(VECTORS.get(0), VECTORS.get(1), "-XX:-TieredCompilation"),
            "150");
    String interpreted =
        Fork.output(KernelDigest.class, List.of(VECTORS.get(0), VECTORS.get(1), "-Xint"), "1");
    assertThat(Fork.line(interpreted, "kernels")).isEqualTo(Fork.line(compiled, "kernels"));
    assertThat(Fork.line(interpreted, "digest")).isEqualTo(Fork.line(compiled, "digest"));
  }
}
