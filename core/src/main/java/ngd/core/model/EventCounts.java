package ngd.core.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.data.Shard;
import ngd.core.formula.RiskTime;

/**
 * How many rows are at risk at each time of a grid, and how many have an event of each cause there,
 * in each stratum; with weights, the sums of these. Counts add up over sites.
 *
 * @param counts for each stratum its rows, then for each time those at risk and those with an event
 *     of each cause, then where they are asked for the squared weights of those who stop there
 *     without an event and with one of each cause
 */
public record EventCounts(TimeGrid grid, Kind kind, List<Double> counts) {
  /** The weights of rows. */
  public enum Weights {
    /** Every row counts once. */
    NONE,
    /** As many equal rows as a whole number says. */
    WHOLE,
    /** Any others. */
    FRACTIONS
  }

  /**
   * What is counted.
   *
   * @param causes how many kinds of events are told apart: an event is 1 to this, no event 0
   * @param squares whether squared weights are summed too
   */
  public record Kind(int causes, Weights weights, boolean squares) {
    private int width(int times) {
      return 1 + times * (1 + causes) * (squares ? 2 : 1);
    }
  }

  /** More than these are a code for something else. */
  public static final int MOST_CAUSES = 20;

  public EventCounts {
    counts = List.copyOf(counts);
  }

  /** Why a row's event cannot be one of several causes, if it cannot. */
  public static Optional<String> objection(double event) {
    return event >= 0 && event <= MOST_CAUSES && event == Math.rint(event)
        ? Optional.empty()
        : Optional.of(
            "the event of Surv(…) must be 0 (none), 1, or with competing causes a whole number up"
                + " to %d; compare where it is coded otherwise, as in Surv(time, status = 2)"
                    .formatted(MOST_CAUSES));
  }

  /** What one site says of its rows, whose times are of the grid; rows of weight 0 do not count. */
  public static double[] said(Shard shard, TimeGrid grid, Kind kind) {
    double[] rising = grid.array();
    int times = rising.length;
    int width = kind.width(times);
    int step = 1 + kind.causes;
    double[] said = new double[grid.strata().size() * width];
    for (int i = 0; i < shard.rows(); i++) {
      RiskTime time = shard.time(i);
      if (shard.weight(i) == 0) {
        continue;
      }
      double weight = kind.weights == Weights.NONE ? 1 : shard.weight(i);
      int first = time.stratum() * width;
      said[first]++;
      int from = time.start() < rising[0] ? 0 : Arrays.binarySearch(rising, time.start()) + 1;
      int to = Arrays.binarySearch(rising, time.stop());
      if (from > to) {
        continue;
      }
      if (kind.weights == Weights.FRACTIONS) {
        said[first + 1 + to * step] += weight;
      } else {
        // First who enters at a time, less who has left before it.
        said[first + 1 + from * step] += weight;
        if (to + 1 < times) {
          said[first + 1 + (to + 1) * step] -= weight;
        }
      }
      int cause = Math.min((int) shard.y(i), kind.causes);
      if (cause > 0) {
        said[first + 1 + to * step + cause] += weight;
      }
      if (kind.squares) {
        said[first + 1 + (times + to) * step + cause] += weight * weight;
      }
    }
    for (int s = 0; s < grid.strata().size(); s++) {
      // Fractions are added from the end, so that nothing is left where nobody is.
      boolean back = kind.weights == Weights.FRACTIONS;
      for (int k = 1; k < times; k++) {
        int here = s * width + 1 + (back ? times - 1 - k : k) * step;
        said[here] += said[back ? here + step : here - step];
      }
    }
    return said;
  }

  /** What all sites have said. */
  public static EventCounts heard(double[] sums, TimeGrid grid, Kind kind) {
    boolean whole = kind.weights != Weights.FRACTIONS;
    return new EventCounts(
        grid, kind, Arrays.stream(sums).map(sum -> whole ? Math.rint(sum) : sum).boxed().toList());
  }

  private int place(int stratum, int time) {
    return stratum * kind.width(grid.times().size()) + 1 + time * (1 + kind.causes);
  }

  /** All rows of a stratum. */
  public long rows(int stratum) {
    return Math.round(counts.get(stratum * kind.width(grid.times().size())));
  }

  /** The rows of a stratum that are at risk at a time, counted from 0. */
  public double atRisk(int stratum, int time) {
    return counts.get(place(stratum, time));
  }

  /** The events there of one cause, from 1. */
  public double events(int stratum, int time, int cause) {
    return counts.get(place(stratum, time) + cause);
  }

  /** The events there of any cause. */
  public double events(int stratum, int time) {
    return IntStream.rangeClosed(1, kind.causes)
        .mapToDouble(cause -> events(stratum, time, cause))
        .sum();
  }

  /**
   * The squared weights of those who stop there with an event of a cause, or with 0 without one.
   */
  public double squares(int stratum, int time, int cause) {
    return counts.get(place(stratum, grid.times().size() + time) + cause);
  }
}
