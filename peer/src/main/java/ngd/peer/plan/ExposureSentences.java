package ngd.peer.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import ngd.core.theory.Conversation;
import ngd.core.theory.Exposed;
import ngd.core.theory.Exposed.Finding;
import ngd.core.theory.Exposed.Verdict;

/**
 * What coalitions learn, in sentences.
 *
 * @param unknown why the way of the models is not known
 * @param followed what is said in rounds, where that was followed
 */
record ExposureSentences(List<String> names, String unknown, Optional<Conversation> followed) {
  /** Coalitions of several sites that are named one by one. */
  private static final int NAMED = 20;

  private static final String SMALL = "and in small models for their tables and single rows";
  private static final String REMEDY =
      "the network does not prevent it, sums (algorithm: pooled) or noise (privacy) do";

  /** What sums over all sites tell. */
  static String ofSums(int others) {
    if (others == 1) {
      return "masked sums: with two sites each knows the other's terms, the sum minus its own;"
          + " masks hide nothing";
    }
    if (others >= MaskGraph.ALL_PAIRS) {
      return ofMany(others + 1);
    }
    return "masked sums: each site learns sums over the other %d; %s%s others together know a site's own terms"
        .formatted(
            others,
            others == 2 ? "" : "any 2 together those over the other %d; ".formatted(others - 1),
            others == 2 ? "both" : "all " + others);
  }

  /** What holds where each site shares masks with some others alone. */
  private static String ofMany(int sites) {
    int partners = MaskGraph.partners(sites);
    int colluding = MaskGraph.colluding(sites);
    return "masked sums: each site learns sums over the other %d; any %d of the %d together no more than sums over the rest, but for a probability of at most %.0e; the %d that share masks with a site, drawn at random, and a neighbour of it together know its own terms"
        .formatted(
            sites - 1, colluding, sites, MaskGraph.breaking(sites, colluding, partners), partners);
  }

  List<String> of(List<Exposed> all) {
    List<String> sentences = new ArrayList<>();
    List<Exposed> alone = all.stream().filter(one -> one.coalition().size() == 1).toList();
    List<Exposed> solving = alone.stream().filter(one -> every(one, Verdict.SOLVED)).toList();
    List<Exposed> assumed = alone.stream().filter(one -> every(one, Verdict.ASSUMED)).toList();
    if (!solving.isEmpty()) {
      sentences.add(
          "models in rounds: %s can solve for the second moments of every other %s, %s; %s"
              .formatted(each(solving), when(solving, Verdict.SOLVED), SMALL, REMEDY));
    }
    if (!assumed.isEmpty()) {
      sentences.add(
          "models in rounds: assume that %s can solve for the second moments of every other, %s; %s"
              .formatted(
                  assumed.size() == names.size() ? "every site" : each(assumed), SMALL, REMEDY));
    }
    List<Exposed> mixed = alone.stream().filter(one -> every(one, Verdict.MIXED)).toList();
    if (!mixed.isEmpty()) {
      sentences.add(
          "models in rounds: what %s hears does not determine the second moments of any other, only combinations of them; together with other knowledge, such as pooled moments (--totals), these may"
              .formatted(each(mixed)));
    }
    alone.stream()
        .filter(one -> !solving.contains(one) && !assumed.contains(one) && !mixed.contains(one))
        .forEach(one -> sentences.addAll(of(one, Set.of())));
    sentences.addAll(together(all));
    if (all.stream().anyMatch(one -> !one.sites(Verdict.ASSUMED).isEmpty())) {
      sentences.add("assumed, because " + reason(all));
    }
    if (all.stream().anyMatch(one -> !one.sites(Verdict.SOLVED).isEmpty())) {
      sentences.add(
          "computed for %d coefficients and data of unit scale".formatted(coefficients()));
    }
    return sentences;
  }

  private int coefficients() {
    return followed.map(Conversation::coefficients).orElse(0);
  }

  /** What coalitions of several sites learn beyond what parts of them do. */
  private List<String> together(List<Exposed> all) {
    List<String> sentences = new ArrayList<>();
    int unnamed = 0;
    int largest = all.getLast().coalition().size();
    for (int size = 2; size <= largest; size++) {
      int exactly = size;
      List<Exposed> these = all.stream().filter(one -> one.coalition().size() == exactly).toList();
      if (these.stream().allMatch(one -> every(one, Verdict.SOLVED))) {
        sentences.add(
            "models in rounds: any %d sites together can solve for the second moments of every other %s"
                .formatted(size, when(these, Verdict.SOLVED)));
        continue;
      }
      for (Exposed one : these) {
        List<String> own = of(one, byParts(one, all));
        if (sentences.size() < NAMED) {
          sentences.addAll(own);
        } else if (!own.isEmpty()) {
          unnamed++;
        }
      }
    }
    if (unnamed > 0) {
      sentences.add(
          "models in rounds: %d more coalitions learn more together than apart (--format json lists them)"
              .formatted(unnamed));
    }
    return sentences;
  }

