package ngd.core.network;

/**
 * The row-stochastic matrix W, sparse: client m averages what it hears with these weights.
 *
 * <p>Row m lies at {@code offsets[m] .. offsets[m + 1]} of {@code heard} and {@code weights}, in
 * ascending order of the heard client. The arrays are shared with the kernels; nobody writes to
 * them.
 */
public final class Network {
  private final int[] offsets;
  private final int[] heard;
  private final double[] weights;

  Network(int[] offsets, int[] heard, double[] weights) {
    this.offsets = offsets;
    this.heard = heard;
    this.weights = weights;
  }

  public int clients() {
    return offsets.length - 1;
  }

  /** The number of positive weights, a client's weight on itself included. */
  public int edges() {
    return heard.length;
  }

  public int[] offsets() {
    return offsets;
  }

  public int[] heard() {
    return heard;
  }

  public double[] weights() {
    return weights;
  }

  /** w[client][other], 0 where the client does not hear the other. */
  public double weight(int client, int other) {
    int at = java.util.Arrays.binarySearch(heard, offsets[client], offsets[client + 1], other);
    return at < 0 ? 0 : weights[at];
  }
}
