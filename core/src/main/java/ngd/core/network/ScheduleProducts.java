package ngd.core.network;

import ngd.core.InvalidInput;

/** What a period of a schedule comes to: the product of its networks, or all of them as one. */
final class ScheduleProducts {
  /** Up to this many clients the product, a full matrix, takes seconds. */
  static final int MOST_CLIENTS = 2000;

  /** Rounds times links of a product, at most: some ten seconds. */
  private static final long WORK = 20_000_000_000L;

  private ScheduleProducts() {}

  /** W_T … W_1. */
  static Network product(NetworkSchedule schedule, int period) {
    int clients = schedule.clients();
    requireFew(schedule, period);
    double[][] product = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      product[m][m] = 1;
    }
    for (int t = 0; t < period; t++) {
      Network w = schedule.at(t);
      double[][] next = new double[clients][clients];
      for (int m = 0; m < clients; m++) {
        for (int e = w.offsets()[m]; e < w.offsets()[m + 1]; e++) {
          double weight = w.weights()[e];
          double[] from = product[w.heard()[e]];
          for (int k = 0; k < clients; k++) {
            next[m][k] = Math.fma(weight, from[k], next[m][k]);
          }
        }
      }
      product = next;
    }
    return Network.of(product);
  }

  private static void requireFew(NetworkSchedule schedule, int period) {
    int clients = schedule.clients();
    if (clients > MOST_CLIENTS || (long) period * clients * clients > WORK) {
      throw new InvalidInput(
          "network: the product over a period is computed for up to %d clients; got %d with a period of %d rounds"
              .formatted(MOST_CLIENTS, clients, period));
    }
  }

  /** All rounds of a period as one network of T M clients. */
  static Network unrolled(NetworkSchedule schedule, int period) {
    int clients = schedule.clients();
    int nodes = Graph.offset((long) period * clients);
    int[] offsets = new int[nodes + 1];
    for (int t = 0; t < period; t++) {
      Network w = schedule.at(t);
      for (int m = 0; m < clients; m++) {
        int row = t * clients + m;
        offsets[row + 1] = Graph.offset((long) offsets[row] + w.offsets()[m + 1] - w.offsets()[m]);
      }
    }
    int[] heard = new int[offsets[nodes]];
    double[] weights = new double[heard.length];
    for (int t = 0; t < period; t++) {
      Network w = schedule.at(t);
      int before = (t + period - 1) % period * clients;
      int at = offsets[t * clients];
      System.arraycopy(w.weights(), 0, weights, at, w.edges());
      for (int e = 0; e < w.edges(); e++) {
        heard[at + e] = before + w.heard()[e];
      }
    }
    return new Network(offsets, heard, weights);
  }

  /** The mean of the first networks of a schedule. */
  static Network mean(NetworkSchedule schedule, int rounds) {
    int clients = schedule.clients();
    LinkWeights sums = new LinkWeights(clients);
    for (int t = 0; t < rounds; t++) {
      Network w = schedule.at(t);
      for (int m = 0; m < clients; m++) {
        for (int e = w.offsets()[m]; e < w.offsets()[m + 1]; e++) {
          sums.add(m, w.heard()[e], w.weights()[e] / rounds);
        }
      }
    }
    return sums.network();
  }

  /** The same links, of whose weight only a share is given; the rest each keeps to itself. */
  static Network damped(Network network, MutualLinks.LinkWeight share) {
    LinkWeights sums = new LinkWeights(network.clients());
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        double weight = network.weights()[e];
        double given = k == m ? 1 : share.of(m, k);
        if (given > 0) {
          sums.add(m, k, given * weight);
        }
        if (given < 1) {
          sums.add(m, m, (1 - given) * weight);
        }
      }
    }
    return sums.network();
  }
}
