package ngd.peer.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import ngd.core.network.Network;

/**
 * What listeners learn by the network alone (docs/theory.md, 8; docs/privacy.md).
 *
 * <p>A listener that knows all that a site averages knows the average, and so the gradient: (mixed
 * − θ) / α. It knows it when it is, or hears, everyone whom the site hears.
 */
public final class Exposure {
  private Exposure() {}

  /** A listener that can compute a site's exact gradient in every round. */
  public record Reader(String site, String listener) {}

  /** Every pair of a site and a listener that reads its gradients. */
  public static List<Reader> readers(Plan plan) {
    Network network = plan.network();
    List<Reader> readers = new ArrayList<>();
    for (int m = 0; m < network.clients(); m++) {
      for (int k = 0; k < network.clients(); k++) {
        if (k != m && network.weight(k, m) > 0 && knowsAllThat(network, m, k)) {
          readers.add(new Reader(plan.sites().get(m).name(), plan.sites().get(k).name()));
        }
      }
    }
    return List.copyOf(readers);
  }

  /** Whether k is or hears all others whom m hears; m itself it hears. */
  private static boolean knowsAllThat(Network network, int m, int k) {
    for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
      int heard = network.heard()[e];
      if (heard != m && heard != k && network.weight(k, heard) == 0) {
        return false;
      }
    }
    return true;
  }

  /** What a person should know before the plan is signed, a sentence each. */
  public static List<String> warnings(Plan plan) {
    Network network = plan.network();
    List<String> warnings = new ArrayList<>();
    for (int m = 0; m < network.clients(); m++) {
      String site = plan.sites().get(m).name();
      List<String> listeners = new ArrayList<>();
      for (int k = 0; k < network.clients(); k++) {
        if (k != m && network.weight(k, m) > 0) {
          listeners.add(plan.sites().get(k).name());
          if (others(network, k) == 1 && network.weight(m, k) == 0 && isHeard(network, k)) {
            warnings.add(
                "%2$s hears only %1$s: what it averages is %1$s's model, so %1$s and any site that hears %2$s can together compute %2$s's exact gradient in every round"
                    .formatted(site, plan.sites().get(k).name()));
          }
        }
      }
      if (listeners.isEmpty()) {
        warnings.add("%s is heard by nobody: none of its data reaches the others".formatted(site));
      } else if (listeners.size() == 1 && network.clients() > 1) {
        warnings.add(
            "%s has a single listener, %s: nobody else sees whether its messages are passed on"
                .formatted(site, listeners.getFirst()));
      }
    }
    Map<String, List<String>> read = new TreeMap<>();
    for (Reader reader : readers(plan)) {
      read.computeIfAbsent(reader.site(), _ -> new ArrayList<>()).add(reader.listener());
    }
    read.forEach(
        (site, listeners) ->
            warnings.add(
                "%s: %s %s everyone whom it hears, and so can compute its exact gradient in every round; privacy (docs/privacy.md) or other links prevent it"
                    .formatted(
                        site,
                        String.join(", ", listeners),
                        listeners.size() == 1 ? "hears" : "each hear")));
    return List.copyOf(warnings);
  }

  private static boolean isHeard(Network network, int client) {
    return IntStream.range(0, network.clients())
        .anyMatch(k -> k != client && network.weight(k, client) > 0);
  }

  /** How many others a client hears. */
  private static int others(Network network, int client) {
    int heard = network.offsets()[client + 1] - network.offsets()[client];
    return network.weight(client, client) > 0 ? heard - 1 : heard;
  }

  /** The sites that no chain of links, in whatever direction, joins to the first. */
  static List<String> apartFromFirst(List<Site> sites, Network network) {
    boolean[] reached = new boolean[network.clients()];
    Deque<Integer> next = new ArrayDeque<>(List.of(0));
    reached[0] = true;
    while (!next.isEmpty()) {
      int m = next.remove();
      for (int k = 0; k < reached.length; k++) {
        if (!reached[k] && (network.weight(m, k) > 0 || network.weight(k, m) > 0)) {
          reached[k] = true;
          next.add(k);
        }
      }
    }
    List<String> apart = new ArrayList<>();
    for (int m = 0; m < reached.length; m++) {
      if (!reached[m]) {
        apart.add(sites.get(m).name());
      }
    }
    return apart;
  }
}
