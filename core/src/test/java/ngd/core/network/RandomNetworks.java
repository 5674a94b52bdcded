package ngd.core.network;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/** Matrices W of no particular kind, for tests of what holds for every network. */
final class RandomNetworks {
  private RandomNetworks() {}

  /** A random W with about this share of positive weights, weights on itself among them. */
  static Network rowStochastic(int clients, double density, UniformRandomProvider random) {
    double[][] w = new double[clients][clients];
    for (double[] row : w) {
      for (int k = 0; k < clients; k++) {
        row[k] = random.nextDouble() < density ? 0.1 + random.nextDouble() : 0;
      }
      double sum = Arrays.stream(row).sum();
      if (sum == 0) {
        row[random.nextInt(clients)] = 1;
        continue;
      }
      for (int k = 0; k < clients; k++) {
        row[k] /= sum;
      }
    }
    return Network.of(w);
  }

  /** W as a square array. */
  static double[][] dense(Network network) {
    double[][] w = new double[network.clients()][network.clients()];
    for (int m = 0; m < w.length; m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        w[m][network.heard()[e]] = network.weights()[e];
      }
    }
    return w;
  }
}
