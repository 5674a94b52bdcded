package ngd.peer.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import ngd.core.InvalidInput;
import ngd.core.formula.Dictionary;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;

/**
 * Who takes part, who hears whom, and how they talk.
 *
 * @param name of the federation
 * @param weights how a site weighs what it hears
 * @param policy what a peer does about a neighbour that is slow or gone
 * @param precision the numbers in which parameters travel
 * @param askers the sites that may ask questions of a standing federation; every site where none is
 *     named
 * @param analysts members without data: they take no part in any sum, and may ask
 * @param quorum how many sites together end another's part without the authority; 0 where none do
 * @param dictionary what the sites' columns are agreed to hold
 * @param amendment how often its members have changed since it was founded
 */
public record Federation(
    String name,
    List<Site> sites,
    Listening listening,
    String weights,
    Policy policy,
    WirePrecision precision,
    List<String> askers,
    List<String> analysts,
    int quorum,
    Dictionary dictionary,
    int amendment) {
  public Federation {
    sites = List.copyOf(sites);
    askers = List.copyOf(askers);
    analysts = List.copyOf(analysts);
  }

  /** All that have a certificate: the sites, then the analysts. */
  public List<String> members() {
    List<String> members = new ArrayList<>(names());
    members.addAll(analysts);
    return members;
  }

  /** Whether a member may ask questions. */
  public boolean mayAsk(String member) {
    return analysts.contains(member)
        || (askers.isEmpty() ? names().contains(member) : askers.contains(member));
  }

  /**
   * W, constant or by round, the sites in the order of the plan.
   *
   * @param seed draws the links of a random network
   */
  public NetworkSchedule schedule(long seed) {
    return listening.schedule(sites, weights, seed);
  }

  public List<String> names() {
    return sites.stream().map(Site::name).toList();
  }

  /** The place of a site in the plan: its client number. */
  public int client(String site) {
    int place = names().indexOf(site);
    if (place < 0) {
      throw new InvalidInput(
          "site `%s`: is not in the plan; its sites are %s".formatted(site, names()));
    }
    return place;
  }

  /** The sites that one hears or is heard by: the only ones it talks to. */
  SortedSet<String> neighbours(String site, Network network) {
    int self = client(site);
    SortedSet<String> neighbours = new TreeSet<>();
    for (int k = 0; k < sites.size(); k++) {
      if (k != self && (network.weight(self, k) > 0 || network.weight(k, self) > 0)) {
        neighbours.add(sites.get(k).name());
      }
    }
    return neighbours;
  }

  /** Its lines in the canonical form of the plan. */
  List<String> canonical() {
    List<String> lines = new ArrayList<>(List.of("federation: " + name));
    sites.forEach(site -> lines.add("site: %s %s".formatted(site.name(), site.address())));
    lines.addAll(listening.canonical(sites));
    lines.add("weights: " + weights);
    lines.add("policy: " + policy.spec());
    lines.add("precision: " + precision.spec());
    if (!askers.isEmpty()) {
      lines.add("askers: " + String.join(" ", askers));
    }
    if (!analysts.isEmpty()) {
      lines.add("analysts: " + String.join(" ", analysts));
    }
    if (quorum > 0) {
      lines.add("quorum: " + quorum);
    }
    lines.addAll(dictionary.canonical());
    if (amendment > 0) {
      lines.add("amendment: " + amendment);
    }
    return lines;
  }
}
