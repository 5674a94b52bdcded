package ngd.core.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.WorkFailed;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.answer.MethodAnswer;
import ngd.core.question.Budget;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.question.StepSearch;
import ngd.core.simulation.Cost;
import ngd.core.simulation.Quartiles;
import ngd.core.simulation.SimulatedRun;
import ngd.core.world.Diverged;

/**
 * One of several methods that are compared.
 *
 * @param word what it is called
 * @param seeds the method on the data of each seed
 * @param search where its step size is to be found
 */
public record Contender(
    String word, List<MethodRun> seeds, Budget budget, Optional<StepSearch> search, int threads) {
  /** A method that has spent nothing after this many rounds never will. */
  private static final int IDLE = 1000;

  public Contender {
    seeds = List.copyOf(seeds);
  }

  /**
   * What became of one seed.
   *
   * @param answer none where it failed
   * @param failure why it did; empty where it did not
   */
  public record SeedRun(Optional<MethodAnswer> answer, String failure) {
    /** How far it ended from the global estimate; infinite where it failed. */
    public double distance() {
      return answer.flatMap(found -> found.last("distance")).orElse(Double.POSITIVE_INFINITY);
    }
  }

  /**
   * All seeds at one step size.
   *
   * @param question what the first seed was asked, with step size and rounds
   */
  public record Attempt(Question question, List<SeedRun> runs) {
    public Attempt {
      runs = List.copyOf(runs);
    }

    /** The quartiles over seeds of the distance to the global estimate. */
    public Quartiles distance() {
      return Quartiles.of(runs.stream().mapToDouble(SeedRun::distance).toArray());
    }

    /** The rounds that it had. */
    public int rounds() {
      return question.get(MethodKeys.ROUNDS);
    }

    /** The step size in words; {@code none} where it takes none. */
    public String alpha() {
      return MethodKeys.choice(question).step().spec();
    }

    /** Whether no seed came to an end. */
    public boolean failed() {
      return runs.stream().allMatch(run -> run.answer().isEmpty());
    }
  }

  /**
   * What became of it.
   *
   * @param best the attempt that counts
   * @param tried all attempts, where the step size was searched for
   */
  public record Outcome(Attempt best, List<Attempt> tried) {
    public Outcome {
      tried = List.copyOf(tried);
    }
  }

  /**
   * Runs it, searching for a step size where that is asked.
   *
   * @param progress is told how many attempts are done
   */
  public Outcome run(IntConsumer progress) {
    List<Attempt> tried = new ArrayList<>();
    if (search.isEmpty()) {
      tried.add(attempt(question()));
      progress.accept(1);
      return new Outcome(tried.getFirst(), List.of());
    }
    requireEstimates();
    StepTuning tuning =
        new StepTuning(
            alpha -> {
              Attempt attempt = attempt(question().with(MethodKeys.ALPHA, given(alpha)));
              tried.add(attempt);
              progress.accept(tried.size());
              return attempt.distance().median();
            });
    StepSearch steps = search.get();
    int best = steps.given().isEmpty() ? tuning.around(scale()) : tuning.among(steps.given());
    return new Outcome(tried.get(best), tried);
  }

  private static StepChoice given(double alpha) {
    return new StepChoice.Given(StepSize.constant(alpha));
  }

  private Question question() {
    return seeds.getFirst().setup().question();
  }

  private void requireEstimates() {
    if (seeds.stream().anyMatch(seed -> seed.globalEstimate().isEmpty())) {
      throw new InvalidInput(
          "tune: needs a global estimate, to which the distance is made small; these data have none");
    }
  }

  /** The safe limit of the first seed, or of a method without one what NGD's would be. */
  private double scale() {
    MethodRun first = seeds.getFirst();
    return first.safeAlpha().orElseGet(first::curvatureStep);
  }

  private Attempt attempt(Question asked) {
    int rounds;
    try {
      rounds = rounds(asked);
    } catch (Diverged diverged) {
      SeedRun failed = new SeedRun(Optional.empty(), String.valueOf(diverged.getMessage()));
      return new Attempt(asked, seeds.stream().map(_ -> failed).toList());
    }
    Question full = asked.with(MethodKeys.ROUNDS, rounds);
    SeedRun[] runs = new SeedRun[seeds.size()];
    boolean together = threads > 1 && seeds.size() > 1;
    IntStream indices = IntStream.range(0, runs.length);
    (together ? indices.parallel() : indices)
        .forEach(
            i -> {
              MethodRun seed = together ? seeds.get(i).on(1) : seeds.get(i);
              runs[i] = run(seed.asking(ofSeed(seed, full)));
            });
    return new Attempt(full, Arrays.asList(runs));
  }

  /** A question as a seed is asked it. */
  private static Question ofSeed(MethodRun seed, Question asked) {
    Question own = seed.setup().question().with(MethodKeys.ROUNDS, asked.get(MethodKeys.ROUNDS));
    return asked.find(MethodKeys.ALPHA).map(alpha -> own.with(MethodKeys.ALPHA, alpha)).orElse(own);
  }

  private static SeedRun run(MethodRun run) {
    try {
      return new SeedRun(Optional.of(run.run((_, _) -> {})), "");
    } catch (WorkFailed failed) {
      return new SeedRun(Optional.empty(), String.valueOf(failed.getMessage()));
    }
  }

  /** The most rounds that stay within the budget under every seed. */
  private int rounds(Question asked) {
    if (budget.kind() == Budget.Kind.ROUNDS) {
      return Math.toIntExact(budget.amount());
    }
    int most = Integer.MAX_VALUE;
    for (MethodRun seed : seeds) {
      most = Math.min(most, rounds(seed.asking(ofSeed(seed, asked)), most));
    }
    return most;
  }

  /** Counts rounds of a run of its own: the costs of rounds may differ. */
  private int rounds(MethodRun method, int most) {
    try (SimulatedRun run = method.begin()) {
      while (run.round() < most) {
        run.advance(1);
        Cost cost = run.cost();
        double spent = budget.spent(run.round(), cost);
        if (spent > budget.amount()) {
          requireOne(run.round(), spent);
          return run.round() - 1;
        }
        if (spent == 0 && run.round() == IDLE) {
          throw new InvalidInput(
              "budget: `%s` spends no %s, so that it would run for ever; give --budget rounds:T"
                  .formatted(word, budget.kind().spec()));
        }
      }
      return most;
    }
  }

  private void requireOne(int round, double spent) {
    if (round == 1) {
      throw new InvalidInput(
          "budget: one round of `%s` takes %s %s; got %s"
              .formatted(word, NumberText.text(spent), budget.kind().spec(), budget.spec()));
    }
  }
}
