package ngd.core.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.data.Shards;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Loss;
import ngd.core.model.Poisson;
import ngd.core.network.Measured;
import ngd.core.network.Network;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracles: the fixed-point equation, rounds of plain iteration written here, closed forms. */
class StableSolutionTest {

  /** One round of network gradient descent, straight from its definition. */
  private static double[][] round(
      double[][] w, Loss loss, Shards shards, double alpha, double[] scales, double[][] theta) {
    int p = theta[0].length;
    double[][] next = new double[w.length][p];
    double[] gradient = new double[p];
    for (int m = 0; m < w.length; m++) {
      for (int k = 0; k < w.length; k++) {
        for (int j = 0; j < p; j++) {
          next[m][j] += w[m][k] * theta[k][j];
        }
      }
      loss.gradient(shards.shard(m), next[m].clone(), gradient);
      for (int j = 0; j < p; j++) {
        next[m][j] -= alpha * scales[m] * gradient[j];
      }
    }
    return next;
  }

  private static double[][] theta(StableSolution stable, int clients) {
    double[][] theta = new double[clients][];
    Arrays.setAll(theta, stable::of);
    return theta;
  }

  private static double apart(double[][] a, double[][] b) {
    double largest = 0;
    for (int m = 0; m < a.length; m++) {
      for (int j = 0; j < a[m].length; j++) {
        largest = Math.max(largest, Math.abs(a[m][j] - b[m][j]));
      }
    }
    return largest;
  }

  @Test
  void of_randomLinearProblems_isAFixedPoint() {
    UniformRandomProvider random = Cases.random(21);
    for (int i = 0; i < 100; i++) {
      int clients = 2 + random.nextInt(6);
      int p = 1 + random.nextInt(3);
      double[][] w =
          switch (random.nextInt(4)) {
            case 0 -> Cases.circle(clients, 1);
            case 1 -> Cases.central(clients);
            default -> Cases.weights(random, clients);
          };
      Shards shards = Cases.shards(random, clients, 4, p);
      double[] scales = Cases.ones(clients);
      scales[0] = 1.7;
      StableSolution stable =
          StableSolution.of(Problem.of(Network.of(w), new Linear(), shards, 0.1).scaledBy(scales));
      assertThat(stable.exists()).as(stable.how()).isTrue();
      double[][] theta = theta(stable, clients);
      double[][] next = round(w, new Linear(), shards, 0.1, scales, theta);
      assertThat(apart(theta, next)).as("case %d", i).isLessThan(1e-11);
    }
  }

  @Test
  void of_reducibleLinearProblem_isWhereIterationEnds() {
    // 0 and 1 average each other; 2 hears them and itself; 3 hears 2.
    double[][] w = {{0, 1, 0, 0}, {1, 0, 0, 0}, {0.3, 0.3, 0.4, 0}, {0, 0, 1, 0}};
    Shards shards = Cases.shards(Cases.random(22), 4, 5, 3);
    StableSolution stable = StableSolution.of(Problem.of(Network.of(w), new Linear(), shards, 0.1));
    double[][] theta = new double[4][3];
    for (int t = 0; t < 5000; t++) {
      theta = round(w, new Linear(), shards, 0.1, Cases.ones(4), theta);
    }
    assertThat(apart(theta(stable, 4), theta)).isLessThan(1e-10);
  }

  @Test
  void of_singleClient_isOrdinaryLeastSquares() {
    // y = 1 + 2x exactly.
    Shards shards =
        Shards.of(new double[][][] {{{1, 0}, {1, 1}, {1, 5}}}, new double[][] {{1, 3, 11}});
    StableSolution stable =
        StableSolution.of(Problem.of(Network.of(new double[][] {{1}}), new Linear(), shards, 0.01));
    assertThat(stable.of(0)).containsExactly(new double[] {1, 2}, within(1e-12));
    Measured distance = stable.distanceTo(new double[] {1, 2});
    assertThat(distance.value().getAsDouble()).isCloseTo(0, within(1e-12));
  }

  @Test
  void of_twoClientsWhoHearEachOther_isTheFormulaByHand() {
    // p = 1: θ0 = (1 − α s0) θ1 + α b0 and the same the other way round.
    double s0 = 4;
    double s1 = 1;
    double b0 = 2 * 3;
    double b1 = 1 * 5;
    double alpha = 0.2;
    Shards shards = Shards.of(new double[][][] {{{2}}, {{1}}}, new double[][] {{3}, {5}});
    StableSolution stable =
        StableSolution.of(Problem.of(Network.of(Cases.circle(2, 1)), new Linear(), shards, alpha));
    double d0 = 1 - alpha * s0;
    double d1 = 1 - alpha * s1;
    double theta0 = alpha * (d0 * b1 + b0) / (1 - d0 * d1);
    double theta1 = d1 * theta0 + alpha * b1;
    assertThat(stable.of(0)[0]).isCloseTo(theta0, within(1e-13));
    assertThat(stable.of(1)[0]).isCloseTo(theta1, within(1e-13));
    double global = (b0 + b1) / (s0 + s1);
    assertThat(stable.distanceTo(new double[] {global}).value().getAsDouble())
        .isCloseTo(
            Math.sqrt((Math.pow(theta0 - global, 2) + Math.pow(theta1 - global, 2)) / 2),
            within(1e-13));
  }

