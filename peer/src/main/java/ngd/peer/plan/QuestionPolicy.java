package ngd.peer.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.formula.Formula;
import ngd.core.question.DescribeKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PenaltyKeys;
import ngd.core.question.Question;

/**
 * Which questions a site of a standing federation answers by itself.
 *
 * @param columns those that questions may use; all where none is named
 * @param hidden those that no question may use
 * @param askers whose questions are answered; all whom the federation lets ask where none is named
 * @param kinds which kinds of questions are answered
 * @param byHand whether a person at the site decides about every question
 * @param takesMembers whether somebody who joins is taken without a person's word
 */
public record QuestionPolicy(
    List<String> columns,
    List<String> hidden,
    List<String> askers,
    List<Kind> kinds,
    boolean byHand,
    boolean takesMembers) {
  /** Sums alone, from everybody, over everything. */
  public static final QuestionPolicy STANDARD =
      new QuestionPolicy(
          List.of(), List.of(), List.of(), List.of(Kind.POOLED, Kind.DESCRIPTION), false, false);

  static final List<String> KEYS =
      List.of("columns", "hidden", "askers", "kinds", "approve", "members");

  public QuestionPolicy {
    columns = List.copyOf(columns);
    hidden = List.copyOf(hidden);
    askers = List.copyOf(askers);
    kinds = List.copyOf(kinds);
  }

  /** Kinds of questions, by what they show. */
  public enum Kind {
    /** The pooled answer from masked sums. */
    POOLED("pooled"),
    /** The pooled answer by rounds, in which sites show models to those who hear them. */
    ROUNDS("pooled-rounds"),
    /** An algorithm by name, in whose rounds sites show models. */
    METHOD("methods"),
    /** A federated method with some of the sites in a round, whose sums are over these alone. */
    SELECTION("selection"),
    /** Counts, means and quantiles over all sites, as far as the site's rules let them out. */
    DESCRIPTION("describe"),
    /** The same with each site's own numbers. */
    DESCRIPTION_BY_SITE("describe-by-site"),
    /** Survival curves with {@code strata(site)}, which show each site's own. */
    CURVES_BY_SITE("curves-by-site"),
    /** Cross-validation, in which sums over folds of the rows are shown. */
    CROSS_VALIDATION("cross-validation"),
    /** The pooled answer by a loss: sums over rows within a distance that the asker chooses. */
    LOSS("losses"),
    /** What the theory says, for which each site shows all others its own second moments. */
    CHECK("check");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    static Kind parse(String word) {
      for (Kind kind : values()) {
        if (kind.word.equals(word)) {
          return kind;
        }
      }
      List<String> words = List.of(values()).stream().map(kind -> kind.word).toList();
      throw new InvalidInput(
          "kinds: must be of %s%s; got `%s`"
              .formatted(String.join(", ", words), NearestName.hint(word, words), word));
    }

    /** The kind of a question. */
    static Kind of(Question question) {
      if (QuestionKind.of(question) == QuestionKind.CHECK) {
        return CHECK;
      }
      if (QuestionKind.of(question) == QuestionKind.DESCRIBE) {
        return question.get(DescribeKeys.BY_SITE) ? DESCRIPTION_BY_SITE : DESCRIPTION;
      }
      if (ModelKeys.curves(question) && ModelKeys.stratifiedBySite(question)) {
        return CURVES_BY_SITE;
      }
      if (PenaltyKeys.validated(question)) {
        return CROSS_VALIDATION;
      }
      if (MethodKeys.pooled(question) && ModelKeys.named(question).isPresent()) {
        return LOSS;
      }
      if (MethodKeys.pooled(question)) {
        return MethodKeys.pooledByRounds(question) ? ROUNDS : POOLED;
      }
      return MethodKeys.choice(question).selection().everybody() ? METHOD : SELECTION;
    }
  }

  /** What a site's file says of questions. */
  static QuestionPolicy of(PlanFields fields) {
    return new QuestionPolicy(
        fields.words("columns", Key.Form.LIST),
        fields.words("hidden", Key.Form.LIST),
        fields.words("askers", Key.Form.LIST),
        fields.has("kinds") ? kinds(fields) : STANDARD.kinds(),
        fields.optional("approve", false, word -> second("approve", "policy", "by-hand", word)),
        fields.optional("members", false, word -> second("members", "confirm", "accept", word)));
  }

  private static List<Kind> kinds(PlanFields fields) {
    List<Kind> kinds = new ArrayList<>();
    for (String word : fields.words("kinds", Key.Form.LIST)) {
      Kind kind = fields.attempt(fields.line("kinds"), () -> Kind.parse(word));
      if (kind != null) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  /** Whether the second of two words was said. */
  private static boolean second(String key, String first, String second, String word) {
    if (!word.equals(first) && !word.equals(second)) {
      throw new InvalidInput("%s: must be %s or %s; got `%s`".formatted(key, first, second, word));
    }
    return word.equals(second);
  }

  /** Why a question is not answered, whoever decides; nothing where it may be. */
  public Optional<String> objection(String asker, Plan plan) {
    if (!plan.federation().mayAsk(asker)) {
      return Optional.of("the federation does not let %s ask".formatted(asker));
    }
    if (!askers.isEmpty() && !askers.contains(asker)) {
      return Optional.of("this site does not answer %s".formatted(asker));
    }
    return objection(plan.question());
  }

  /** The same whoever asks. */
  public Optional<String> objection(Question question) {
    Kind kind = Kind.of(question);
    if (!kinds.contains(kind)) {
      return Optional.of(
          "this site answers questions of kind %s, not %s"
              .formatted(
                  String.join(", ", kinds.stream().map(one -> one.word).toList()), kind.word));
    }
    return columnObjection(question);
  }

  private Optional<String> columnObjection(Question question) {
    Collection<String> used;
    boolean all;
    String every;
    if (QuestionKind.of(question) == QuestionKind.DESCRIBE) {
      used = DescribeKeys.columns(question);
      all = used.isEmpty();
      every = "a description without `columns`";
    } else {
      Formula formula = ModelKeys.wholeFormula(question);
      used = formula.columns();
      all = formula.takesAllOthers();
      every = "`.`";
    }
    if (all && !(columns.isEmpty() && hidden.isEmpty())) {
      return Optional.of(
          "%s takes every column, and this site does not share all of them".formatted(every));
    }
    for (String column : used) {
      if (hidden.contains(column) || (!columns.isEmpty() && !columns.contains(column))) {
        return Optional.of("column `%s` is not shared".formatted(column));
      }
    }
    return Optional.empty();
  }
}
