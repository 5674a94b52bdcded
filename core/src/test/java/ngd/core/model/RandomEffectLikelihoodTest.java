package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.data.RandomEffects;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.formula.RandomRow;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.RandomEffectLikelihood.Point;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Oracles: Laplace's approximation written out over all effects of a client; Simpson's rule for the
 * integral over one effect; difference quotients for the derivatives.
 */
class RandomEffectLikelihoodTest {
  private static final int ROWS = 60;
  private static final double[][] CROSSED = {{0.8, 0, -0.3, 0.6}, {1.1}};
  private static final double[][] CROSSED_SCALES = {{1, 2}, {1}};
  private static final double[][] ONE = {{0.9}};
  private static final double[][] ONE_SCALE = {{1.5}};
  private static final double[] BETA = {0.3, -0.4};

  private static Glm glm(String family, String link) {
    return Families.parse(family, Optional.of(link), OptionalDouble.empty());
  }

  private static Shard shard(Glm glm, boolean crossed) {
    UniformRandomProvider draw = Streams.of(4).stream(Streams.Purpose.DATA);
    Shards.Filler filler = Shards.sized(2, new int[] {ROWS});
    boolean counts = glm.family().equals("poisson");
    for (int i = 0; i < ROWS; i++) {
      double x = 2 * draw.nextDouble() - 1;
      int weight = counts ? 1 + i % 2 : 1 + i % 3;
      double y = counts ? draw.nextInt(4) : draw.nextInt(weight + 1) / (double) weight;
      filler.put(0, i, new double[] {1, x}, y, 0.01 * i - 0.2, weight);
      filler.put(
          0,
          i,
          crossed
              ? new RandomRow(
                  new String[] {"g" + i % 7, "h" + i * 3 % 5}, new double[][] {{1, x}, {1}})
              : new RandomRow(new String[] {"g" + i % 7}, new double[][] {{1 + 0.5 * x}}));
    }
    return filler.done().shard(0);
  }

  /** The columns of ZΛ, one for each effect, by term, group and effect. */
  private static List<double[]> columns(
      RandomEffects random, double[][] factors, double[][] scales) {
    List<double[]> columns = new ArrayList<>();
    for (int k = 0; k < random.terms(); k++) {
      int n = random.columns(k);
      for (int g = 0; g < random.groups(k); g++) {
        for (int c = 0; c < n; c++) {
          double[] column = new double[ROWS];
          for (int i = 0; i < ROWS; i++) {
            for (int r = 0; r < n && random.group(k, i) == g; r++) {
              column[i] += random.number(k, i, r) / scales[k][r] * factors[k][r * n + c];
            }
          }
          columns.add(column);
        }
      }
    }
    return columns;
  }

  private static double[] fixed(Shard shard) {
    double[] eta = new double[ROWS];
    Arrays.setAll(eta, i -> shard.offset(i) + BETA[0] + BETA[1] * shard.x(i, 1));
    return eta;
  }

