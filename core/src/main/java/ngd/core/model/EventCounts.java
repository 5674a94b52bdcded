package ngd.core.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.data.Shard;
import ngd.core.formula.RiskTime;

/**
 * How many rows are at risk at each time of a grid, and how many have an event of each cause there,
 * in each stratum. Counts add up over sites.
 *
 * @param causes how many kinds of events are told apart: an event is 1 to this, no event 0
 * @param counts for each stratum its rows, then for each time those at risk and those with an event
 *     of each cause
 */
public record EventCounts(TimeGrid grid, int causes, List<Long> counts) {
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
  public static double[] said(Shard shard, TimeGrid grid, int causes) {
    double[] rising = grid.array();
    int times = rising.length;
    int width = width(times, causes);
    double[] said = new double[grid.strata().size() * width];
    for (int i = 0; i < shard.rows(); i++) {
      RiskTime time = shard.time(i);
      if (shard.weight(i) == 0) {
        continue;
      }
      int first = time.stratum() * width;
      said[first]++;
      int from = time.start() < rising[0] ? 0 : Arrays.binarySearch(rising, time.start()) + 1;
      int to = Arrays.binarySearch(rising, time.stop());
      if (from > to) {
        continue;
      }
      // First who enters at a time, less who has left before it.
      said[first + 1 + from * (1 + causes)]++;
      if (to + 1 < times) {
        said[first + 1 + (to + 1) * (1 + causes)]--;
      }
      int cause = Math.min((int) shard.y(i), causes);
      if (cause > 0) {
        said[first + 1 + to * (1 + causes) + cause]++;
      }
    }
    for (int s = 0; s < grid.strata().size(); s++) {
      for (int k = 1; k < times; k++) {
        int here = s * width + 1 + k * (1 + causes);
        said[here] += said[here - 1 - causes];
      }
    }
    return said;
  }

  /** What all sites have said. */
  public static EventCounts heard(double[] sums, TimeGrid grid, int causes) {
    return new EventCounts(grid, causes, Arrays.stream(sums).mapToObj(Math::round).toList());
  }

  private static int width(int times, int causes) {
    return 1 + times * (1 + causes);
  }

  private int place(int stratum, int time) {
    return stratum * width(grid.times().size(), causes) + 1 + time * (1 + causes);
  }

  /** All rows of a stratum. */
  public long rows(int stratum) {
    return counts.get(stratum * width(grid.times().size(), causes));
  }

  /** The rows of a stratum that are at risk at a time, counted from 0. */
  public long atRisk(int stratum, int time) {
    return counts.get(place(stratum, time));
  }

  /** The events there of one cause, from 1. */
  public long events(int stratum, int time, int cause) {
    return counts.get(place(stratum, time) + cause);
  }

  /** The events there of any cause. */
  public long events(int stratum, int time) {
    return IntStream.rangeClosed(1, causes).mapToLong(cause -> events(stratum, time, cause)).sum();
  }
}
