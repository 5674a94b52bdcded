package ngd.core.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import ngd.core.InvalidInput;
import ngd.core.rows.Rows;

/**
 * What was measured of a run on a grid of rounds: the first, the last, and every k-th between.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="trace"}
 */
public final class Trace {
  private final List<Measure> measures;
  private final List<Integer> rounds = new ArrayList<>();
  private final List<double[]> values = new ArrayList<>();
  private final List<Cost> costs = new ArrayList<>();

  private Trace(List<Measure> measures) {
    this.measures = List.copyOf(measures);
  }

  /**
   * Advances the run by {@code rounds}, or as many simulated seconds, and measures it now, after
   * every {@code every} and at the end.
   */
  public static Trace of(SimulatedRun run, int rounds, int every, Measure... measures) {
    return of(run, rounds, every, Arrays.asList(measures), done -> {});
  }

  /** The same, telling {@code progress} the rounds done whenever it measures. */
  public static Trace of(
      SimulatedRun run, int rounds, int every, List<Measure> measures, IntConsumer progress) {
    if (every < 1) {
      throw new InvalidInput("trace: must be every 1 round or more; got " + every);
    }
    Trace trace = new Trace(measures);
    trace.add(run);
    int start = run.round();
    int end = start + rounds;
    run.advance(
        rounds,
        round -> (round - start) % every == 0 || round == end,
        () -> {
          trace.add(run);
          progress.accept(run.round());
        });
    return trace;
  }

  /** A trace to be filled by hand. */
  public static Trace empty(List<Measure> measures) {
    return new Trace(measures);
  }

  /** Measures a run as it stands. */
  void add(SimulatedRun run) {
    add(run.round(), run.theta(), run.cost());
  }

  /** Measures these estimates, as those of the given round. */
  public void add(int round, Rows theta, Cost spent) {
    rounds.add(round);
    costs.add(spent);
    values.add(measures.stream().mapToDouble(measure -> measure.of(theta)).toArray());
  }

  /** The same at every second look, its first and last among them: half as long. */
  public Trace thinned() {
    Trace other = new Trace(measures);
    for (int i = 0; i < size(); i++) {
      if (i % 2 == 0 || i == size() - 1) {
        other.rounds.add(rounds.get(i));
        other.costs.add(costs.get(i));
        other.values.add(values.get(i));
      }
    }
    return other;
  }

  /** The same with these estimates in the place of the last. */
  public Trace endingWith(Rows theta) {
    Trace other = new Trace(measures);
    int last = size() - 1;
    other.rounds.addAll(rounds.subList(0, last));
    other.costs.addAll(costs.subList(0, last));
    other.values.addAll(values.subList(0, last));
    other.add(rounds.get(last), theta, costs.get(last));
    return other;
  }

  public List<String> columns() {
    return measures.stream().map(Measure::name).toList();
  }

  /** The number of rounds at which something was measured. */
  public int size() {
    return rounds.size();
  }

  public int round(int index) {
    return rounds.get(index);
  }

  /** What the run had cost by then. */
  public Cost cost(int index) {
    return costs.get(index);
  }

  public double value(int index, String column) {
    int at = columns().indexOf(column);
    if (at < 0) {
      throw new IllegalArgumentException(
          "trace: columns are %s; got `%s`".formatted(columns(), column));
    }
    return values.get(index)[at];
  }

  /** The last value of a column. */
  public double last(String column) {
    return value(size() - 1, column);
  }
}
