package ngd.core.question;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.Problems;

/** What a comparison of algorithms may be asked: a fit's question for several of them. */
public final class CompareKeys {
  private CompareKeys() {}

  public static final Key<List<String>> ALGORITHMS =
      Key.list("algorithms", "WORD").help("Algorithms to compare, written as for fit --algorithm.");

  /** All of them. */
  public static final List<Key<?>> ALL = all();

  private static List<Key<?>> all() {
    List<Key<?>> all = new ArrayList<>(List.of(ALGORITHMS));
    FitKeys.ALL.stream()
        .filter(key -> key != MethodKeys.ALGORITHM && !PooledKeys.ALL.contains(key))
        .forEach(all::add);
    return List.copyOf(all);
  }

  /**
   * What is compared.
   *
   * @param question the whole, for the manifest
   * @param each a fit's question for each algorithm
   */
  public record Asked(Question question, Map<String, Question> each) {}

  /** The questions that these words ask; every problem is collected. */
  public static Asked read(Words words, Problems problems) {
    Question whole = Question.read(ALL, words, problems);
    Map<String, Question> each = new LinkedHashMap<>();
    List<String> algorithms = whole.find(ALGORITHMS).orElse(List.of());
    problems.require(
        !algorithms.isEmpty(),
        words.problem(ALGORITHMS, "must be given: the algorithms to compare"));
    for (String algorithm : algorithms) {
      problems.require(
          !each.containsKey(algorithm),
          words.problem(ALGORITHMS, "`%s` is given twice".formatted(algorithm)));
      if (algorithm.startsWith("pooled")) {
        problems.add(
            words.problem(
                ALGORITHMS,
                "must be methods, which are compared with the pooled estimate; got `%s`"
                    .formatted(algorithm)));
        continue;
      }
      Problems own = new Problems();
      Question question = FitKeys.read(words.but(MethodKeys.ALGORITHM, algorithm), own);
      own.each(
          problem ->
              problems.add(
                  algorithms.size() > 1 ? "%s: %s".formatted(algorithm, problem) : problem));
      each.put(algorithm, question);
    }
    return new Asked(whole, each);
  }
}
