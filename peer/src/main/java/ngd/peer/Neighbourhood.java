package ngd.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.network.Network;
import org.jspecify.annotations.Nullable;

/** What one client needs to know of the network: whom it hears, who hears it, how far word goes. */
final class Neighbourhood {
  private final Network network;
  final int self;

  /** The clients that it hears, ascending, without itself. */
  final List<Integer> heard = new ArrayList<>();

  /** The clients that hear it, ascending, without itself. */
  final List<Integer> listeners = new ArrayList<>();

  Neighbourhood(Network network, int self) {
    this.network = network;
    this.self = self;
    for (int e = network.offsets()[self]; e < network.offsets()[self + 1]; e++) {
      if (network.heard()[e] != self) {
        heard.add(network.heard()[e]);
      }
    }
    for (int m = 0; m < network.clients(); m++) {
      if (m != self && network.weight(m, self) > 0) {
        listeners.add(m);
      }
    }
  }

  /** Its weight on each client that it hears. */
  double[] weights() {
    return heard.stream().mapToDouble(k -> network.weight(self, k)).toArray();
  }

  /** How many clients hear each. */
  static int[] audiences(Network network) {
    int[] audiences = new int[network.clients()];
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        if (network.heard()[e] != m) {
          audiences[network.heard()[e]]++;
        }
      }
    }
    return audiences;
  }

  /** The links that word of any client needs at most to reach any other. */
  int diameter() {
    int most = 0;
    for (int from = 0; from < network.clients(); from++) {
      int[] distance = distances(from);
      for (int to = 0; to < distance.length; to++) {
        if (distance[to] < 0) {
          throw new InvalidInput(
              "network: must be strongly connected for a sum over all clients; client %d never hears of client %d"
                  .formatted(from, to));
        }
        most = Math.max(most, distance[to]);
      }
    }
    return most;
  }

  /** Links between a client and each of which it hears, directly or not; −1 where it never does. */
  int[] distances(int from) {
    int[] distance = new int[network.clients()];
    Arrays.fill(distance, -1);
    distance[from] = 0;
    ArrayDeque<Integer> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      int m = next.remove();
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        if (distance[k] < 0) {
          distance[k] = distance[m] + 1;
          next.add(k);
        }
      }
    }
    return distance;
  }

  /** Whether everybody is heard by whom it hears. */
  static boolean allMutual(Network network) {
    return oneWay(network) == null;
  }

  /** Refuses networks in which somebody cannot answer whom it hears. */
  void requireMutual() {
    int[] link = oneWay(network);
    if (link != null) {
      throw new InvalidInput(
          "network: every link must be mutual to reply along it; client %d hears %d, who does not hear %d"
              .formatted(link[0], link[1], link[0]));
    }
  }

  /** A client and one that it hears and that does not hear it; null where there is none. */
  private static int @Nullable [] oneWay(Network network) {
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        if (network.weight(k, m) == 0) {
          return new int[] {m, k};
        }
      }
    }
    return null;
  }
}
