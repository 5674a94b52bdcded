package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import org.junit.jupiter.api.Test;

/** The oracle is the covariance of the noise as the account assumes it, over many gradients. */
class NoisedClientsTest {
  private static final int CLIENTS = 5;
  private static final int ROWS = 4;
  private final Host host = new Host(Kernels.best(), new Workers(1));
  private final Network network = Network.of(new Topology.Circle(CLIENTS, 1));

  private static Objective objective() {
    int[] sizes = new int[CLIENTS];
    java.util.Arrays.fill(sizes, ROWS);
    Shards.Filler filler = Shards.sized(1, sizes);
    for (int m = 0; m < CLIENTS; m++) {
      for (int i = 0; i < ROWS; i++) {
        filler.put(m, i, new double[] {1}, m);
      }
    }
    return new Linear().over(filler.done());
  }

  private NoisedLocal local(GradientPrivacy privacy, long seed) {
    return NoisedLocal.seeded(objective(), privacy, PairGraph.of(network), Streams.of(seed));
  }

  private Rows zeros() {
    return host.zeros(CLIENTS, 1);
  }

  /** Without own noise to speak of, sums over all clients are the sums without noise. */
  @Test
  void gradient_commonNoise_cancelsOverAllClientsAndNowhereElse() {
    NoisedLocal local = local(new GradientPrivacy(10, 1e-5, 50, 3), 1);
    Rows noised = local.gradient(zeros());
    double sum = 0;
    for (int m = 0; m < CLIENTS; m++) {
      sum += ROWS * noised.get(m, 0);
      assertThat(Math.abs(noised.get(m, 0) + m)).isGreaterThan(1);
    }
    assertThat(sum).isCloseTo(-ROWS * (0 + 1 + 2 + 3 + 4.0), within(0.01));
  }

  /** Σ = a² 1 + b² L in units of 2C, entry by entry. */
  @Test
  void gradient_manyDraws_haveTheCovarianceOfTheAccount() {
    int draws = 4000;
    double own = 0.5;
    double pair = 0.8;
    double clip = 10;
    NoisedLocal local = local(new GradientPrivacy(clip, own, pair, draws), 2);
    double[][] squares = new double[CLIENTS][CLIENTS];
    for (int t = 0; t < draws; t++) {
      Rows noised = local.gradient(zeros());
      for (int a = 0; a < CLIENTS; a++) {
        for (int b = 0; b < CLIENTS; b++) {
          double one = ROWS * (noised.get(a, 0) + a) / (2 * clip);
          double two = ROWS * (noised.get(b, 0) + b) / (2 * clip);
          squares[a][b] += one * two / draws;
        }
      }
    }
    for (int a = 0; a < CLIENTS; a++) {
      for (int b = 0; b < CLIENTS; b++) {
        int apart = Math.floorMod(a - b, CLIENTS);
        double expected =
            a == b
                ? own * own + 2 * pair * pair
                : apart == 1 || apart == CLIENTS - 1 ? -pair * pair : 0;
        assertThat(squares[a][b]).isCloseTo(expected, within(6 * 1.53 / Math.sqrt(draws)));
      }
    }
  }

  @Test
  void gradient_sameSeed_isTheSameAndTheBudgetEnds() {
    GradientPrivacy privacy = new GradientPrivacy(1, 1, 1, 2);
    NoisedLocal local = local(privacy, 3);
    double first = local.gradient(zeros()).get(0, 0);
    double second = local.gradient(zeros()).get(0, 0);
    assertThat(first).isNotEqualTo(second);
    assertThat(local(privacy, 3).gradient(zeros()).get(0, 0)).isEqualTo(first);
    assertThat(local(privacy, 4).gradient(zeros()).get(0, 0)).isNotEqualTo(first);
    assertThatThrownBy(() -> local.gradient(zeros()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("the budget covers 2 gradients");
  }
}
