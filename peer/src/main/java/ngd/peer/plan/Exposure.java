package ngd.peer.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.privacy.Privacy;
import ngd.core.question.DescribeKeys;
import ngd.core.question.MethodKeys;
import ngd.core.theory.Conversation;
import ngd.core.theory.Exposed;
import ngd.core.theory.Identification;

/**
 * What sites learn of each other under a plan (docs/privacy.md). Of models in rounds it is computed
 * where the way of the models is known; elsewhere whoever hears a site, directly or through others,
 * is taken to solve for its second moments.
 *
 * @param names of the sites, in the order of the plan
 * @param options what was asked
 * @param followed what is said in rounds, where that was followed
 * @param models what coalitions learn from models; empty where none are exchanged
 * @param statements what a person should know, a sentence each
 */
public record Exposure(
    List<String> names,
    Options options,
    Optional<Conversation> followed,
    List<Exposed> models,
    List<String> statements) {
  public Exposure {
    names = List.copyOf(names);
    models = List.copyOf(models);
    statements = List.copyOf(statements);
  }

  /**
   * What a person asks, and knows beyond the plan.
   *
   * @param coalition the most sites that put together what they know
   * @param rounds instead of those of the plan
   * @param coefficients instead of as many as the formula has terms
   * @param totals whether the pooled second moments are known, as after a pooled fit
   */
  public record Options(
      int coalition, Optional<Integer> rounds, Optional<Integer> coefficients, boolean totals) {
    /** Each site alone, by what the plan says. */
    public static final Options STANDARD =
        new Options(1, Optional.empty(), Optional.empty(), false);
  }

  /** What a person should know before the plan is signed, a sentence each. */
  public static List<String> statements(Plan plan) {
    return of(plan, Options.STANDARD).statements();
  }

  /** What coalitions up to a size learn. */
  public static Exposure of(Plan plan, Options options) {
    int sites = plan.sites().size();
    if (options.coalition() < 1 || options.coalition() >= sites) {
      throw new InvalidInput(
          "coalition: must be at least 1 site and at most %d, all but one of the plan; got %d"
              .formatted(sites - 1, options.coalition()));
    }
    if (plan.standing()) {
      return new Exposure(
          plan.names(),
          options,
          Optional.empty(),
          List.of(),
          List.of(
              "questions come later, and what sites learn depends on each: `ngd federation ask`"
                  + " says it before it asks"));
    }
    if (plan.privacy().isPresent()) {
      return new Exposure(
          plan.names(),
          options,
          Optional.empty(),
          List.of(),
          List.of(noise(plan, plan.privacy().get())));
    }
    List<String> statements = new ArrayList<>();
    List<Exposed> models = List.of();
    Optional<Conversation> followed = Optional.empty();
    boolean sums =
        plan.kind() != QuestionKind.FIT
            || (plan.pooled() && !MethodKeys.pooledByRounds(plan.question()));
    boolean central =
        !sums && !plan.pooled() && MethodKeys.choice(plan.question()).descriptor().central();
    if (central) {
      AlgorithmChoice choice = MethodKeys.choice(plan.question());
      Optional<String> apart = apart(choice);
      if (apart.isPresent()) {
        models =
            Identification.byReach(Network.of(new Topology.Complete(sites)), options.coalition());
        statements.addAll(new ExposureSentences(plan.names(), apart.get(), followed).of(models));
      }
      if (!choice.selection().shows().isEmpty()) {
        statements.add(
            "selection %s: each site's %s is shown to all"
                .formatted(choice.selection().spec(), choice.selection().shows()));
      }
    }
    if (!sums && !central) {
      PlanConversation conversation = PlanConversation.of(plan, options);
      followed = conversation.said();
      models =
          followed
              .map(said -> Identification.of(said, options.coalition()))
              .orElseGet(() -> Identification.byReach(plan.network(), options.coalition()));
      statements.addAll(
          new ExposureSentences(plan.names(), conversation.unknown(), followed).of(models));
    }
    if (plan.kind() == QuestionKind.DESCRIBE && plan.question().get(DescribeKeys.BY_SITE)) {
      statements.add("each site's own numbers are shown to all, as far as its rules let them out");
    }
    if (plan.kind() == QuestionKind.CHECK) {
      statements.add(
          "each site shows all others its own second moments, gradients and Hessians, from which"
              + " those of 0/1 columns follow as tables of counts");
    }
    statements.add(ExposureSentences.ofSums(sites - 1));
    return new Exposure(plan.names(), options, followed, models, statements);
  }

  /** Why sums of a central method tell sites apart; nothing where they do not. */
  private static Optional<String> apart(AlgorithmChoice choice) {
    if (!choice.selection().everybody()) {
      return Optional.of(
          "the sums of a round are over the sites selected in it alone, and over ever other sets of"
              + " sites they show each of them");
    }
    return choice.descriptor().keepsOwnMemory()
        ? Optional.of(
            "sites of %s keep a memory of their own, and sums of many rounds over it are enough to"
                    .formatted(choice.descriptor().name())
                + " solve for each site's moments, though not for whose they are")
        : Optional.empty();
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
