package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;

class QrAccumulatorTest {

  /** Oracle: the definition RᵀR = Σ x xᵀ, over sizes around the block's. */
  @Test
  void r_anyNumberOfRows_squaresToTheSumOfOuterProducts() {
    for (int n : new int[] {0, 1, 2, 5, 127, 128, 129, 300}) {
      double[][] x = normal(n, 5, 3);
      double[] r = accumulate(x, 5).r();
      for (int j = 0; j < 5; j++) {
        assertThat(r[j * 5 + j]).isNotNegative();
        for (int k = 0; k < 5; k++) {
          double squared = 0;
          double expected = 0;
          for (int i = 0; i < 5; i++) {
            squared += r[i * 5 + j] * r[i * 5 + k];
            assertThat(i > k ? r[i * 5 + k] : 0).isZero();
          }
          for (double[] row : x) {
            expected += row[j] * row[k];
          }
          assertThat(squared).isCloseTo(expected, within(1e-13 * (n + 1)));
        }
      }
    }
  }

  /** Oracle: all rows in one; both may have rows that are not in their factor yet. */
  @Test
  void add_another_isTheFactorOfAllRows() {
    double[][] x = normal(700, 4, 6);
    double[] whole = accumulate(x, 4).r();
    for (int first : new int[] {0, 1, 128, 300, 699}) {
      QrAccumulator joined = accumulate(Arrays.copyOfRange(x, 0, first), 4);
      joined.add(accumulate(Arrays.copyOfRange(x, first, x.length), 4));
      assertThat(joined.rows()).isEqualTo(700);
      assertThat(joined.r()).as("after %d", first).containsExactly(whole, within(1e-12));
    }
  }

  /** Oracle: exact rational arithmetic; the columns 1, x, …, x⁹ on integers have condition 1e13. */
  @Test
  void leastSquares_polynomialOfHighDegree_agreesWithExactArithmetic() {
    int degree = 9;
    double[][] x = new double[40][degree + 1];
    double[] y = new double[40];
    UniformRandomProvider draws = Streams.of(5).stream(Streams.Purpose.DATA);
    for (int i = 0; i < x.length; i++) {
      double at = (i - 10) / 8.0;
      for (int j = 0; j <= degree; j++) {
        x[i][j] = Math.pow(at, j);
        y[i] += x[i][j];
      }
      y[i] += Math.rint(draws.nextDouble() * 1024) / 1024 * 1e-3;
    }
    assertRelative(withResponse(x, y).leastSquares(), Rational.leastSquares(x, y), 1e-9);
  }

  /** Oracle: exact rational arithmetic on columns whose scales differ by 1e12. */
  @Test
  void leastSquares_columnsOfUnlikeScale_agreesWithExactArithmetic() {
    double[][] x = normal(60, 4, 8);
    double[] y = new double[60];
    for (int i = 0; i < 60; i++) {
      x[i][0] = 1;
      x[i][1] = 1e6 + 1e3 * x[i][1];
      x[i][2] *= 1e-6;
      y[i] = x[i][3] + i % 3;
    }
    assertRelative(withResponse(x, y).leastSquares(), Rational.leastSquares(x, y), 1e-11);
  }

  /** Oracle: the closed form of simple regression, sums of squares about the means. */
  @Test
  void leastSquares_oneCovariate_isTheClosedForm() {
    double[][] x = {{1, 1}, {1, 2}, {1, 4}, {1, 9}};
    double[] y = {2, 1, 5, 4};
    // about the means 4 and 3: Σ(x−4)(y−3) = 3 + 4 + 0 + 5 = 12, Σ(x−4)² = 38
    double[] theta = withResponse(x, y).leastSquares();
    assertThat(theta[1]).isCloseTo(12 / 38.0, within(1e-15));
    assertThat(theta[0]).isCloseTo(3 - 4 * 12 / 38.0, within(1e-14));
  }

  /** Oracle: the construction, column 2 = 2·column 0 + column 1 and column 4 = column 3. */
  @Test
  void dependencies_builtIn_areNamedWithTheirCoefficients() {
    double[][] x = normal(1000, 6, 4);
    for (double[] row : x) {
      row[1] = 1e5 * row[1];
      row[2] = 2 * row[0] + row[1];
      row[4] = row[3];
    }
    QrAccumulator qr = accumulate(x, 6);
    List<Dependency> found = qr.dependencies(6);
    assertThat(found).extracting(Dependency::column).containsExactly(2, 4);
    assertThat(found.get(0).terms()).extracting(Dependency.Term::column).containsExactly(0, 1);
    assertThat(found.get(0).terms().get(0).coefficient()).isCloseTo(2, within(1e-9));
    assertThat(found.get(0).terms().get(1).coefficient()).isCloseTo(1, within(1e-12));
    assertThat(found.get(1).terms()).extracting(Dependency.Term::column).containsExactly(3);
    assertThat(qr.rank(6)).isEqualTo(4);
    assertThat(qr.rank(2)).isEqualTo(2);
  }

