package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: a solution chosen beforehand. */
class DenseSolveTest {

  @Test
  void solve_randomMatrices_findsTheChosenSolution() {
    UniformRandomProvider random = Streams.of(2).stream(Streams.Purpose.DATA);
    for (int n : new int[] {1, 2, 3, 10, 70}) {
      double[] a = new double[n * n];
      double[] x = new double[n];
      for (int i = 0; i < n; i++) {
        x[i] = random.nextDouble() - 0.5;
        for (int j = 0; j < n; j++) {
          a[i * n + j] = random.nextDouble() - 0.5;
        }
      }
      double[] b = new double[n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          b[i] += a[i * n + j] * x[j];
        }
      }
      assertThat(DenseSolve.solve(a, n, b).orElseThrow()).containsExactly(x, within(1e-9));
    }
  }

  @Test
  void solve_zeroPivotFirst_swapsRows() {
    assertThat(DenseSolve.solve(new double[] {0, 2, 4, 0}, 2, new double[] {6, 4}).orElseThrow())
        .containsExactly(1, 3);
  }

  @Test
  void solve_singular_isEmpty() {
    assertThat(DenseSolve.solve(new double[] {1, 2, 2, 4}, 2, new double[] {1, 1})).isEmpty();
    assertThat(
            DenseSolve.solve(
                new double[] {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, 3, new double[3]))
        .isEmpty();
    assertThat(DenseSolve.solve(new double[] {Double.NaN}, 1, new double[] {1})).isEmpty();
  }
}
