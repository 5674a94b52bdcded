package ngd.core.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import ngd.core.linalg.Eigenvalues;

/**
 * A matrix W in which row m is row 0 moved by m: circles, rings, complete and exponential networks.
 *
 * <p>Its eigenvalues are {@code λ_j = Σ_h w_h exp(2πi j h / M)} over the hops h of row 0, and its
 * singular values are their moduli, since it commutes with its transpose.
 */
final class Circulant {
  private final int clients;
  private final int[] hops;
  private final double[] weights;

  private Circulant(int clients, int[] hops, double[] weights) {
    this.clients = clients;
    this.hops = hops;
    this.weights = weights;
  }

  /** Recognised from W itself, to the last bit of its weights. */
  static Optional<Circulant> of(Network network) {
    int clients = network.clients();
    int degree = network.offsets()[1];
    int[] heard = network.heard();
    double[] weights = network.weights();
    if (heard.length != (long) degree * clients) {
      return Optional.empty();
    }
    for (int m = 1; m < clients; m++) {
      int from = network.offsets()[m];
      if (network.offsets()[m + 1] - from != degree) {
        return Optional.empty();
      }
      // Row m in ascending order is the moved row 0 turned: those that wrapped around come first.
      int wrapped = 0;
      while (wrapped < degree && (long) heard[degree - 1 - wrapped] + m >= clients) {
        wrapped++;
      }
      for (int i = 0; i < degree; i++) {
        int moved = (int) (((long) heard[i] + m) % clients);
        int at = from + (i + wrapped) % degree;
        if (heard[at] != moved || weights[at] != weights[i]) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(
        new Circulant(clients, Arrays.copyOf(heard, degree), Arrays.copyOf(weights, degree)));
  }

  /** {@code |shift − λ_j|} for all j: moduli for 0, the singular values of I − W for 1. */
  double[] distances(double shift) {
    List<Eigenvalues.Value> half = eigenvalues();
    double[] distances = new double[clients];
    for (int j = 0; j < half.size(); j++) {
      distances[j] = Math.hypot(shift - half.get(j).real(), half.get(j).imaginary());
      distances[(clients - j) % clients] = distances[j];
    }
    return distances;
  }

  /** λ_j for j up to M/2, the first of them 1; the others are their conjugates. */
  List<Eigenvalues.Value> eigenvalues() {
    double[] cosine = new double[clients];
    double[] sine = new double[clients];
    for (int k = 0; k < clients; k++) {
      double angle = 2 * Math.PI * k / clients;
      cosine[k] = Math.cos(angle);
      sine[k] = Math.sin(angle);
    }
    List<Eigenvalues.Value> values = new ArrayList<>();
    for (int j = 0; j <= clients / 2; j++) {
      double real = 0;
      double imaginary = 0;
      for (int i = 0; i < hops.length; i++) {
        int k = (int) ((long) j * hops[i] % clients);
        real += weights[i] * cosine[k];
        imaginary += weights[i] * sine[k];
      }
      values.add(new Eigenvalues.Value(real, imaginary));
    }
    return values;
  }
}
