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
    assertThat(Arnoldi.largest(size, SpectraTest::apply, 1000).orElseThrow())
        .isCloseTo(largest, within(1e-9));
    assertThat(Arnoldi.smallest(size, SpectraTest::apply, 1000).orElseThrow())
        .isCloseTo(eigenvalue(1, size), within(1e-9));
    assertThat(Arnoldi.radius(size, SpectraTest::apply, 1000).orElseThrow())
        .isCloseTo(largest, within(1e-9));
  }

  @Test
  void iterative_askedTwice_givesTheSameBits() {
    assertThat(Arnoldi.largest(60, SpectraTest::apply, 1000))
        .isEqualTo(Arnoldi.largest(60, SpectraTest::apply, 1000));
  }

  @Test
  void iterative_withoutTheRestartsItNeeds_isEmpty() {
    assertThat(Arnoldi.smallest(2000, SpectraTest::apply, 1)).isEmpty();
    assertThat(Arnoldi.radius(2000, SpectraTest::apply, 1)).isEmpty();
  }

  @Test
  void radius_ofTooFewRows_isRefused() {
    assertThatThrownBy(() -> Arnoldi.radius(2, SpectraTest::apply, 1))
        .hasMessage("Arnoldi: needs at least 3 rows; got 2");
  }
}
