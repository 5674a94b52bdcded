package ngd.core.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.data.TimeChange;
import ngd.core.formula.RiskTime;

/**
 * The times that all sites share instead of their rows' own. A row that stops between two of them
 * stops at the later one, and one that starts between two of them starts at the earlier one, so
 * that it is at risk throughout; whoever is still at risk after the last is so to its end, without
 * an event.
 *
 * @param times rising, above 0
 * @param strata the names of the strata, at least one, which may be empty
 */
public record TimeGrid(List<Double> times, List<String> strata) {
  public TimeGrid {
    times = List.copyOf(times);
    strata = List.copyOf(strata);
    double last = 0;
    for (double time : times) {
      if (!(time > last) || Double.isInfinite(time)) {
        throw new InvalidInput(
            "times: must be rising numbers above 0, such as 30,60,90; got " + times);
      }
      last = time;
    }
    if (times.isEmpty()) {
      throw new InvalidInput("times: must be at least one, such as 30,60,90; got none");
    }
  }

  public double last() {
    return times.getLast();
  }

  double[] array() {
    return times.stream().mapToDouble(time -> time).toArray();
  }

  /** The times of each stratum. */
  public double[][] arrays() {
    double[][] arrays = new double[strata.size()][];
    Arrays.fill(arrays, array());
    return arrays;
  }

  /** The place of the first time that is not before this one; that of the last where none is. */
  public int at(double time) {
    int found = Collections.binarySearch(times, time);
    return Math.min(found >= 0 ? found : -found - 1, times.size() - 1);
  }

  /** The same rows with times of the grid. */
  public Shards of(Shards shards) {
    return shards.retimed(change());
  }

  /** What becomes of rows that get times of the grid. */
  public TimeChange change() {
    double[] rising = array();
    return new TimeChange() {
      @Override
      public RiskTime time(RiskTime of) {
        return TimeGrid.of(of, rising);
      }

      @Override
      public double event(RiskTime of, double response) {
        return of.stop() > rising[rising.length - 1] ? 0 : response;
      }
    };
  }

  private static RiskTime of(RiskTime time, double[] rising) {
    int stop = Arrays.binarySearch(rising, time.stop());
    stop = Math.min(stop >= 0 ? stop : -stop - 1, rising.length - 1);
    int start = Arrays.binarySearch(rising, time.start());
    start = start >= 0 ? start : -start - 2;
    // Who comes after the last time is at risk at none: no more than a row that never starts.
    return new RiskTime(
        time.start() == Double.NEGATIVE_INFINITY ? time.start() : start < 0 ? 0 : rising[start],
        rising[stop],
        time.stratum());
  }
}
