package ngd.core.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import ngd.core.InvalidInput;
import ngd.core.rows.Rows;

/**
 * What was measured of a run on a grid of rounds: its first, its last, and every so many between.
 */
public final class Trace {
  private final List<Measure> measures;
  private final List<Integer> rounds = new ArrayList<>();
  private final List<double[]> values = new ArrayList<>();
  private final List<Traffic> traffic = new ArrayList<>();

  private Trace(List<Measure> measures) {
    this.measures = List.copyOf(measures);
  }

  /**
   * Advances the run by {@code rounds} and measures it now, after every {@code every} and at the
   * end.
   */
  public static Trace of(Run<?> run, int rounds, int every, Measure... measures) {
    return of(run, rounds, every, Arrays.asList(measures), done -> {});
  }

  /** The same, telling {@code progress} the rounds done whenever it measures. */
  public static Trace of(
      Run<?> run, int rounds, int every, List<Measure> measures, IntConsumer progress) {
    if (every < 1) {
      throw new InvalidInput("trace: must be every 1 round or more; got " + every);
    }
    Trace trace = new Trace(measures);
    trace.measure(run);
    int end = run.round() + rounds;
    while (run.round() < end) {
      run.advance(Math.min(every, end - run.round()));
      trace.measure(run);
      progress.accept(run.round());
    }
    return trace;
  }

  /**
   * Lets {@code seconds} of an asynchronous run pass and measures it now, after every {@code every}
   * and at the end; its rounds are the simulated seconds.
   */
  public static Trace of(
      EventRun<?> run, int seconds, int every, List<Measure> measures, IntConsumer progress) {
    Trace trace = new Trace(measures);
    int now = 0;
    trace.add(now, run.theta(), run.traffic());
    while (now < seconds) {
      int step = Math.min(every, seconds - now);
      run.advance(step);
      now += step;
      trace.add(now, run.theta(), run.traffic());
      progress.accept(now);
    }
    return trace;
  }

  private void measure(Run<?> run) {
    add(run.round(), run.theta(), run.traffic());
  }

  /** A trace to be filled by hand. */
  static Trace empty(List<Measure> measures) {
    return new Trace(measures);
  }

  /** Measures these estimates, as those of the given round. */
  void add(int round, Rows theta, Traffic sent) {
    rounds.add(round);
    traffic.add(sent);
    values.add(measures.stream().mapToDouble(measure -> measure.of(theta)).toArray());
  }

  /** The same with these estimates in the place of the last. */
  Trace endingWith(Rows theta) {
    Trace other = new Trace(measures);
    int last = size() - 1;
    other.rounds.addAll(rounds.subList(0, last));
    other.traffic.addAll(traffic.subList(0, last));
    other.values.addAll(values.subList(0, last));
    other.add(rounds.get(last), theta, traffic.get(last));
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

  /** What had been sent by then. */
  public Traffic traffic(int index) {
    return traffic.get(index);
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
