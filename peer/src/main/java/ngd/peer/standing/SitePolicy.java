package ngd.peer.standing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.file.YamlTree;
import ngd.core.formula.Formula;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.peer.plan.Plan;

/**
 * Which questions a site answers by itself: its own file, which nobody signs and which may change
 * at any time.
 *
 * @param columns those that questions may use; all where none is named
 * @param hidden those that no question may use
 * @param askers whose questions are answered; all whom the federation lets ask where none is named
 * @param kinds which kinds of questions are answered
 * @param byHand whether a person at the site decides about every question
 * @param takesMembers whether somebody who joins is taken without a person's word
 */
public record SitePolicy(
    List<String> columns,
    List<String> hidden,
    List<String> askers,
    List<Kind> kinds,
    boolean byHand,
    boolean takesMembers) {
  /** Sums alone, from everybody, over everything. */
  public static final SitePolicy STANDARD =
      new SitePolicy(
          List.of(), List.of(), List.of(), List.of(Kind.POOLED, Kind.DESCRIBE), false, false);

  private static final List<String> KEYS =
      List.of("columns", "hidden", "askers", "kinds", "approve", "members");

  public SitePolicy {
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
    /** Summaries of columns. */
    DESCRIBE("describe");

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
      return !question.keys().contains(ModelKeys.FORMULA)
          ? DESCRIBE
          : !MethodKeys.pooled(question)
              ? METHOD
              : MethodKeys.pooledByRounds(question) ? ROUNDS : POOLED;
    }
  }

  /** The policy in a file; the standard one where there is no file. */
  public static SitePolicy read(Path file) {
    if (Files.notExists(file)) {
      return STANDARD;
    }
    List<String> problems = new ArrayList<>();
    YamlTree tree = YamlTree.read(YamlTree.text(file), problems);
    Map<String, List<String>> said = new LinkedHashMap<>();
    if (tree instanceof YamlTree.Keys(_, Map<String, YamlTree.Entry> entries)) {
      entries.forEach(
          (key, entry) -> {
            if (KEYS.contains(key)) {
              said.put(key, words(entry.value()));
            } else {
              problems.add(
                  "line %d: unknown key `%s`%s; there are: %s"
                      .formatted(
                          entry.line(), key, NearestName.hint(key, KEYS), String.join(", ", KEYS)));
            }
          });
    } else if (!(tree instanceof YamlTree.Scalar(_, String text) && text.isBlank())) {
      problems.add("line 1: must hold keys and values, such as `approve: by-hand`");
    }
    if (!problems.isEmpty()) {
      throw new InvalidInput(
          String.join("\n", problems.stream().map(problem -> file + ", " + problem).toList()));
    }
    return new SitePolicy(
        said.getOrDefault("columns", List.of()),
        said.getOrDefault("hidden", List.of()),
        said.getOrDefault("askers", List.of()),
        said.containsKey("kinds")
            ? said.get("kinds").stream().map(Kind::parse).toList()
            : STANDARD.kinds(),
        choice(file, said, "approve", "policy", "by-hand"),
        choice(file, said, "members", "confirm", "accept"));
  }

  /** Whether the second of two words was said; the first holds where nothing is. */
  private static boolean choice(
      Path file, Map<String, List<String>> said, String key, String standard, String other) {
    String word = String.join(" ", said.getOrDefault(key, List.of(standard)));
    if (!word.equals(standard) && !word.equals(other)) {
      throw new InvalidInput(
          "%s: %s: must be %s or %s; got `%s`".formatted(file, key, standard, other, word));
    }
    return word.equals(other);
  }

  private static List<String> words(YamlTree value) {
    return switch (value) {
      case YamlTree.Scalar(_, String text) -> List.of(text.strip().split("[,\\s]+"));
      case YamlTree.Items(_, List<YamlTree> items) ->
          items.stream()
              .map(item -> item instanceof YamlTree.Scalar(_, String text) ? text.strip() : "")
              .toList();
      case YamlTree.Keys _ -> List.of("");
    };
  }

  /** Why a question is not answered, whoever decides; nothing where it may be. */
  public Optional<String> objection(String asker, Plan plan) {
    if (!plan.federation().mayAsk(asker)) {
      return Optional.of("the federation does not let %s ask".formatted(asker));
    }
    if (!askers.isEmpty() && !askers.contains(asker)) {
      return Optional.of("this site does not answer %s".formatted(asker));
    }
    Kind kind = Kind.of(plan.question());
    if (!kinds.contains(kind)) {
      return Optional.of(
          "this site answers questions of kind %s, not %s"
              .formatted(
                  String.join(", ", kinds.stream().map(one -> one.word).toList()), kind.word));
    }
    return kind == Kind.DESCRIBE ? Optional.empty() : columnObjection(plan.question());
  }

  private Optional<String> columnObjection(Question question) {
    Formula formula = Formula.parse(question.get(ModelKeys.FORMULA));
    SequencedSet<String> used = formula.columns();
    if (formula.takesAllOthers() && !(columns.isEmpty() && hidden.isEmpty())) {
      return Optional.of("`.` takes every column, and this site does not share all of them");
    }
    for (String column : used) {
      if (hidden.contains(column) || (!columns.isEmpty() && !columns.contains(column))) {
        return Optional.of("column `%s` is not shared".formatted(column));
      }
    }
    return Optional.empty();
  }
}