  /** The sites that a part of a coalition already solves for, or must be assumed to. */
  private static Set<Integer> byParts(Exposed one, List<Exposed> all) {
    Set<Integer> found = new HashSet<>();
    all.stream()
        .filter(
            part ->
                part.coalition().size() < one.coalition().size()
                    && one.coalition().containsAll(part.coalition()))
        .forEach(
            part -> {
              found.addAll(part.sites(Verdict.SOLVED));
              found.addAll(part.sites(Verdict.ASSUMED));
            });
    return found;
  }

  /** What one coalition learns of the sites that are not said yet. */
  private List<String> of(Exposed one, Set<Integer> said) {
    List<String> sentences = new ArrayList<>();
    String who =
        one.coalition().size() == 1
            ? named(one.coalition()) + " alone"
            : named(one.coalition()) + " together";
    List<Integer> solved = left(one, Verdict.SOLVED, said);
    if (!solved.isEmpty()) {
      sentences.add(
          "models in rounds: %s can solve for the second moments of %s %s, %s"
              .formatted(who, named(solved), when(List.of(one), Verdict.SOLVED), SMALL));
    }
    List<Integer> assumed = left(one, Verdict.ASSUMED, said);
    if (!assumed.isEmpty()) {
      sentences.add(
          "models in rounds: assume that %s can solve for the second moments of %s, %s"
              .formatted(who, named(assumed), SMALL));
    }
    if (one.coalition().size() > 1) {
      return sentences;
    }
    List<Integer> mixed = one.sites(Verdict.MIXED);
    if (!mixed.isEmpty()) {
      List<String> partly =
          one.findings().stream()
              .filter(f -> f.verdict() == Verdict.MIXED && f.known() > 0)
              .map(
                  f ->
                      "of %s %d of %d numbers"
                          .formatted(names.get(f.site()), f.known(), f.unknowns()))
              .toList();
      sentences.add(
          "models in rounds: what %s hears does not determine the second moments of %s, only combinations of them%s; together with other knowledge, such as pooled moments (--totals), these may"
              .formatted(
                  named(one.coalition()),
                  named(mixed),
                  partly.isEmpty() ? "" : " (alone " + String.join(", ", partly) + ")"));
    }
    List<Integer> unheard = one.sites(Verdict.UNHEARD);
    if (!unheard.isEmpty()) {
      sentences.add(
          "models in rounds: nothing that %s hears depends on the data of %s"
              .formatted(named(one.coalition()), named(unheard)));
    }
    return sentences;
  }

  private static List<Integer> left(Exposed one, Verdict verdict, Set<Integer> said) {
    return one.sites(verdict).stream().filter(site -> !said.contains(site)).toList();
  }

  private static boolean every(Exposed one, Verdict verdict) {
    return one.findings().stream().allMatch(finding -> finding.verdict() == verdict);
  }

  /** From which round on, and how precisely after some more: the worst of some coalitions. */
  private static String when(List<Exposed> coalitions, Verdict verdict) {
    List<Finding> findings =
        coalitions.stream()
            .flatMap(one -> one.findings().stream())
            .filter(finding -> finding.verdict() == verdict)
            .toList();
    int since = findings.stream().mapToInt(Finding::rounds).max().orElse(0);
    int rounds = coalitions.stream().mapToInt(Exposed::rounds).max().orElse(0);
    double accuracy = findings.stream().mapToDouble(Finding::accuracy).max().orElse(0);
    return "from round %d on, after %d rounds to about %s"
        .formatted(since, Math.max(since, rounds), power(accuracy));
  }

  /** The power of ten at or above a number. */
  private static String power(double accuracy) {
    return "1e" + (int) Math.ceil(Math.log10(Math.max(accuracy, Conversation.FLOAT64)));
  }

  private String reason(List<Exposed> all) {
    if (followed.isEmpty()) {
      return unknown;
    }
    boolean computed =
        all.stream().flatMap(one -> one.findings().stream()).anyMatch(f -> f.known() >= 0);
    if (!computed) {
      return "%d sites with %d coefficients are too many to compute"
          .formatted(names.size(), coefficients());
    }
    boolean determined =
        all.stream()
            .flatMap(one -> one.findings().stream())
            .anyMatch(f -> f.verdict() == Verdict.ASSUMED && f.rounds() >= 0);
    return determined
        ? "what is heard determines them, though to fewer than eight digits in the problems tried:"
            + " more rounds, or better conditioned data, may do"
        : "more is said than what was followed: sums of models, changes of the step size, rounds"
            + " that miss a neighbour, or more rounds";
  }

  private String each(List<Exposed> alone) {
    if (alone.size() == names.size()) {
      return "every site alone";
    }
    String who = named(alone.stream().map(one -> one.coalition().getFirst()).toList());
    return alone.size() == 1 ? who + " alone" : "each of %s alone".formatted(who);
  }

  private String named(List<Integer> sites) {
    List<String> words = sites.stream().map(names::get).toList();
    return words.size() == 1
        ? words.getFirst()
        : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
  }
}
