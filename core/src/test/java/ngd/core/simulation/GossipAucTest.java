package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

/** Oracle: the pairwise loss of all rows together, minimised by plain gradient descent. */
class GossipAucTest {
  private static final int CLIENTS = 8;
  private static final Shards SHARDS =
      RandomData.shards(5, 2, RandomData.equal(CLIENTS, 12), RandomData.labels(2, -1));

  private static double loss(double[] theta, double[] gradient) {
    double sum = 0;
    int pairs = 0;
    java.util.Arrays.fill(gradient, 0);
    for (int a = 0; a < CLIENTS * 12; a++) {
      for (int b = 0; b < CLIENTS * 12; b++) {
        Shard up = SHARDS.shard(a / 12);
        Shard down = SHARDS.shard(b / 12);
        if (up.y(a % 12) <= down.y(b % 12)) {
          continue;
        }
        pairs++;
        double margin = 0;
        for (int j = 0; j < 2; j++) {
          margin += (up.x(a % 12, j) - down.x(b % 12, j)) * theta[j];
        }
        sum += Math.log1p(Math.exp(-margin));
        for (int j = 0; j < 2; j++) {
          gradient[j] -= (up.x(a % 12, j) - down.x(b % 12, j)) / (1 + Math.exp(margin));
        }
      }
    }
    for (int j = 0; j < 2; j++) {
      gradient[j] /= pairs;
    }
    return sum / pairs;
  }

  @Test
  void advance_ring_comesNearTheLeastPairwiseLoss() {
    double[] best = new double[2];
    double[] gradient = new double[2];
    for (int t = 0; t < 3000; t++) {
      double unused = loss(best, gradient);
      assertThat(unused).isFinite();
      best[0] -= gradient[0];
      best[1] -= gradient[1];
    }
    double least = loss(best, gradient);
    double atZero = loss(new double[2], gradient);
    GossipAuc gossip =
        new GossipAuc(
            Network.of(new Topology.Ring(CLIENTS, 1)),
            SHARDS,
            StepSize.parse("1/sqrt(t)"),
            Streams.of(3));
    gossip.advance(40_000);
    assertThat(gossip.round()).isEqualTo(40_000);
    for (int m = 0; m < CLIENTS; m++) {
      assertThat(loss(gossip.estimate(m), gradient) - least)
          .as("client %d", m)
          .isLessThan(0.05 * (atZero - least));
    }
  }

  @Test
  void new_linksThatAreNotMutual_areRefused() {
    assertThatThrownBy(
            () ->
                new GossipAuc(
                    Network.of(new Topology.Circle(CLIENTS, 1)),
                    SHARDS,
                    StepSize.constant(1),
                    Streams.of(1)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("mutual");
  }
}
