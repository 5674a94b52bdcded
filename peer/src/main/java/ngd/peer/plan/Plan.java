package ngd.peer.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import ngd.core.InvalidInput;
import ngd.core.network.Network;

/**
 * What the sites of a federation have agreed on: who takes part, who hears whom, and what is
 * learned how.
 *
 * @param federation the name of the federation
 * @param run a word drawn for this run: masks of two runs must never be the same
 * @param formula what explains what, such as {@code y ~ x + z}
 * @param algorithm a method's words, or {@link #POOLED}
 * @param alpha the step size, where the method takes one
 * @param rounds how many rounds to run, where the method does not decide that itself
 * @param batch the rows of a mini-batch, or 0 for all
 * @param mix how to average what is heard
 */
public record Plan(
    String federation,
    String run,
    List<Site> sites,
    Listening listening,
    String weights,
    long seed,
    String formula,
    String family,
    String algorithm,
    Optional<String> alpha,
    OptionalInt rounds,
    int batch,
    int localSteps,
    String mix,
    Policy policy,
    WirePrecision precision,
    Optional<Privacy> privacy) {
  /** The answer of the pooled data, with standard errors: whitened, balanced, with a last step. */
  public static final String POOLED = "pooled";

  public Plan {
    sites = List.copyOf(sites);
  }

  /** W, the sites in the order of the plan. */
  public Network network() {
    return listening.network(sites, weights, seed);
  }

  public boolean pooled() {
    return algorithm.equals(POOLED);
  }

  /** The place of a site in the plan: its client number. */
  public int client(String site) {
    for (int m = 0; m < sites.size(); m++) {
      if (sites.get(m).name().equals(site)) {
        return m;
      }
    }
    throw new InvalidInput(
        "site `%s`: is not in the plan; its sites are %s".formatted(site, names()));
  }

  public List<String> names() {
    return sites.stream().map(Site::name).toList();
  }

  /** The sites that this one hears or is heard by: the only ones it talks to. */
  public SortedSet<String> neighbours(String site) {
    int self = client(site);
    Network network = network();
    SortedSet<String> neighbours = new TreeSet<>();
    for (int k = 0; k < sites.size(); k++) {
      if (k != self && (network.weight(self, k) > 0 || network.weight(k, self) > 0)) {
        neighbours.add(sites.get(k).name());
      }
    }
    return neighbours;
  }

  /**
   * The plan in one form, whatever the layout and the comments of its file: a line for each thing
   * agreed, defaults spelled out. What is signed and hashed.
   */
  public List<String> canonical() {
    List<String> lines = new ArrayList<>(List.of("ngd-plan: 1"));
    lines.add("federation: " + federation);
    lines.add("run: " + run);
    sites.forEach(site -> lines.add("site: %s %s".formatted(site.name(), site.address())));
    lines.addAll(listening.canonical(sites));
    lines.add("weights: " + weights);
    lines.add("seed: " + seed);
    lines.add("formula: " + formula);
    lines.add("family: " + family);
    lines.add("algorithm: " + algorithm);
    lines.add("alpha: " + alpha.orElse("-"));
    lines.add("rounds: " + (rounds.isPresent() ? rounds.getAsInt() : "-"));
    lines.add("batch: " + batch);
    lines.add("local-steps: " + localSteps);
    lines.add("mix: " + mix);
    lines.add("policy: " + policy.spec());
    lines.add("precision: " + precision.spec());
    lines.add("privacy: " + privacy.map(Privacy::spec).orElse("-"));
    return List.copyOf(lines);
  }
}
