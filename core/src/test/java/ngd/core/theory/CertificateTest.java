package ngd.core.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracle: the spectral radius of the dense operator, by Gelfand's limit, on random small cases. */
class CertificateTest {

  @Test
  void of_randomSmallCases_agreesWithTheSpectralRadius() {
    UniformRandomProvider random = Cases.random(11);
    int converging = 0;
    int exactlyOne = 0;
    int growing = 0;
    for (int i = 0; i < 600; i++) {
      int clients = 2 + random.nextInt(5);
      int p = 1 + random.nextInt(4);
      double[][] w = network(random, clients);
      double[][][] x = rows(random, clients, p);
      Shards shards = Shards.of(x, Cases.normalResponses(random, x));
      double[] scales = Cases.ones(clients);
      if (random.nextBoolean()) {
        for (int m = 0; m < clients; m++) {
          scales[m] = random.nextDouble(0.2, 5);
        }
      }
      Problem one = Problem.of(Network.of(w), new Linear(), shards, 1).scaledBy(scales);
      double safe = Certificate.of(one).safeAlpha().getAsDouble();
      double alpha = safe * (random.nextBoolean() ? 1 : 3) * random.nextDouble(0.3, 1);
      Certificate certificate =
          Certificate.of(Problem.of(Network.of(w), new Linear(), shards, alpha).scaledBy(scales));
      double radius = Cases.gelfandRadius(Cases.contraction(w, shards, alpha, scales));
      String label =
          "case %d: M = %d, p = %d, alpha/safe = %s, radius %s; %s"
              .formatted(i, clients, p, alpha / safe, radius, certificate.reason());
      if (Math.abs(radius - 1) < 1e-7) {
        assertThat(certificate.converges()).as(label).isFalse();
        assertThat(certificate.radiusIsOne()).as(label).isEqualTo(alpha < safe);
        exactlyOne++;
      } else {
        assertThat(certificate.converges()).as(label).isEqualTo(radius < 1);
        assertThat(certificate.radiusIsOne()).as(label).isFalse();
        converging += radius < 1 ? 1 : 0;
        growing += radius > 1 ? 1 : 0;
      }
    }
    // All three verdicts were put to the test.
    assertThat(converging).isGreaterThan(100);
    assertThat(exactlyOne).isGreaterThan(50);
    assertThat(growing).isGreaterThan(50);
  }

  private static double[][] network(UniformRandomProvider random, int clients) {
    return switch (random.nextInt(5)) {
      case 0 -> Cases.circle(clients, 1);
      case 1 -> Cases.central(clients);
      default -> Cases.weights(random, clients);
    };
  }

  /** One to three rows a client, now and then all on few common directions. */
  private static double[][][] rows(UniformRandomProvider random, int clients, int p) {
    double[][][] x = new double[clients][][];
    boolean deficient = p > 1 && random.nextInt(4) == 0;
    for (int m = 0; m < clients; m++) {
      x[m] = Cases.normalRows(random, 1, 1 + random.nextInt(3), p)[0];
      for (double[] row : x[m]) {
        if (deficient) {
          row[p - 1] = 2 * row[0];
        }
      }
    }
    return x;
  }

  @Test
  void of_aboveTheLimit_canStillConverge() {
    // Two clients who average each other and themselves, Σ̂ = 3 and 1: λ = ½(Δ1 + Δ2) = 1 − 2α.
    double[][] w = {{0.5, 0.5}, {0.5, 0.5}};
    Shards shards =
        Shards.of(new double[][][] {{{Math.sqrt(3)}}, {{1}}}, new double[][] {{1}, {1}});
    Certificate certificate = Certificate.of(Problem.of(Network.of(w), new Linear(), shards, 0.8));
    assertThat(certificate.safeAlpha().getAsDouble()).isCloseTo(2.0 / 3, within(1e-14));
    assertThat(certificate.converges()).isTrue();
    assertThat(certificate.reason()).contains("not below the safe limit").contains("0.6");
    assertThat(Certificate.of(Problem.of(Network.of(w), new Linear(), shards, 1.2)).converges())
        .isFalse();
  }

  @Test
  void of_exactlyAtTheLimitWithRadiusOne_saysItCannotTell() {
    double[][] w = {{1}};
    Shards shards = Shards.of(new double[][][] {{{1}}}, new double[][] {{1}});
    Certificate certificate = Certificate.of(Problem.of(Network.of(w), new Linear(), shards, 2));
    assertThat(certificate.converges()).isNull();
    assertThat(certificate.reason()).contains("too close");
  }

  @Test
  void of_irreducibleWithSingularPooledData_namesTheRank() {
    // All clients see only the first of two directions.
    double[][][] x = {{{1, 0}}, {{2, 0}}, {{-1, 0}}};
    Shards shards = Shards.of(x, new double[][] {{1}, {2}, {3}});
    Certificate certificate =
        Certificate.of(Problem.of(Network.of(Cases.circle(3, 2)), new Linear(), shards, 0.1));
    assertThat(certificate.converges()).isFalse();
    assertThat(certificate.radiusIsOne()).isTrue();
    assertThat(certificate.reason())
        .contains("3 clients")
        .contains("only 1 of 2 parameters")
        .contains("depends on the start");
  }

