package ngd.core.simulation;

import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Gossip dual averaging of a pairwise loss (Colin, Bellet, Salmon and Clémençon 2016): maximises
 * the area under the ROC curve through the logistic loss of pairs, the mean of log(1 + exp(−θᵀ(x₊ −
 * x₋))) over all pairs of a row with label 1 and one with label 0.
 *
 * <p>A pair's rows may lie at two clients, so each client also holds one observation that wanders.
 * In a step two neighbours swap what wanders and average their sums of gradients; then every client
 * adds the gradient of its own rows paired with its wanderer. Observations leave their clients:
 * this is for the simulator alone.
 */
public final class GossipAuc {
  private final Shards shards;
  private final StepSize alpha;
  private final int[] ends;
  private final UniformRandomProvider draw;
  private final int[][] wanderer;
  private final double[][] z;
  private final double[][] theta;
  private final double[][] mean;
  private int round;

  public GossipAuc(Network network, Shards shards, StepSize alpha, Streams streams) {
    if (network.clients() != shards.clients()) {
      throw new InvalidInput(
          "simulation: network and data must have the same clients; got %d and %d"
              .formatted(network.clients(), shards.clients()));
    }
    this.shards = shards;
    this.alpha = alpha;
    Links links = new Links(network);
    // Refuses a link that is not mutual: a swap has two sides.
    int[] reverse = links.reverse();
    ends = new int[2 * reverse.length];
    for (int m = 0, e = 0; m < links.clients; m++) {
      for (; e < links.offsets[m + 1]; e++) {
        ends[2 * e] = m;
        ends[2 * e + 1] = links.heard[e];
      }
    }
    draw = streams.stream(Streams.Purpose.ALGORITHM);
    int clients = shards.clients();
    int p = shards.features();
    z = new double[clients][p];
    theta = new double[clients][p];
    mean = new double[clients][p];
    wanderer = new int[clients][];
    for (int m = 0; m < clients; m++) {
      wanderer[m] = new int[] {m, draw.nextInt(shards.rows(m))};
    }
  }

  /** Does so many more steps. */
  public void advance(int rounds) {
    for (int i = 0; i < rounds; i++) {
      step();
    }
  }

  public int round() {
    return round;
  }

  /** The mean of all of one client's points so far. */
  public double[] estimate(int client) {
    return mean[client].clone();
  }

  private void step() {
    if (ends.length > 0) {
      int edge = 2 * draw.nextInt(ends.length / 2);
      meet(ends[edge], ends[edge + 1]);
    }
    double step = alpha.at(round);
    round++;
    for (int m = 0; m < z.length; m++) {
      addGradient(m);
      for (int j = 0; j < z[m].length; j++) {
        theta[m][j] = -step * z[m][j];
        mean[m][j] += (theta[m][j] - mean[m][j]) / round;
      }
    }
  }

  /** Two neighbours swap their wanderers and average their sums of gradients. */
  private void meet(int a, int b) {
    int[] swapped = wanderer[a];
    wanderer[a] = wanderer[b];
    wanderer[b] = swapped;
    for (int j = 0; j < z[a].length; j++) {
      double middle = (z[a][j] + z[b][j]) / 2;
      z[a][j] = middle;
      z[b][j] = middle;
    }
  }

  /** The mean over the client's rows of the gradient of the pair with the wanderer. */
  private void addGradient(int m) {
    Shard own = shards.shard(m);
    Shard theirs = shards.shard(wanderer[m][0]);
    int row = wanderer[m][1];
    double label = theirs.y(row);
    for (int i = 0; i < own.rows(); i++) {
      double order = own.y(i) - label;
      if (order == 0) {
        continue;
      }
      double margin = 0;
      for (int j = 0; j < z[m].length; j++) {
        margin += order * (own.x(i, j) - theirs.x(row, j)) * theta[m][j];
      }
      double slope = -order / (1 + Math.exp(margin)) / own.rows();
      for (int j = 0; j < z[m].length; j++) {
        z[m][j] += slope * (own.x(i, j) - theirs.x(row, j));
      }
    }
  }
}
