package ngd.core.question;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.Problems;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Algorithms;
import ngd.core.simulation.Impairments;

/** What a comparison of algorithms may be asked: a fit's question for several of them. */
public final class CompareKeys {
  private CompareKeys() {}

  public static final Key<List<String>> ALGORITHMS =
      Key.listed("algorithms", "WORD", MethodWord::joined, words -> words)
          .help(
              "Algorithms to compare, written as for fit --algorithm; each may have its own step"
                  + " size (ngd@0.05), batch, local-steps, mix and codec"
                  + " (choco@0.05+codec=top:2).");

  public static final Key<Budget> BUDGET =
      Key.of("budget", "KIND:AMOUNT", Budget::parse, Budget::spec)
          .help(
              "Let each method run as many whole rounds as stay within rounds:T, gradients:G (rows'"
                  + " gradients), bytes:B (both of all clients together) or seconds:S (simulated),"
                  + " instead of --rounds.");

  public static final Key<StepSearch> TUNE =
      Key.listed("tune", "A", StepSearch::parse, StepSearch::words)
          .help(
              "Find each method's constant step size: of those given (0.1,0.05,0.01), or with auto"
                  + " around its safe limit, the one that ends nearest to the global estimate (the"
                  + " median over seeds). Methods with a step size of their own keep it.");

  public static final Key<Integer> SEEDS =
      Key.whole("seeds", "K", 1)
          .standard("1")
          .help(
              "Repeat with this many seeds, from --seed on, and report medians and quartiles; 1 by"
                  + " default.");

  /** What a comparison has no answer to, or asks in its own words. */
  private static final List<Key<?>> OF_FITS_ALONE =
      List.of(MethodKeys.ALGORITHM, MethodKeys.INTERVALS, MethodKeys.IDENTIFY);

  /** All of them. */
  public static final List<Key<?>> ALL = all();

  private static List<Key<?>> all() {
    List<Key<?>> all = new ArrayList<>(List.of(ALGORITHMS, BUDGET, TUNE, SEEDS));
    FitKeys.ALL.stream()
        .filter(key -> !OF_FITS_ALONE.contains(key) && !PooledKeys.ALL.contains(key))
        .forEach(all::add);
    return List.copyOf(all);
  }

  /** The world's imperfections: of a method in rounds, they make rounds longer. */
  private static final List<Key<?>> OF_TIME =
      List.of(MethodKeys.CLOCKS, MethodKeys.DELAY, MethodKeys.MESSAGE_LOSS, MethodKeys.CHURN);

  /**
   * What is compared.
   *
   * @param question the whole, for the manifest
   * @param each a fit's question for each algorithm; where a budget or a search decides rounds or
   *     step size, those are yet to be found
   * @param tuned whose step size is to be found
   */
  public record Asked(
      Question question, Map<String, Question> each, List<String> tuned, Impairments impairments) {
    /** What each method may spend. */
    public Budget budget() {
      return question
          .find(BUDGET)
          .orElseGet(() -> new Budget(Budget.Kind.ROUNDS, question.get(MethodKeys.ROUNDS)));
    }
  }

