package ngd.app.fit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import ngd.core.answer.MethodAnswer;
import ngd.core.fit.Contender;
import ngd.core.fit.MethodRun;
import ngd.core.simulation.Cost;
import ngd.core.simulation.Quartiles;
import ngd.core.simulation.Trace;

/**
 * One method of a comparison, as tables and figures show it: medians over the seeds.
 *
 * @param secondsPerRound the time that a round takes once the compiler is done, measured without
 *     looks at the estimates; NaN where none could be run, or before
 */
record ComparedMethod(Contender contender, Contender.Outcome outcome, double secondsPerRound) {
  /** The same with the time that a round takes. */
  ComparedMethod timed(double seconds) {
    return new ComparedMethod(contender, outcome, seconds);
  }

  /** The first seed, with the step size and rounds that count. */
  MethodRun run() {
    return contender.seeds().getFirst().asking(best().question());
  }

  boolean asynchronous() {
    return run().choice().descriptor().asynchronous();
  }

  String word() {
    return contender.word();
  }

  Contender.Attempt best() {
    return outcome.best();
  }

  boolean failed() {
    return best().failed();
  }

  int failures() {
    return (int) best().runs().stream().filter(run -> run.answer().isEmpty()).count();
  }

  /** Why its first failing seed failed. */
  String failure() {
    return best().runs().stream()
        .map(Contender.SeedRun::failure)
        .filter(why -> !why.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** The answers of the seeds that came to an end. */
  List<MethodAnswer> answers() {
    return best().runs().stream().flatMap(run -> run.answer().stream()).toList();
  }

  /** Whether its distance to a global estimate is known. */
  boolean measured() {
    return answers().stream().anyMatch(answer -> answer.last("distance").isPresent());
  }

  /** The rounds of all runs of a seed together; an extrapolation has several. */
  int rounds() {
    return answers().stream().mapToInt(MethodAnswer::allRounds).max().orElse(best().rounds());
  }

  double seconds() {
    return secondsPerRound * rounds();
  }

  /** The median over seeds of what a run cost in all. */
  double cost(ToDoubleFunction<Cost> of) {
    return median(
        answers().stream().map(one -> one.course().cost().orElse(Cost.NONE)).toList(), of);
  }

  /** The median over seeds of the last value of a measure. */
  Optional<Double> last(String measure) {
    List<Double> known = answers().stream().flatMap(one -> one.last(measure).stream()).toList();
    return known.isEmpty() ? Optional.empty() : Optional.of(median(known, value -> value));
  }

  private static <T> double median(List<T> of, ToDoubleFunction<T> value) {
    return Quartiles.of(of.stream().mapToDouble(value).toArray()).median();
  }

  /** The traces of the seeds that came to an end. */
  List<Trace> traces() {
    return answers().stream().flatMap(answer -> answer.course().trace().stream()).toList();
  }

  /** How often the runs were looked at. */
  int looks() {
    return traces().stream().mapToInt(Trace::size).min().orElse(0);
  }

  /** The rounds done at a look. */
  int round(int look) {
    return traces().getFirst().round(look);
  }

  /** What the runs had cost at a look, the median over seeds. */
  double cost(int look, ToDoubleFunction<Cost> of) {
    return median(traces(), trace -> of.applyAsDouble(trace.cost(look)));
  }

  /** The quartiles over seeds of a measure at a look; seeds that failed count as infinite. */
  Quartiles value(int look, String measure) {
    double[] values = new double[best().runs().size()];
    Arrays.fill(values, Double.POSITIVE_INFINITY);
    List<Trace> traces = traces();
    for (int i = 0; i < traces.size(); i++) {
      values[i] = traces.get(i).value(look, measure);
    }
    return Quartiles.of(values);
  }
}