  private static double rest(Glm glm, Shard shard) {
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      sum += glm.rest(shard.y(i), shard.weight(i));
    }
    return sum;
  }

  /** Newton's method over all effects at once, and the determinant of a dense matrix. */
  private static double written(Glm glm, Shard shard, double[][] factors, double[][] scales) {
    List<double[]> columns = columns(shard.random(), factors, scales);
    int n = columns.size();
    double[] u = new double[n];
    double value = 0;
    for (int step = 0; step < 60; step++) {
      double[] eta = fixed(shard);
      double[] slope = u.clone();
      double[] bend = new double[n * n];
      double[] expected = new double[n * n];
      value = rest(glm, shard);
      for (int j = 0; j < n; j++) {
        bend[j * (n + 1)] = 1;
        expected[j * (n + 1)] = 1;
        value += 0.5 * u[j] * u[j];
        for (int i = 0; i < ROWS; i++) {
          eta[i] += columns.get(j)[i] * u[j];
        }
      }
      for (int i = 0; i < ROWS; i++) {
        value += shard.weight(i) * glm.rowLoss(eta[i], shard.y(i));
        for (int j = 0; j < n; j++) {
          double z = columns.get(j)[i] * shard.weight(i);
          slope[j] += z * glm.score(eta[i], shard.y(i));
          for (int k = 0; k < n; k++) {
            bend[j * n + k] += z * columns.get(k)[i] * glm.curvature(eta[i], shard.y(i));
            expected[j * n + k] += z * columns.get(k)[i] * glm.information(eta[i]);
          }
        }
      }
      double[] move = SymmetricMatrix.solve(bend, n, slope).orElseThrow();
      for (int j = 0; j < n; j++) {
        u[j] -= step < 10 ? 0.5 * move[j] : move[j];
      }
      if (step == 59) {
        double[] lower = SymmetricMatrix.cholesky(expected, n).orElseThrow();
        for (int j = 0; j < n; j++) {
          value += Math.log(lower[j * (n + 1)]);
        }
      }
    }
    return 2 * value;
  }

  @ParameterizedTest
  @CsvSource({"binomial, logit", "binomial, probit", "binomial, cloglog", "poisson, log"})
  void laplace_crossedGroups_isWrittenOut(String family, String link) {
    Glm glm = glm(family, link);
    Shard shard = shard(glm, true);
    double[] found =
        new RandomEffectLikelihood(glm, shard, CROSSED_SCALES, 1)
            .at(List.of(new Point(CROSSED, BETA)), false);
    assertThat(found)
        .containsExactly(new double[] {written(glm, shard, CROSSED, CROSSED_SCALES)}, within(1e-9));
  }

  /** −2 Σ log of the integral of exp(−Σ w ℓ) over a standard normal effect, by Simpson's rule. */
  private static double integrated(Glm glm, Shard shard) {
    List<double[]> columns = columns(shard.random(), ONE, ONE_SCALE);
    double sum = rest(glm, shard);
    int steps = 4000;
    for (int g = 0; g < columns.size(); g++) {
      double integral = 0;
      for (int s = 0; s <= steps; s++) {
        double u = -10 + 20.0 * s / steps;
        double log = -0.5 * u * u - 0.5 * Math.log(2 * Math.PI);
        double[] eta = fixed(shard);
        for (int i = 0; i < ROWS; i++) {
          if (shard.random().group(0, i) == g) {
            log -= shard.weight(i) * glm.rowLoss(eta[i] + columns.get(g)[i] * u, shard.y(i));
          }
        }
        integral += Math.exp(log) * (s == 0 || s == steps ? 1 : s % 2 == 1 ? 4 : 2);
      }
      sum -= Math.log(integral * 20.0 / steps / 3);
    }
    return 2 * sum;
  }

  @ParameterizedTest
  @CsvSource({"binomial, logit", "binomial, probit", "binomial, cloglog", "poisson, log"})
  void quadrature_manyPoints_isTheIntegral_andOneIsLaplaces(String family, String link) {
    Glm glm = glm(family, link);
    Shard shard = shard(glm, false);
    List<Point> at = List.of(new Point(ONE, BETA));
    double integral = integrated(glm, shard);
    assertThat(new RandomEffectLikelihood(glm, shard, ONE_SCALE, 40).at(at, false)[0])
        .isCloseTo(integral, within(1e-8));
    assertThat(new RandomEffectLikelihood(glm, shard, ONE_SCALE, 5).at(at, false)[0])
        .isCloseTo(integral, within(0.01))
        .isNotCloseTo(integral, within(1e-8));
    assertThat(new RandomEffectLikelihood(glm, shard, ONE_SCALE, 1).at(at, false)[0])
        .isCloseTo(written(glm, shard, ONE, ONE_SCALE), within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "binomial, logit, 1, true",
    "binomial, probit, 1, true",
    "binomial, cloglog, 1, true",
    "poisson, log, 1, true",
    "binomial, logit, 7, false",
    "binomial, cloglog, 2, false",
    "poisson, log, 4, false"
  })
  void slopes_areDifferences(String family, String link, int points, boolean crossed) {
    Glm glm = glm(family, link);
    double[][] factors = crossed ? CROSSED : ONE;
    RandomEffectLikelihood likelihood =
        new RandomEffectLikelihood(
            glm, shard(glm, crossed), crossed ? CROSSED_SCALES : ONE_SCALE, points);
    double[] found = likelihood.at(List.of(new Point(factors, BETA)), true);
    List<int[]> entries =
        crossed
            ? List.of(new int[] {0, 0}, new int[] {0, 2}, new int[] {0, 3}, new int[] {1, 0})
            : List.of(new int[] {0, 0});
    assertThat(found).hasSize(1 + entries.size() + BETA.length);
    double h = 1e-4;
    for (int e = 0; e < entries.size() + BETA.length; e++) {
      List<Point> around = new ArrayList<>();
      for (double move : new double[] {h, -h}) {
        double[][] moved = Arrays.stream(factors).map(double[]::clone).toArray(double[][]::new);
        double[] beta = BETA.clone();
        if (e < entries.size()) {
          moved[entries.get(e)[0]][entries.get(e)[1]] += move;
        } else {
          beta[e - entries.size()] += move;
        }
        around.add(new Point(moved, beta));
      }
      double[] values = likelihood.at(around, false);
      assertThat(found[1 + e])
          .as("parameter %d", e)
          .isCloseTo((values[0] - values[1]) / (2 * h), within(1e-6));
    }
  }

  /** At the mode the penalty's slope is minus that of the rows' losses. */
  @Test
  void predicted_isWhereTheSlopeIsZero() {
    Glm glm = new Poisson();
    Shard shard = shard(glm, false);
    List<List<Double>> effects =
        new RandomEffectLikelihood(glm, shard, ONE_SCALE, 9).predicted(ONE, BETA).getFirst();
    double[] eta = fixed(shard);
    for (int g = 0; g < effects.size(); g++) {
      double effect = effects.get(g).getFirst();
      double slope = effect * ONE_SCALE[0][0] * ONE_SCALE[0][0] / (ONE[0][0] * ONE[0][0]);
      for (int i = 0; i < ROWS; i++) {
        if (shard.random().group(0, i) == g) {
          double z = shard.random().number(0, i, 0);
          slope += shard.weight(i) * z * glm.score(eta[i] + z * effect, shard.y(i));
        }
      }
      assertThat(slope).as("group %d", g).isCloseTo(0, within(1e-10));
    }
  }

  @Test
  void at_leadingCoefficientsAlone_leavesTheOthersOut() {
    Glm glm = new Logistic();
    RandomEffectLikelihood likelihood =
        new RandomEffectLikelihood(glm, shard(glm, true), CROSSED_SCALES, 1);
    double[] all = likelihood.at(List.of(new Point(CROSSED, new double[] {0.3, 0})), true);
    double[] leading = likelihood.at(List.of(new Point(CROSSED, new double[] {0.3})), true);
    assertThat(leading).containsExactly(Arrays.copyOf(all, all.length - 1));
  }
}
