package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.function.BiConsumer;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: a solution chosen beforehand. */
class GmresTest {

  @Test
  void solve_wellConditioned_findsTheChosenSolution() {
    UniformRandomProvider random = Streams.of(1).stream(Streams.Purpose.DATA);
    for (int n : new int[] {1, 2, 5, 60}) {
      double[][] a = new double[n][n];
      double[] x = new double[n];
      for (int i = 0; i < n; i++) {
        x[i] = random.nextDouble() - 0.5;
        for (int j = 0; j < n; j++) {
          a[i][j] = (i == j ? 3 : 0) + (random.nextDouble() - 0.5) / Math.sqrt(n);
        }
      }
      double[] b = new double[n];
      times(a).accept(x, b);
      double[] found = new Gmres(20, 500, 1e-13).solve(times(a), b).orElseThrow();
      assertThat(found).containsExactly(x, within(1e-12));
    }
  }

  @Test
  void solve_singularAndInconsistent_isEmpty() {
    double[][] a = {{1, 0}, {0, 0}};
    assertThat(new Gmres(10, 100, 1e-12).solve(times(a), new double[] {1, 1})).isEmpty();
  }

  @Test
  void solve_zeroRightSide_isZero() {
    Optional<double[]> found =
        new Gmres(10, 100, 1e-12).solve(times(new double[][] {{2}}), new double[1]);
    assertThat(found.orElseThrow()).containsExactly(0);
  }

  @Test
  void solve_tooFewProducts_isEmpty() {
    // A cyclic shift needs as many products as it has dimensions.
    int n = 50;
    double[][] a = new double[n][n];
    for (int i = 0; i < n; i++) {
      a[i][(i + 1) % n] = 1;
    }
    double[] b = new double[n];
    b[0] = 1;
    assertThat(new Gmres(20, 1000, 1e-12).solve(times(a), b)).isEmpty();
    assertThat(new Gmres(50, 1000, 1e-12).solve(times(a), b)).isPresent();
  }

  private static BiConsumer<double[], double[]> times(double[][] a) {
    return (x, y) -> {
      for (int i = 0; i < a.length; i++) {
        y[i] = 0;
        for (int j = 0; j < a.length; j++) {
          y[i] += a[i][j] * x[j];
        }
      }
    };
  }
}
