package ngd.core.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.Problems;
import ngd.core.question.ClientKeys;
import ngd.core.question.CompareKeys;
import ngd.core.question.Question;

/**
 * Several methods on the same data and network, each within the same budget, over one seed or
 * several.
 *
 * @param setups what is asked of, seed by seed
 */
public record Comparison(CompareKeys.Asked asked, List<FitSetup> setups, List<Contender> methods) {
  public Comparison {
    setups = List.copyOf(setups);
    methods = List.copyOf(methods);
  }

  /** Reads the data for every seed, and refuses methods that do not suit them. */
  public static Comparison of(CompareKeys.Asked asked, int threads, Problems problems) {
    List<Map.Entry<String, Question>> words = List.copyOf(asked.each().entrySet());
    List<FitSetup> setups = new ArrayList<>();
    List<List<MethodRun>> runs = new ArrayList<>();
    long first = asked.question().get(ClientKeys.SEED);
    int seeds = asked.question().get(CompareKeys.SEEDS);
    for (long seed = first; seed < first + seeds && !problems.any(); seed++) {
      long own = seed;
      List<Question> questions =
          words.stream().map(word -> word.getValue().with(ClientKeys.SEED, own)).toList();
      Problems its = new Problems();
      FitSetup setup = FitSetup.of(questions.getFirst(), its);
      if (setup != null) {
        setups.add(setup);
        runs.add(MethodRun.prepareAll(setup, questions, threads, its));
      }
      its.each(
          problem -> problems.add(seeds > 1 ? "seed %d: %s".formatted(own, problem) : problem));
    }
    problems.throwIfAny();
    List<Contender> methods = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      int method = i;
      methods.add(
          new Contender(
              words.get(i).getKey(),
              runs.stream().map(own -> own.get(method).under(asked.impairments())).toList(),
              asked.budget(),
              asked.tuned().contains(words.get(i).getKey())
                  ? asked.question().find(CompareKeys.TUNE)
                  : Optional.empty(),
              threads));
    }
    return new Comparison(asked, setups, methods);
  }

  /** The seeds, in the order of the runs. */
  public List<Long> seeds() {
    long first = asked.question().get(ClientKeys.SEED);
    return IntStream.range(0, setups.size()).mapToObj(i -> first + i).toList();
  }

  /** The data of the first seed. */
  public FitSetup setup() {
    return setups.getFirst();
  }
}