  @Test
  void of_manyUnknowns_isAFixedPoint() {
    int clients = 150;
    double[][] w = Cases.circle(clients, 3);
    Shards shards = Cases.shards(Cases.random(23), clients, 12, 4);
    StableSolution stable =
        StableSolution.of(Problem.of(Network.of(w), new Linear(), shards, 0.05));
    double[][] theta = theta(stable, clients);
    double[][] next = round(w, new Linear(), shards, 0.05, Cases.ones(clients), theta);
    assertThat(apart(theta, next)).isLessThan(1e-10);
  }

  @Test
  void of_generalisedLinearModels_isAFixedPointAndWhereIterationEnds() {
    UniformRandomProvider random = Cases.random(24);
    int clients = 5;
    double[][][] x = Cases.normalRows(random, clients, 30, 2);
    double[][] labels = new double[clients][30];
    double[][] counts = new double[clients][30];
    for (int m = 0; m < clients; m++) {
      for (int i = 0; i < 30; i++) {
        labels[m][i] = random.nextDouble() < 1 / (1 + Math.exp(-x[m][i][0])) ? 1 : 0;
        counts[m][i] = Math.floor(Math.exp(0.5 * x[m][i][0]) + random.nextDouble());
      }
    }
    double[][] w = Cases.weights(random, clients);
    check(w, new Logistic(), Shards.of(x, labels), 0.2);
    check(Cases.central(clients), new Logistic(), Shards.of(x, labels), 0.2);
    check(w, new Poisson(), Shards.of(x, counts), 0.02);
    check(Cases.circle(clients, 1), new Poisson(), Shards.of(x, counts), 0.02);
  }

  private static void check(double[][] w, CurvedLoss loss, Shards shards, double alpha) {
    // The start of Newton's method needs only to be near: a rough pooled gradient descent.
    double[] global = new double[2];
    double[] gradient = new double[2];
    for (int t = 0; t < 300; t++) {
      double[] sum = new double[2];
      for (int m = 0; m < shards.clients(); m++) {
        loss.gradient(shards.shard(m), global, gradient);
        sum[0] += gradient[0];
        sum[1] += gradient[1];
      }
      global[0] -= alpha * sum[0] / shards.clients();
      global[1] -= alpha * sum[1] / shards.clients();
    }
    StableSolution stable =
        StableSolution.of(Problem.of(Network.of(w), loss, shards, alpha).near(global));
    assertThat(stable.exists()).as(stable.how()).isTrue();
    double[][] theta = theta(stable, w.length);
    double[][] next = round(w, loss, shards, alpha, Cases.ones(w.length), theta);
    assertThat(apart(theta, next)).isLessThan(1e-12);
    double[][] iterated = new double[w.length][2];
    for (int t = 0; t < 20_000; t++) {
      iterated = round(w, loss, shards, alpha, Cases.ones(w.length), iterated);
    }
    assertThat(apart(theta, iterated)).isLessThan(1e-9);
  }

  @Test
  void of_relabelledClients_isRelabelled() {
    UniformRandomProvider random = Cases.random(25);
    int clients = 6;
    double[][] w = Cases.weights(random, clients);
    double[][][] x = Cases.normalRows(random, clients, 5, 2);
    double[][] y = Cases.normalResponses(random, x);
    int[] to = {3, 5, 0, 1, 4, 2};
    double[][] relabelledW = new double[clients][clients];
    double[][][] relabelledX = new double[clients][][];
    double[][] relabelledY = new double[clients][];
    for (int m = 0; m < clients; m++) {
      relabelledX[to[m]] = x[m];
      relabelledY[to[m]] = y[m];
      for (int k = 0; k < clients; k++) {
        relabelledW[to[m]][to[k]] = w[m][k];
      }
    }
    StableSolution stable =
        StableSolution.of(Problem.of(Network.of(w), new Linear(), Shards.of(x, y), 0.1));
    StableSolution relabelled =
        StableSolution.of(
            Problem.of(
                Network.of(relabelledW), new Linear(), Shards.of(relabelledX, relabelledY), 0.1));
    for (int m = 0; m < clients; m++) {
      assertThat(relabelled.of(to[m])).containsExactly(stable.of(m), within(1e-11));
    }
  }

  @Test
  void of_unseenDirection_isRefusedWithTheReason() {
    double[][][] x = {{{1, 0}}, {{2, 0}}};
    Shards shards = Shards.of(x, new double[][] {{1}, {2}});
    StableSolution stable =
        StableSolution.of(Problem.of(Network.of(Cases.circle(2, 1)), new Linear(), shards, 0.1));
    assertThat(stable.exists()).isFalse();
    assertThat(stable.how()).contains("singular").contains("1 of 2");
    assertThat(stable.distanceTo(new double[2]).value()).isEmpty();
  }

  @Test
  void of_singularBeyondTheLimit_isRefused() {
    // Δ0 = Δ1 = −1 at α = 2, so that Δ0 Δ1 = 1: Ω̂ is singular though every client's data suffice.
    Shards shards = Shards.of(new double[][][] {{{1}}, {{1}}}, new double[][] {{1}, {2}});
    StableSolution stable =
        StableSolution.of(Problem.of(Network.of(Cases.circle(2, 1)), new Linear(), shards, 2));
    assertThat(stable.exists()).isFalse();
    assertThat(stable.how()).contains("singular");
  }
}
