package ngd.core.network;

import java.util.OptionalInt;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * In every round clients are paired at random, anew, and each pair averages (randomised gossip:
 * Boyd, Ghosh, Prabhakar and Shah 2006); of an odd number one is left alone.
 */
public final class RandomMatching implements NetworkSchedule {
  private final int clients;
  private final Streams streams;

  RandomMatching(int clients, Streams streams) {
    this.clients = clients;
    this.streams = streams;
  }

  @Override
  public int clients() {
    return clients;
  }

  @Override
  public Network at(int round) {
    UniformRandomProvider random = streams.stream(Streams.Purpose.NETWORK, round);
    int[] order = new int[clients];
    for (int i = 0; i < clients; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    int[] partner = new int[clients];
    for (int i = 0; i < clients; i++) {
      partner[order[i]] = order[i + 1 < clients || i % 2 == 1 ? i ^ 1 : i];
    }
    int[] offsets = new int[clients + 1];
    int[] heard = new int[2 * (clients / 2) * 2 + clients % 2];
    double[] weights = new double[heard.length];
    for (int m = 0; m < clients; m++) {
      int at = offsets[m];
      if (partner[m] == m) {
        heard[at] = m;
        weights[at++] = 1;
      } else {
        heard[at] = Math.min(m, partner[m]);
        weights[at++] = 0.5;
        heard[at] = Math.max(m, partner[m]);
        weights[at++] = 0.5;
      }
      offsets[m + 1] = at;
    }
    return new Network(offsets, heard, weights);
  }

  @Override
  public OptionalInt period() {
    return OptionalInt.empty();
  }

  /** Of an odd number a client is left alone once in M rounds. */
  @Override
  public Network mean() {
    double each = 0.5 / (clients % 2 == 0 ? clients - 1 : clients);
    LinkWeights expected = new LinkWeights(clients);
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < m; k++) {
        expected.addMutual(m, k, each);
      }
    }
    return expected.withRest();
  }

  @Override
  public boolean always(NetworkProperty property) {
    return true;
  }
}