  /** A difference of large columns carries their rounding, which is large beside itself. */
  @Test
  void dependencies_smallDifferenceOfLargeColumns_isFound() {
    double[][] x = normal(500, 3, 6);
    for (double[] row : x) {
      row[0] = 1e7 + row[0];
      row[2] = row[0] * 0.1 - row[1];
      row[1] = row[0] * 0.1;
      row[1] -= row[2];
    }
    assertThat(accumulate(x, 3).dependencies(3)).extracting(Dependency::column).containsExactly(2);
  }

  @Test
  void dependencies_zeroColumn_hasNoTerms() {
    double[][] x = normal(50, 3, 6);
    for (double[] row : x) {
      row[1] = 0;
    }
    assertThat(accumulate(x, 3).dependencies(3)).containsExactly(new Dependency(1, List.of()));
  }

  @Test
  void dependencies_nearlyCollinearColumns_areKept() {
    double[][] x = normal(500, 3, 7);
    for (double[] row : x) {
      row[2] = row[0] + row[1] + 1e-9 * row[2];
    }
    assertThat(accumulate(x, 3).dependencies(3)).isEmpty();
  }

  /** NIST's Filip problem has these columns: hard, but of full rank. */
  @Test
  void dependencies_polynomialOfDegreeTen_areNone() {
    double[][] x = new double[82][11];
    for (int i = 0; i < 82; i++) {
      for (int j = 0; j < 11; j++) {
        x[i][j] = Math.pow(-9 + 6.0 * i / 81, j);
      }
    }
    assertThat(accumulate(x, 11).dependencies(11)).isEmpty();
  }

  /** Rounding must not grow into independence over many rows. */
  @Test
  void dependencies_manyRows_areStillFound() {
    var gauss = ZigguratSampler.NormalizedGaussian.of(Streams.of(11).stream(Streams.Purpose.DATA));
    QrAccumulator qr = new QrAccumulator(4);
    for (int i = 0; i < 300_000; i++) {
      double a = 5e4 + 100 * gauss.sample();
      double b = gauss.sample();
      qr.add(new double[] {1, a, b, a / 3 - 0.1 * b + 7});
    }
    assertThat(qr.dependencies(4)).extracting(Dependency::column).containsExactly(3);
  }

  @Test
  void rank_fewerRowsThanColumns_isTheRows() {
    assertThat(accumulate(normal(3, 7, 1), 7).rank(7)).isEqualTo(3);
    assertThat(accumulate(normal(0, 7, 1), 7).rank(7)).isZero();
  }

  @Test
  void r_hugeAndTinyEntries_neitherOverflowsNorVanishes() {
    QrAccumulator qr = new QrAccumulator(2);
    qr.add(new double[] {3e200, 1e-200});
    qr.add(new double[] {4e200, 0});
    assertThat(qr.r()[0]).isCloseTo(5e200, within(1e186));
    assertThat(qr.rank(2)).isEqualTo(2);
  }

  static QrAccumulator accumulate(double[][] x, int columns) {
    QrAccumulator qr = new QrAccumulator(columns);
    for (double[] row : x) {
      qr.add(row);
    }
    return qr;
  }

  private static QrAccumulator withResponse(double[][] x, double[] y) {
    int p = x[0].length;
    QrAccumulator qr = new QrAccumulator(p + 1);
    for (int i = 0; i < x.length; i++) {
      double[] row = java.util.Arrays.copyOf(x[i], p + 1);
      row[p] = y[i];
      qr.add(row);
    }
    return qr;
  }

  private static double[][] normal(int n, int p, long seed) {
    var gauss =
        ZigguratSampler.NormalizedGaussian.of(Streams.of(seed).stream(Streams.Purpose.DATA));
    double[][] x = new double[n][p];
    for (double[] row : x) {
      for (int j = 0; j < p; j++) {
        row[j] = gauss.sample();
      }
    }
    return x;
  }

  private static void assertRelative(double[] actual, double[] expected, double relative) {
    for (int j = 0; j < expected.length; j++) {
      assertThat(actual[j])
          .as("coefficient %d", j)
          .isCloseTo(expected[j], within(relative * Math.abs(expected[j])));
    }
  }
}
