package ngd.peer.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.question.CheckKeys;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.DescribeKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;

/** What a plan may ask: a rehearsal's question, but for what each site has of its own. */
public final class PlanKeys {
  private PlanKeys() {}

  public static final Key<QuestionKind> KIND =
      Key.of("kind", "WORD", QuestionKind::parse, QuestionKind::word)
          .standard("fit")
          .help(
              "What is asked: fit (the default), describe or check, with the options of the command"
                  + " of that name.");

  /** A model; that it is one need not be said. */
  public static final List<Key<?>> FIT = fit();

  static final List<Key<?>> DESCRIBE = describe();

  static final List<Key<?>> CHECK = check();

  /** What any of them may say. */
  public static final List<Key<?>> ALL = all();

  private static List<Key<?>> fit() {
    List<Key<?>> all = new ArrayList<>(ModelKeys.AGREED);
    all.add(DataKeys.MISSING);
    all.addAll(DataKeys.READING);
    all.add(ClientKeys.SEED);
    all.addAll(MethodKeys.AGREED);
    all.addAll(PooledKeys.ALL);
    return List.copyOf(all);
  }

  private static List<Key<?>> describe() {
    List<Key<?>> all = new ArrayList<>(List.of(KIND));
    all.addAll(DescribeKeys.AGREED);
    all.addAll(DataKeys.READING);
    all.add(ClientKeys.SEED);
    return List.copyOf(all);
  }

  /** What the theory leaves out may be said, and is said to be; noise is none of its business. */
  private static List<Key<?>> check() {
    List<Key<?>> all = new ArrayList<>(List.of(KIND));
    all.addAll(FIT);
    all.removeAll(PooledKeys.ALL);
    all.remove(MethodKeys.PRIVACY);
    return List.copyOf(all);
  }

  private static List<Key<?>> all() {
    LinkedHashSet<Key<?>> all = new LinkedHashSet<>(List.of(KIND));
    for (QuestionKind kind : QuestionKind.values()) {
      all.addAll(kind.keys());
    }
    return List.copyOf(all);
  }

  /** The question that these words ask; every problem is collected. */
  public static Question read(Words words, Problems problems) {
    QuestionKind kind = kind(words, problems);
    for (Key<?> key : ALL) {
      if (words.says(key) && !key.equals(KIND) && !kind.keys().contains(key)) {
        List<String> fitting = new ArrayList<>();
        for (QuestionKind other : QuestionKind.values()) {
          if (other.keys().contains(key)) {
            fitting.add("--kind " + other.word());
          }
        }
        problems.add(
            words.problem(key, "works only with %s".formatted(String.join(" or ", fitting))));
      }
    }
    if (kind == QuestionKind.CHECK) {
      CheckKeys.complete(words);
    }
    Question question = Question.read(kind.keys(), words, problems);
    if (!problems.any()) {
      switch (kind) {
        case FIT -> {}
        case DESCRIBE -> DescribeKeys.requireSound(question, problems);
        case CHECK -> CheckKeys.check(question, problems);
      }
    }
    return question;
  }

  private static QuestionKind kind(Words words, Problems problems) {
    Optional<Words.Said> said = words.find(KIND);
    if (said.isEmpty()) {
      return QuestionKind.FIT;
    }
    try {
      return QuestionKind.parse(said.get().words().getFirst());
    } catch (InvalidInput e) {
      problems.add(
          words.problem(
              KIND, String.valueOf(e.getMessage()).substring((KIND.name() + ": ").length())));
      return QuestionKind.FIT;
    }
  }
}
