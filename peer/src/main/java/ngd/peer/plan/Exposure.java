package ngd.peer.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import ngd.core.network.Network;
import ngd.core.privacy.Privacy;
import ngd.core.question.MethodKeys;

/**
 * What sites learn of each other under a plan (docs/privacy.md). Under rounds it is conservative:
 * whoever hears a site, directly or through others, is taken to solve for its second moments.
 */
public final class Exposure {
  private Exposure() {}

  /** What a person should know before the plan is signed, a sentence each. */
  public static List<String> statements(Plan plan) {
    List<String> statements = new ArrayList<>();
    int others = plan.sites().size() - 1;
    if (plan.privacy().isPresent()) {
      statements.add(noise(plan, plan.privacy().get()));
      return statements;
    }
    boolean sums = plan.pooled() && !MethodKeys.pooledByRounds(plan.question());
    boolean central = !plan.pooled() && MethodKeys.choice(plan.question()).descriptor().central();
    if (!sums && !central) {
      statements.addAll(models(plan));
    }
    if (others == 1) {
      statements.add(
          "masked sums: with two sites each knows the other's terms, the sum minus its own; masks"
              + " hide nothing");
    } else {
      statements.add(
          "masked sums: each site learns sums over the other %d; %s%s others together know a site's own terms"
              .formatted(
                  others,
                  others == 2
                      ? ""
                      : "any 2 together those over the other %d; ".formatted(others - 1),
                  others == 2 ? "both" : "all " + others));
    }
    return List.copyOf(statements);
  }

  private static String noise(Plan plan, Privacy privacy) {
    return switch (privacy.noise()) {
      case Privacy.Noise.Local() ->
          "noise: whatever others learn is bounded by %s for every row, even if all of them join forces"
              .formatted(privacy.spec());
      case Privacy.Noise.Correlated(int colluders, _) -> whileFew(plan, privacy, colluders);
      case Privacy.Noise.Central(int colluders, _, _) -> whileFew(plan, privacy, colluders);
    };
  }

  private static String whileFew(Plan plan, Privacy privacy, int colluders) {
    return "noise: whatever others learn is bounded by %s for every row, as long as no more than %s; all %d others together: epsilon %.3g"
        .formatted(
            privacy.spec(),
            colluders == 1 ? "1 site is curious" : colluders + " sites join forces",
            plan.sites().size() - 1,
            MethodKeys.gradientPrivacy(plan.question(), plan.network())
                .orElseThrow()
                .epsilonAgainstAll(privacy.delta()));
  }

  /** Who must be taken to learn whose second moments from models. */
  private static List<String> models(Plan plan) {
    Network network = plan.network();
    List<String> statements = new ArrayList<>();
    boolean everyone = true;
    for (int k = 0; k < network.clients(); k++) {
      List<String> read = reaching(plan, network, k);
      everyone &= read.size() == network.clients() - 1;
      if (!read.isEmpty()) {
        statements.add(
            "models in rounds: assume that %s can solve for the second moments of %s, and in small models for their tables and single rows"
                .formatted(plan.names().get(k), String.join(", ", read)));
      }
    }
    return everyone
        ? List.of(
            "models in rounds: assume that every site can solve for the second moments of every"
                + " other, and in small models for its tables and single rows; the network does not"
                + " prevent it, sums (algorithm: pooled) or noise (privacy) do")
        : statements;
  }

  /** The sites whose data reach a site, through whomever. */
  private static List<String> reaching(Plan plan, Network network, int site) {
    TreeSet<Integer> found = new TreeSet<>();
    Deque<Integer> next = new ArrayDeque<>(List.of(site));
    while (!next.isEmpty()) {
      int at = next.remove();
      for (int m = 0; m < network.clients(); m++) {
        if (m != site && network.weight(at, m) > 0 && found.add(m)) {
          next.add(m);
        }
      }
    }
    return found.stream().map(plan.names()::get).toList();
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
