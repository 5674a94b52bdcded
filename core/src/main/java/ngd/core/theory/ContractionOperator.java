package ngd.core.theory;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.network.Network;

/**
 * The contraction operator Δ*(W ⊗ I_p) with Δ^(m) = I − α c_m H_m: what one round of network
 * gradient descent does to the distance from its limit (2.5).
 *
 * <p>Vectors stack the clients: client m's p entries start at {@code m · p}. Restricted to some of
 * the clients, it is the diagonal block of their rows and columns, and clients are numbered by
 * their place among those.
 */
public final class ContractionOperator {
  private final int parameters;
  private final int[] offsets;
  private final int[] heard;
  private final double[] weights;
  private final double[] delta;

  private ContractionOperator(
      int parameters, int[] offsets, int[] heard, double[] weights, double[] delta) {
    this.parameters = parameters;
    this.offsets = offsets;
    this.heard = heard;
    this.weights = weights;
    this.delta = delta;
  }

  public static ContractionOperator of(Network network, Curvature curvature, double alpha) {
    checkAlpha(alpha);
    if (network.clients() != curvature.clients()) {
      throw new InvalidInput(
          "network: must have %d clients, as many as the data; got %d"
              .formatted(curvature.clients(), network.clients()));
    }
    int p = curvature.parameters();
    double[] delta = new double[Math.multiplyExact(curvature.clients(), p * p)];
    for (int m = 0; m < curvature.clients(); m++) {
      double[] own = curvature.of(m);
      for (int i = 0; i < p * p; i++) {
        delta[m * p * p + i] = (i % (p + 1) == 0 ? 1 : 0) - alpha * own[i];
      }
    }
    return new ContractionOperator(p, network.offsets(), network.heard(), network.weights(), delta);
  }

  static void checkAlpha(double alpha) {
    if (!(alpha > 0 && alpha < Double.POSITIVE_INFINITY)) {
      throw new InvalidInput(
          "alpha: must be positive and finite, or no step is taken; got %s".formatted(alpha));
    }
  }

  public int clients() {
    return offsets.length - 1;
  }

  public int parameters() {
    return parameters;
  }

  /** The links between its clients, to themselves included. */
  int links() {
    return heard.length;
  }

  /** q = M p, the length of the vectors. */
  public int dimension() {
    return clients() * parameters;
  }

  /** The diagonal block of the given clients, which must ascend. */
  public ContractionOperator restrictedTo(int[] members) {
    int links = 0;
    for (int m : members) {
      links += offsets[m + 1] - offsets[m];
    }
    int[] ownOffsets = new int[members.length + 1];
    int[] ownHeard = new int[links];
    double[] ownWeights = new double[links];
    int size = parameters * parameters;
    double[] ownDelta = new double[members.length * size];
    int at = 0;
    for (int i = 0; i < members.length; i++) {
      int m = members[i];
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        int place = Arrays.binarySearch(members, heard[e]);
        if (place >= 0) {
          ownHeard[at] = place;
          ownWeights[at++] = weights[e];
        }
      }
      ownOffsets[i + 1] = at;
      System.arraycopy(delta, m * size, ownDelta, i * size, size);
    }
    return new ContractionOperator(
        parameters,
        ownOffsets,
        Arrays.copyOf(ownHeard, at),
        Arrays.copyOf(ownWeights, at),
        ownDelta);
  }

  /** Writes client m's part of Δ*(W ⊗ I) x into y; {@code mixed} is p numbers of scratch. */
  void row(int m, double[] x, double[] y, double[] mixed) {
    int p = parameters;
    Arrays.fill(mixed, 0);
    for (int e = offsets[m]; e < offsets[m + 1]; e++) {
      int from = heard[e] * p;
      for (int j = 0; j < p; j++) {
        mixed[j] = Math.fma(weights[e], x[from + j], mixed[j]);
      }
    }
    int own = m * p * p;
    for (int i = 0; i < p; i++) {
      double sum = 0;
      for (int j = 0; j < p; j++) {
        sum = Math.fma(delta[own + i * p + j], mixed[j], sum);
      }
      y[m * p + i] = sum;
    }
  }

  /** The clients that client m hears, among those this operator knows. */
  int[] hears(int m) {
    return Arrays.copyOfRange(heard, offsets[m], offsets[m + 1]);
  }
}
