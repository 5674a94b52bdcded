package ngd.core.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Few links after which everyone reaches everyone: what to add to a network that is not
 * irreducible.
 *
 * <p>As long as there are several classes, one client of a closed class, whom nobody outside can
 * teach, starts to hear one client of a class that nobody outside hears. Either the closed class
 * thereby stops being closed, or the classes on the way between the two become one; so it ends,
 * with at most one link for each class that is closed or heard by nobody outside.
 */
public final class MissingLinks {
  /** {@code client} should hear {@code other}. */
  public record MissingLink(int client, int other) {}

  private MissingLinks() {}

  /** The links to add, none where W is irreducible. */
  public static List<MissingLink> of(Network network) {
    List<MissingLink> added = new ArrayList<>();
    Network now = network;
    CommunicatingClasses classes = CommunicatingClasses.of(now);
    while (classes.count() > 1) {
      int closed = classes.closedClasses()[0];
      int unheard = unheardOutside(now, classes, closed);
      MissingLink link =
          new MissingLink(
              least(classes.members(closed), inDegrees(now)),
              least(classes.members(unheard), outDegrees(now)));
      added.add(link);
      now = with(now, link);
      classes = CommunicatingClasses.of(now);
    }
    return List.copyOf(added);
  }

  /** The last class, other than the given one, of which nobody outside hears anything. */
  private static int unheardOutside(Network network, CommunicatingClasses classes, int besides) {
    boolean[] heard = new boolean[classes.count()];
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int of = classes.classOf(network.heard()[e]);
        heard[of] |= of != classes.classOf(m);
      }
    }
    return IntStream.range(0, classes.count())
        .map(i -> classes.count() - 1 - i)
        .filter(c -> !heard[c] && c != besides)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a chain of classes has a first one"));
  }

  private static int[] inDegrees(Network network) {
    return IntStream.range(0, network.clients())
        .map(m -> network.offsets()[m + 1] - network.offsets()[m])
        .toArray();
  }

  private static int[] outDegrees(Network network) {
    int[] degrees = new int[network.clients()];
    for (int k : network.heard()) {
      degrees[k]++;
    }
    return degrees;
  }

  private static int least(int[] members, int[] degrees) {
    int least = members[0];
    for (int m : members) {
      least = degrees[m] < degrees[least] ? m : least;
    }
    return least;
  }

  /** The network with one link more; only which weights are positive matters here. */
  private static Network with(Network network, MissingLink link) {
    int clients = network.clients();
    int[] offsets = network.offsets().clone();
    for (int m = link.client() + 1; m <= clients; m++) {
      offsets[m]++;
    }
    int[] heard = new int[network.edges() + 1];
    int at = 0;
    for (int m = 0; m < clients; m++) {
      int from = at;
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        heard[at++] = network.heard()[e];
      }
      if (m == link.client()) {
        heard[at++] = link.other();
      }
      Arrays.sort(heard, from, at);
    }
    double[] weights = new double[heard.length];
    Arrays.fill(weights, 1);
    return new Network(offsets, heard, weights);
  }
}
