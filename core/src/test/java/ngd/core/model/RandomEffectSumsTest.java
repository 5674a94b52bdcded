package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.data.RandomEffects;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.formula.RandomRow;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: V written out over all rows of a client, and differences for the derivatives. */
class RandomEffectSumsTest {
  private static final int ROWS = 40;
  private static final double[][] FACTORS = {{0.8, 0, -0.3, 0.6}, {1.3}, {0.4}};
  private static final double[][] SCALES = {{1, 2}, {1}, {3}};
  private static final double[] BETA = {0.3, -0.2};

  /** A slope within one factor, another factor that crosses it, and a level of the client. */
  private static Shard shard() {
    UniformRandomProvider draw = Streams.of(3).stream(Streams.Purpose.DATA);
    Shards.Filler filler = Shards.sized(2, new int[] {ROWS});
    for (int i = 0; i < ROWS; i++) {
      double x = draw.nextDouble();
      filler.put(0, i, new double[] {1, x}, draw.nextDouble(), 0.1 * i, 1 + i % 3);
      filler.put(
          0,
          i,
          new RandomRow(
              new String[] {"g" + i % 7, "h" + i * 3 % 5, "s"}, new double[][] {{1, x}, {1}, {1}}));
    }
    return filler.done().shard(0);
  }

  /** V of the rows times the square roots of their weights, n × n. */
  private static double[] covariance(Shard shard, double[][] factors) {
    RandomEffects random = shard.random();
    double[] v = new double[ROWS * ROWS];
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < ROWS; j++) {
        double sum = 0;
        for (int k = 0; k < random.terms(); k++) {
          int n = random.columns(k);
          for (int c = 0; c < n && random.group(k, i) == random.group(k, j); c++) {
            double one = 0;
            double other = 0;
            for (int r = 0; r < n; r++) {
              one += random.number(k, i, r) / SCALES[k][r] * factors[k][r * n + c];
              other += random.number(k, j, r) / SCALES[k][r] * factors[k][r * n + c];
            }
            sum += one * other;
          }
        }
        v[i * ROWS + j] = Math.sqrt(shard.weight(i) * shard.weight(j)) * sum + (i == j ? 1 : 0);
      }
    }
    return v;
  }

  /** log|V| and the lower triangle of (X, y)ᵀV⁻¹(X, y). */
  private static double[] written(Shard shard, double[][] factors) {
    double[] v = covariance(shard, factors);
    double[] lower = SymmetricMatrix.cholesky(v, ROWS).orElseThrow();
    double[][] columns = new double[3][ROWS];
    for (int i = 0; i < ROWS; i++) {
      double root = Math.sqrt(shard.weight(i));
      columns[0][i] = root * shard.x(i, 0);
      columns[1][i] = root * shard.x(i, 1);
      columns[2][i] = root * (shard.y(i) - shard.offset(i) - BETA[0] - BETA[1] * shard.x(i, 1));
    }
    double[] said = new double[7];
    for (int i = 0; i < ROWS; i++) {
      said[0] += 2 * Math.log(lower[i * (ROWS + 1)]);
    }
    int at = 1;
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b <= a; b++) {
        double[] solved = SymmetricMatrix.solve(v, ROWS, columns[b]).orElseThrow();
        for (int i = 0; i < ROWS; i++) {
          said[at] += columns[a][i] * solved[i];
        }
        at++;
      }
    }
    return said;
  }

  @Test
  void at_crossedGroups_isVWrittenOut() {
    Shard shard = shard();
    double[] found = new RandomEffectSums(shard, BETA, SCALES).at(FACTORS, false);
    assertThat(found).containsExactly(written(shard, FACTORS), within(1e-10));
  }

  @Test
  void slopes_areDifferences() {
    Shard shard = shard();
    RandomEffectSums sums = new RandomEffectSums(shard, BETA, SCALES);
    double[] found = sums.at(FACTORS, true);
    assertThat(Arrays.copyOf(found, 7)).containsExactly(sums.at(FACTORS, false));
    int at = 7;
    for (int[] entry :
        List.of(
            new int[] {0, 0},
            new int[] {0, 2},
            new int[] {0, 3},
            new int[] {1, 0},
            new int[] {2, 0})) {
      double[][] up = Arrays.stream(FACTORS).map(double[]::clone).toArray(double[][]::new);
      double[][] down = Arrays.stream(FACTORS).map(double[]::clone).toArray(double[][]::new);
      up[entry[0]][entry[1]] += 1e-5;
      down[entry[0]][entry[1]] -= 1e-5;
      double[] above = written(shard, up);
      double[] below = written(shard, down);
      for (int i = 0; i < 7; i++) {
        assertThat(found[at + i])
            .as("entry %d of term %d, number %d", entry[1], entry[0], i)
            .isCloseTo((above[i] - below[i]) / 2e-5, within(1e-7));
      }
      at += 7;
    }
    assertThat(found).hasSize(at);
  }

  /** ZΛΛᵀZᵀV⁻¹(y − Xβ) is what the predicted effects of all terms add to a row. */
  @Test
  void predicted_addsUpToWhatRowsHaveInCommon() {
    Shard shard = shard();
    double[] delta = {0.1, 0.2};
    List<List<List<Double>>> effects =
        new RandomEffectSums(shard, BETA, SCALES).predicted(FACTORS, delta);
    double[] v = covariance(shard, FACTORS);
    double[] left = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      left[i] =
          Math.sqrt(shard.weight(i))
              * (shard.y(i)
                  - shard.offset(i)
                  - (BETA[0] + delta[0])
                  - (BETA[1] + delta[1]) * shard.x(i, 1));
    }
    double[] solved = SymmetricMatrix.solve(v, ROWS, left).orElseThrow();
    RandomEffects random = shard.random();
    for (int i = 0; i < ROWS; i++) {
      double added = 0;
      for (int k = 0; k < random.terms(); k++) {
        for (int c = 0; c < random.columns(k); c++) {
          added += random.number(k, i, c) * effects.get(k).get(random.group(k, i)).get(c);
        }
      }
      // V − 1 takes what is left to what the effects add.
      assertThat(Math.sqrt(shard.weight(i)) * added).isCloseTo(left[i] - solved[i], within(1e-10));
    }
  }
}
