package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Oracle: the second difference on n points, with eigenvalues 4 sin²(jπ / (2n + 2)). */
class SpectraTest {

  private static double[] secondDifference(int size) {
    double[] matrix = new double[size * size];
    for (int i = 0; i < size; i++) {
      matrix[i * size + i] = 2;
      if (i > 0) {
        matrix[i * size + i - 1] = -1;
        matrix[(i - 1) * size + i] = -1;
      }
    }
    return matrix;
  }

  private static double eigenvalue(int j, int size) {
    return 4 * Math.pow(Math.sin(j * Math.PI / (2 * size + 2)), 2);
  }

  private static void apply(double[] x, double[] product) {
    for (int i = 0; i < x.length; i++) {
      product[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < x.length ? x[i + 1] : 0);
    }
  }

  @Test
  void dense_secondDifference_hasItsClosedForm() {
    int size = 25;
    double[] symmetric =
        DenseSpectrum.symmetricEigenvalues(secondDifference(size), size).orElseThrow();
    double[] singular = DenseSpectrum.singularValues(secondDifference(size), size).orElseThrow();
    double[] general =
        Arrays.stream(DenseSpectrum.eigenvalues(secondDifference(size), size).orElseThrow())
            .mapToDouble(pair -> pair[0])
            .sorted()
            .toArray();
    for (int j = 0; j < size; j++) {
      double expected = eigenvalue(j + 1, size);
      assertThat(symmetric[j]).isCloseTo(expected, within(1e-13));
      assertThat(singular[j]).isCloseTo(expected, within(1e-13));
      assertThat(general[j]).isCloseTo(expected, within(1e-12));
    }
  }

  @Test
  void eigenvalues_rotation_areComplex() {
    double[][] values = DenseSpectrum.eigenvalues(new double[] {0, -1, 1, 0}, 2).orElseThrow();
    assertThat(values[0][0]).isCloseTo(0, within(1e-15));
    assertThat(Math.abs(values[0][1])).isCloseTo(1, within(1e-15));
    assertThat(values[0][1]).isEqualTo(-values[1][1]);
  }

  @Test
  void iterative_secondDifference_hasItsClosedForm() {
    int size = 60;
    double largest = eigenvalue(size, size);
    Lanczos.Ends ends = Lanczos.ends(size, SpectraTest::apply, Lanczos.End.BOTH, 1000, 1e-12);
    assertThat(ends.largest().value()).isCloseTo(largest, within(1e-12));
    assertThat(ends.smallest().value()).isCloseTo(eigenvalue(1, size), within(1e-12));
    assertThat(ends.largest().error()).isLessThan(1e-10);
    assertThat(Arnoldi.radius(size, SpectraTest::apply, 1000).orElseThrow())
        .isCloseTo(largest, within(1e-9));
  }

  /** Whatever the number of steps, an eigenvalue is as near as is said, and none lies beyond. */
  @Test
  void lanczos_stoppedEarly_statesAnErrorThatHolds() {
    int size = 400;
    for (int steps = 1; steps <= 900; steps += 13) {
      Lanczos.Ends ends = Lanczos.ends(size, SpectraTest::apply, Lanczos.End.BOTH, steps, 1e-13);
      for (Lanczos.Value found : new Lanczos.Value[] {ends.smallest(), ends.largest()}) {
        double nearest = Double.POSITIVE_INFINITY;
        for (int j = 1; j <= size; j++) {
          nearest = Math.min(nearest, Math.abs(eigenvalue(j, size) - found.value()));
        }
        assertThat(nearest).isLessThanOrEqualTo(found.error());
        assertThat(found.value())
            .isBetween(eigenvalue(1, size) - 1e-12, eigenvalue(size, size) + 1e-12);
      }
    }
  }

  /** Oracle: a cycle of weights has eigenvalues whose modulus is their geometric mean. */
  @Test
  void powerNorms_ofACycleOfWeights_boundItsRadius() {
    int size = 50;
    double[] weights = new double[size];
    double log = 0;
    for (int i = 0; i < size; i++) {
      weights[i] = 0.2 + (i * 7 % 11) / 11.0;
      log += Math.log(weights[i]) / size;
    }
    PowerNorms.Radius radius =
        PowerNorms.radius(
            size,
            (x, product) -> {
              for (int i = 0; i < size; i++) {
                product[i] = weights[i] * x[(i + 1) % size];
              }
            },
            (x, product) -> {
              for (int i = 0; i < size; i++) {
                product[(i + 1) % size] = weights[i] * x[i];
              }
            },
            400);
    assertThat(radius.atMost()).isBetween(Math.exp(log), 1.02 * Math.exp(log));
    assertThat(radius.near()).isCloseTo(Math.exp(log), within(0.001));
  }

  /** Oracle: all eigenvalues. The disc is full, so that no iteration settles on the largest. */
  @Test
  void powerNorms_ofARandomMatrix_boundItsRadius() {
    int size = 150;
    java.util.SplittableRandom random = new java.util.SplittableRandom(4);
    double[] matrix = random.doubles((long) size * size, -1, 1).toArray();
    double exact =
        Arrays.stream(DenseSpectrum.eigenvalues(matrix.clone(), size).orElseThrow())
            .mapToDouble(pair -> Math.hypot(pair[0], pair[1]))
            .max()
            .orElseThrow();
    PowerNorms.Radius radius =
        PowerNorms.radius(
            size,
            (x, product) -> multiply(matrix, size, 1, x, product),
            (x, product) -> multiply(matrix, 1, size, x, product),
            256);
    assertThat(radius.atMost()).isBetween(exact, 1.05 * exact);
    assertThat(radius.near()).isCloseTo(exact, within(0.02 * exact));
  }

  @Test
  void powerNorms_ofNothing_areZero() {
    Arnoldi.LinearMap nothing = (x, product) -> Arrays.fill(product, 0);
    assertThat(PowerNorms.radius(5, nothing, nothing, 8)).isEqualTo(new PowerNorms.Radius(0, 0, 8));
  }

  private static void multiply(double[] matrix, int row, int column, double[] x, double[] product) {
    Arrays.fill(product, 0);
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        product[i] += matrix[i * row + j * column] * x[j];
      }
    }
  }

  @Test
  void iterative_askedTwice_givesTheSameBits() {
    assertThat(Lanczos.ends(60, SpectraTest::apply, Lanczos.End.BOTH, 40, 0))
        .isEqualTo(Lanczos.ends(60, SpectraTest::apply, Lanczos.End.BOTH, 40, 0));
  }

  @Test
  void iterative_withoutTheRestartsItNeeds_isEmpty() {
    assertThat(Arnoldi.radius(2000, SpectraTest::apply, 1)).isEmpty();
  }

  @Test
  void radius_ofTooFewRows_isRefused() {
    assertThatThrownBy(() -> Arnoldi.radius(2, SpectraTest::apply, 1))
        .hasMessage("Arnoldi: needs at least 3 rows; got 2");
  }
}
