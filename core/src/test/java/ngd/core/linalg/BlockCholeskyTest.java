package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: the dense factor of the same matrix. */
class BlockCholeskyTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void factorAndInverse_randomPatterns_areThoseOfTheDenseMatrix(int seed) {
    UniformRandomProvider draw = Streams.of(seed).stream(Streams.Purpose.DATA);
    int nodes = 1 + draw.nextInt(9);
    int[] sizes = new int[nodes];
    int[] starts = new int[nodes + 1];
    for (int j = 0; j < nodes; j++) {
      sizes[j] = 1 + draw.nextInt(3);
      starts[j + 1] = starts[j] + sizes[j];
    }
    List<TreeSet<Integer>> below = new ArrayList<>();
    for (int j = 0; j < nodes; j++) {
      below.add(new TreeSet<>());
      for (int i = j + 1; i < nodes; i++) {
        if (draw.nextDouble() < 0.3) {
          below.get(j).add(i);
        }
      }
    }
    int n = starts[nodes];
    double[] dense = new double[n * n];
    BlockCholesky.Pattern pattern = BlockCholesky.Pattern.of(sizes, below);
    BlockCholesky.Blocks blocks = pattern.zeros();
    for (int j = 0; j < nodes; j++) {
      for (int r = 0; r < sizes[j]; r++) {
        for (int c = 0; c <= r; c++) {
          double value = r == c ? 10 + draw.nextDouble() : draw.nextDouble();
          dense[(starts[j] + r) * n + starts[j] + c] = value;
          dense[(starts[j] + c) * n + starts[j] + r] = value;
          blocks.diagonal(j)[r * sizes[j] + c] = value;
          blocks.diagonal(j)[c * sizes[j] + r] = value;
        }
      }
      for (int i : below.get(j)) {
        for (int r = 0; r < sizes[i]; r++) {
          for (int c = 0; c < sizes[j]; c++) {
            double value = draw.nextDouble() - 0.5;
            dense[(starts[i] + r) * n + starts[j] + c] = value;
            dense[(starts[j] + c) * n + starts[i] + r] = value;
            blocks.lower(j, pattern.place(i, j))[r * sizes[j] + c] = value;
          }
        }
      }
    }
    double[] right = new double[n];
    double[][] b = new double[nodes][];
    for (int j = 0; j < nodes; j++) {
      b[j] = new double[sizes[j]];
      for (int r = 0; r < sizes[j]; r++) {
        b[j][r] = draw.nextDouble();
        right[starts[j] + r] = b[j][r];
      }
    }
    BlockCholesky factor = BlockCholesky.of(pattern, blocks);
    double[] lower = SymmetricMatrix.cholesky(dense, n).orElseThrow();
    double determinant = 0;
    for (int i = 0; i < n; i++) {
      determinant += 2 * Math.log(lower[i * (n + 1)]);
    }
    assertThat(factor.logDeterminant()).isCloseTo(determinant, within(1e-12 * n));
    factor.forward(b, 1);
    factor.backward(b, 1);
    double[] solved = SymmetricMatrix.solve(dense, n, right).orElseThrow();
    double[] inverse = SymmetricMatrix.inverse(dense, n).orElseThrow();
    BlockCholesky.Blocks found = factor.inverse();
    for (int j = 0; j < nodes; j++) {
      for (int r = 0; r < sizes[j]; r++) {
        assertThat(b[j][r]).isCloseTo(solved[starts[j] + r], within(1e-13));
        for (int c = 0; c < sizes[j]; c++) {
          assertThat(found.diagonal(j)[r * sizes[j] + c])
              .isCloseTo(inverse[(starts[j] + r) * n + starts[j] + c], within(1e-13));
        }
      }
      for (int i : below.get(j)) {
        for (int r = 0; r < sizes[i]; r++) {
          for (int c = 0; c < sizes[j]; c++) {
            assertThat(found.lower(j, pattern.place(i, j))[r * sizes[j] + c])
                .isCloseTo(inverse[(starts[i] + r) * n + starts[j] + c], within(1e-13));
          }
        }
      }
    }
  }
}