  /** The questions that these words ask; every problem is collected. */
  public static Asked read(Words words, Problems problems) {
    Question own = Question.read(List.of(ALGORITHMS, BUDGET, TUNE, SEEDS), words, problems);
    List<String> algorithms = own.find(ALGORITHMS).orElse(List.of());
    problems.require(
        !algorithms.isEmpty(),
        words.problem(ALGORITHMS, "must be given: the algorithms to compare"));
    checkBudget(own, words, problems);
    Map<String, Question> each = new LinkedHashMap<>();
    List<String> tuned = new ArrayList<>();
    Map<String, List<String>> wrong = new LinkedHashMap<>();
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
      Problems its = new Problems();
      question(algorithm, own, words, tuned, its)
          .ifPresent(question -> each.put(algorithm, question));
      its.each(problem -> wrong.computeIfAbsent(problem, _ -> new ArrayList<>()).add(algorithm));
    }
    // What is wrong with all of them is said once.
    Problems ofTime = new Problems();
    Impairments impairments = impairments(words, ofTime);
    ofTime.each(problem -> wrong.put(problem, algorithms));
    wrong.forEach(
        (problem, those) -> {
          if (those.size() == algorithms.size()) {
            problems.add(problem);
          } else {
            // What is a method's own names it already.
            those.forEach(
                one ->
                    problems.add(
                        problem.contains("`" + one + "`") ? problem : one + ": " + problem));
          }
        });
    // What each method makes of it was found above.
    return new Asked(Question.read(ALL, words, new Problems()), each, tuned, impairments);
  }

  private static void checkBudget(Question own, Words words, Problems problems) {
    boolean budget = own.find(BUDGET).isPresent();
    problems.require(
        !budget || !words.says(MethodKeys.ROUNDS),
        words.problem(BUDGET, "takes the place of --rounds; give one of them"));
    if (budget && own.get(BUDGET).kind() != Budget.Kind.ROUNDS) {
      for (Key<?> key : List.of(MethodKeys.PRIVACY, MethodKeys.EXTRAPOLATE)) {
        problems.require(
            !words.says(key),
            words.problem(
                key, "needs rounds that are known beforehand: give --budget rounds:T or --rounds"));
      }
    }
    problems.require(
        own.find(TUNE).isEmpty() || !words.says(MethodKeys.ALPHA),
        words.problem(
            TUNE,
            "finds step sizes that are not given; leave --alpha out, or give single methods theirs"
                + " (ngd@0.05)"));
  }

  /** A fit's question for one method. */
  private static Optional<Question> question(
      String text, Question whole, Words words, List<String> tuned, Problems problems) {
    MethodWord word = problems.collect(() -> MethodWord.parse(text));
    AlgorithmDescriptor descriptor =
        word == null
            ? null
            : problems.collect(() -> Algorithms.parse(word.algorithm()).descriptor());
    if (word == null || descriptor == null) {
      return Optional.empty();
    }
    problems.require(
        word.step().isEmpty() || descriptor.takesStepSize(),
        words.problem(
            ALGORITHMS, "`%s` has no step size; got `%s`".formatted(descriptor.name(), text)));
    Words own = word.in(words);
    if (word.step().isEmpty() && descriptor.takesStepSize() && !words.says(MethodKeys.ALPHA)) {
      problems.require(
          words.says(TUNE),
          words.problem(
              MethodKeys.ALPHA,
              "`%s` needs a step size: --alpha for all, %s@0.05 for this one, or --tune auto"
                  .formatted(descriptor.name(), word.algorithm())));
      tuned.add(text);
      own = own.but(MethodKeys.ALPHA, "1");
    }
    if (words.says(BUDGET)) {
      own = own.but(MethodKeys.ROUNDS, whole.find(BUDGET).map(CompareKeys::rounds).orElse("1"));
    }
    if (!descriptor.asynchronous()) {
      for (Key<?> key : OF_TIME) {
        own = own.without(key);
      }
    }
    return Optional.of(FitKeys.read(own, problems));
  }

  /** As many as the budget says, where it does. */
  private static String rounds(Budget budget) {
    return Long.toString(budget.kind() == Budget.Kind.ROUNDS ? budget.amount() : 1);
  }

  /** What is said of clocks and messages, as an asynchronous method would read it. */
  private static Impairments impairments(Words words, Problems problems) {
    List<Key<?>> keys = new ArrayList<>(OF_TIME);
    keys.add(MethodKeys.ALGORITHM);
    Problems own = new Problems();
    Question time = Question.read(keys, words.but(MethodKeys.ALGORITHM, "async-ngd"), own);
    Impairments found = own.collect(() -> MethodKeys.impairments(time));
    own.each(problems::add);
    return found == null ? Impairments.PERFECT : found;
  }
}