  /**
   * Oracle: the rounds themselves, by plain loops. All clients see only the first of two
   * directions; on a circle the second goes round, with weights on themselves it settles.
   */
  @ParameterizedTest
  @CsvSource({"0, false", "0.5, true"})
  void of_unseenDirectionAndAPeriod_saysThatMostStartsHaveNoLimit(double own, boolean settles) {
    double[][] w = {{own, 1 - own, 0}, {0, own, 1 - own}, {1 - own, 0, own}};
    double[][][] x = {{{1, 0}}, {{2, 0}}, {{-1, 0}}};
    double[][] y = {{1}, {2}, {3}};
    Certificate certificate =
        Certificate.of(Problem.of(Network.of(w), new Linear(), Shards.of(x, y), 0.1));
    assertThat(certificate.converges()).isFalse();
    assertThat(certificate.radiusIsOne()).isTrue();
    assertThat(certificate.reason())
        .endsWith(
            settles
                ? "the spectral radius is exactly 1 and the limit depends on the start."
                : "the spectral radius is exactly 1, and averaging has period 3 there: a start"
                    + " common to all clients has a limit, most other starts have none.");
    double[][] common = {{1, 2}, {1, 2}, {1, 2}};
    double[][] apart = {{1, 2}, {0, -1}, {5, 5}};
    assertThat(lastMove(w, x, y, common)).isLessThan(1e-14);
    if (settles) {
      assertThat(lastMove(w, x, y, apart)).isLessThan(1e-14);
      assertThat(rounds(w, x, y, apart, 2000)[0][1]).isCloseTo(2, within(1e-13));
      assertThat(rounds(w, x, y, new double[3][2], 2000)[0][1]).isZero();
    } else {
      assertThat(lastMove(w, x, y, apart)).isGreaterThan(2);
    }
  }

  /** How far the models move in one round after many. */
  private static double lastMove(double[][] w, double[][][] x, double[][] y, double[][] start) {
    double[][] before = rounds(w, x, y, start, 2000);
    double[][] after = rounds(w, x, y, before, 1);
    double move = 0;
    for (int m = 0; m < w.length; m++) {
      for (int j = 0; j < 2; j++) {
        move = Math.max(move, Math.abs(after[m][j] - before[m][j]));
      }
    }
    return move;
  }

  /** NGD with one row a client, two parameters and alpha = 0.1. */
  private static double[][] rounds(
      double[][] w, double[][][] x, double[][] y, double[][] start, int count) {
    double[][] theta = start;
    for (int t = 0; t < count; t++) {
      double[][] next = new double[w.length][2];
      for (int m = 0; m < w.length; m++) {
        for (int k = 0; k < w.length; k++) {
          next[m][0] += w[m][k] * theta[k][0];
          next[m][1] += w[m][k] * theta[k][1];
        }
        double[] row = x[m][0];
        double residual = row[0] * next[m][0] + row[1] * next[m][1] - y[m][0];
        next[m][0] -= 0.1 * row[0] * residual;
        next[m][1] -= 0.1 * row[1] * residual;
      }
      theta = next;
    }
    return theta;
  }

  @Test
  void of_twoSeparatePairsEachDeficient_isOneAlthoughAllDataTogetherSuffice() {
    double[][] w = {{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}};
    double[][][] x = {{{1, 0}}, {{2, 0}}, {{0, 1}}, {{0, 3}}};
    Shards shards = Shards.of(x, new double[][] {{1}, {1}, {1}, {1}});
    Certificate certificate = Certificate.of(Problem.of(Network.of(w), new Linear(), shards, 0.05));
    assertThat(certificate.converges()).isFalse();
    double radius = Cases.gelfandRadius(Cases.contraction(w, shards, 0.05, Cases.ones(4)));
    assertThat(radius).isCloseTo(1, within(1e-12));
  }

  @Test
  void of_deficientOnlyAmongUnheardClients_converges() {
    // Client 2 hears the pair but nobody hears it; the pair's data suffice.
    double[][] w = {{0, 1, 0}, {1, 0, 0}, {0.5, 0.5, 0}};
    double[][][] x = {{{1, 0}}, {{0, 1}}, {{0, 0}}};
    Shards shards = Shards.of(x, new double[][] {{1}, {1}, {1}});
    assertThat(Certificate.of(Problem.of(Network.of(w), new Linear(), shards, 0.5)).converges())
        .isTrue();
  }

  @Test
  void of_alphaNotPositive_isRefused() {
    Shards shards = Shards.of(new double[][][] {{{1}}}, new double[][] {{1}});
    Network network = Network.of(new double[][] {{1}});
    for (double alpha : new double[] {0, -0.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> Problem.of(network, new Linear(), shards, alpha))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("alpha");
    }
  }
}
