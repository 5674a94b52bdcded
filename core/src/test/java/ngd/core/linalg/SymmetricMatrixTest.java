package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import org.junit.jupiter.api.Test;

class SymmetricMatrixTest {
  /** The second-difference matrix: eigenvalues 2 − 2cos(kπ/(p+1)), k = 1 … p. */
  private static double[] secondDifferences(int p) {
    double[] a = new double[p * p];
    for (int i = 0; i < p; i++) {
      a[i * p + i] = 2;
      if (i > 0) {
        a[i * p + i - 1] = -1;
        a[(i - 1) * p + i] = -1;
      }
    }
    return a;
  }

  @Test
  void eigenvalues_secondDifferences_areTheClosedForm() {
    for (int p : new int[] {1, 2, 3, 10, 40}) {
      double[] expected = new double[p];
      for (int k = 1; k <= p; k++) {
        expected[k - 1] = 2 - 2 * Math.cos(k * Math.PI / (p + 1));
      }
      double[] a = secondDifferences(p);
      assertThat(SymmetricMatrix.eigenvalues(a, p))
          .usingComparatorWithPrecision(1e-13)
          .containsExactly(expected);
      assertThat(SymmetricMatrix.smallestEigenvalue(a, p))
          .isEqualTo(SymmetricMatrix.eigenvalues(a, p)[0]);
      assertThat(SymmetricMatrix.largestEigenvalue(a, p))
          .isEqualTo(SymmetricMatrix.eigenvalues(a, p)[p - 1]);
      assertThat(a).as("operand is left alone").isEqualTo(secondDifferences(p));
    }
  }

  /** Oracle: the definition, L Lᵀ gives the matrix back. */
  @Test
  void cholesky_positiveDefinite_multipliesBack() {
    int p = 7;
    double[] a = secondDifferences(p);
    double[] l = SymmetricMatrix.cholesky(a, p).orElseThrow();
    double[] product = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j < p; j++) {
        for (int k = 0; k < p; k++) {
          product[i * p + j] += l[i * p + k] * l[j * p + k];
        }
        assertThat(j > i ? l[i * p + j] : 0).isZero();
      }
    }
    assertThat(product).usingComparatorWithPrecision(1e-14).containsExactly(a);
  }

  /** Oracle: one system after another through EJML's factor, and the definition of an inverse. */
  @Test
  void solveEach_manySystems_areTheSolutionsOneByOne() {
    Host host = new Host(Kernels.best(), new Workers(1));
    for (int p : new int[] {1, 2, 7, 8, 19}) {
      int systems = 150;
      double[][] matrices = new double[systems][];
      double[][] right = new double[systems][p];
      for (int m = 0; m < systems; m++) {
        matrices[m] = secondDifferences(p);
        for (int j = 0; j < p; j++) {
          matrices[m][j * p + j] += 0.01 * m;
          right[m][j] = Math.sin(m + 3 * j);
        }
      }
      Rows found = host.of(right).solvedBy(host.of(matrices));
      for (int m = 0; m < systems; m++) {
        double[] expected = SymmetricMatrix.solve(matrices[m], p, right[m]).orElseThrow();
        assertThat(found.row(m)).usingComparatorWithPrecision(1e-12).containsExactly(expected);
        double[] alone = right[m].clone();
        assertThat(SymmetricMatrix.solveInPlace(matrices[m], p, alone)).isTrue();
        assertThat(alone).as("the same bits alone").isEqualTo(found.row(m));
        double[] inverse = SymmetricMatrix.inverse(matrices[m], p).orElseThrow();
        for (int i = 0; i < p; i++) {
          double product = 0;
          for (int j = 0; j < p; j++) {
            product += inverse[i * p + j] * right[m][j];
          }
          assertThat(product).isCloseTo(expected[i], within(1e-12));
        }
      }
    }
  }

  @Test
  void solveEach_notPositiveDefinite_isRefused() {
    Host host = new Host(Kernels.best(), new Workers(1));
    double[][] matrices = {{1, 0, 0, 1}, {1, 2, 2, 1}, {Double.NaN, 0, 0, 1}};
    for (int m = 1; m < 3; m++) {
      Rows one = host.of(new double[][] {matrices[0], matrices[m]});
      Rows right = host.of(new double[][] {{1, 1}, {1, 1}});
      assertThatThrownBy(() -> right.solvedBy(one))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("not positive definite");
      assertThat(SymmetricMatrix.solveInPlace(matrices[m], 2, new double[2])).isFalse();
      assertThat(SymmetricMatrix.inverse(matrices[m], 2)).isEmpty();
    }
  }

  @Test
  void cholesky_indefiniteOrNotFinite_isEmpty() {
    assertThat(SymmetricMatrix.cholesky(new double[] {1, 2, 2, 1}, 2)).isEmpty();
    assertThat(SymmetricMatrix.cholesky(new double[] {Double.NaN}, 1)).isEmpty();
    assertThat(SymmetricMatrix.solve(new double[] {0}, 1, new double[] {1})).isEmpty();
  }

  /** Oracle: the defining equation, with the solution 1, 2, … put in. */
  @Test
  void solve_secondDifferences_givesBackWhatWasPutIn() {
    int p = 5;
    double[] a = secondDifferences(p);
    assertThat(SymmetricMatrix.solve(a, p, new double[] {0, 0, 0, 0, 6}).orElseThrow())
        .usingComparatorWithPrecision(1e-14)
        .containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void eigenvalues_notFinite_isRefused() {
    assertThatThrownBy(() -> SymmetricMatrix.eigenvalues(new double[] {Double.NaN}, 1))
        .isInstanceOf(ArithmeticException.class);
  }

  /** Oracle: the secant equation B s = b, symmetry, and eigenvalues above 0. */
  @Test
  void secant_bendAboveZero_takesTheStepToTheBendAndStaysPositive() {
    double[] matrix = {4, 1, 0.5, 1, 3, -0.2, 0.5, -0.2, 2};
    double[] step = {0.3, -1, 0.7};
    double[] bend = {1.5, -2, 0.1};
    double[] secant = SymmetricMatrix.secant(matrix, 3, step, bend);
    for (int i = 0; i < 3; i++) {
      double image = 0;
      for (int j = 0; j < 3; j++) {
        image += secant[3 * i + j] * step[j];
        assertThat(secant[3 * i + j]).isEqualTo(secant[3 * j + i]);
      }
      assertThat(image).isCloseTo(bend[i], within(1e-14));
    }
    assertThat(SymmetricMatrix.eigenvalues(secant, 3)[0]).isPositive();
    assertThat(SymmetricMatrix.secant(matrix, 3, step, new double[] {-1, 0, 0})).isSameAs(matrix);
  }
}
