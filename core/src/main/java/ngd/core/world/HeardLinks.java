package ngd.core.world;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.network.Network;
import org.jspecify.annotations.Nullable;

/** Who hears whom, a client's weight on itself left out. */
public final class HeardLinks {
  final int clients;
  final int[] offsets;
  final int[] heard;
  private final double[] weights;
  private int @Nullable [] reverse;

  public HeardLinks(Network network) {
    clients = network.clients();
    offsets = new int[clients + 1];
    int[] all = new int[network.edges()];
    double[] given = new double[network.edges()];
    int count = 0;
    for (int m = 0; m < clients; m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        if (network.heard()[e] != m) {
          given[count] = network.weights()[e];
          all[count++] = network.heard()[e];
        }
      }
      offsets[m + 1] = count;
    }
    heard = Arrays.copyOf(all, count);
    weights = Arrays.copyOf(given, count);
  }

  /** Client m's links lie at {@code offsets[m] .. offsets[m + 1]}; shared. */
  public int[] offsets() {
    return offsets;
  }

  /** The client heard on each link; shared. */
  public int[] heard() {
    return heard;
  }

  /** W's weight of each link; shared. */
  public double[] weights() {
    return weights;
  }

  /** For each link (m hears k), the place of the link (k hears m). */
  public int[] reverse() {
    int[] known = reverse;
    if (known == null) {
      known = reversed();
      reverse = known;
    }
    return known;
  }

  private int[] reversed() {
    int[] reversed = new int[heard.length];
    for (int m = 0; m < clients; m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        int k = heard[e];
        int back = Arrays.binarySearch(heard, offsets[k], offsets[k + 1], m);
        if (back < 0) {
          throw new InvalidInput(
              "network: every link must be mutual to reply along it; client %d hears %d, who does not hear %d"
                  .formatted(m, k, m));
        }
        reversed[e] = back;
      }
    }
    return reversed;
  }
}
