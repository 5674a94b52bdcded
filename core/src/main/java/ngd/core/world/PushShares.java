package ngd.core.world;

import java.util.Arrays;

/**
 * The column-stochastic matrix: client k gives 1 / (1 + listeners) to itself and to each listener.
 */
public final class PushShares {
  final int[] offsets;
  final int[] heard;
  final double[] weights;

  public PushShares(HeardLinks links) {
    int[] listeners = new int[links.clients];
    for (int k : links.heard) {
      listeners[k]++;
    }
    offsets = new int[links.clients + 1];
    heard = new int[links.heard.length + links.clients];
    weights = new double[heard.length];
    int at = 0;
    for (int m = 0; m < links.clients; m++) {
      int first = at;
      for (int e = links.offsets[m]; e < links.offsets[m + 1]; e++) {
        heard[at++] = links.heard[e];
      }
      heard[at++] = m;
      Arrays.sort(heard, first, at);
      for (int e = first; e < at; e++) {
        weights[e] = 1.0 / (1 + listeners[heard[e]]);
      }
      offsets[m + 1] = at;
    }
  }

  /** Row m lies at {@code offsets[m] .. offsets[m + 1]} of the other two; all three are shared. */
  public int[] offsets() {
    return offsets;
  }

  /** The client from which a share comes. */
  public int[] heard() {
    return heard;
  }

  /** The share. */
  public double[] weights() {
    return weights;
  }
}
