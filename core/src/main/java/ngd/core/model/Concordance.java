package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.RankedRows;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.formula.RiskTime;

/**
 * The pairs of {@link Concordance} among one client's rows whose times are of a grid: by one walk
 * through the rows in the order of their linear predictors, which need not fit memory.
 *
 * <p>A row's place is 2k where it has an event at the k-th time of its stratum, and 2k + 1 where it
 * stops there without one. Whoever has an event at the k-th time is compared with those of later
 * places who started before it.
 */
public final class GridConcordance {
  private final double[] rising;
  private final Passed stops;
  private final Passed starts;

  /** The weights of all events, by place. */
  private final double[] events;

  private double eta = Double.NaN;

  /** Over the events, the weights of those compared who have smaller predictors. */
  private double smaller;

  /** The same with those who have equal ones. */
  private double atMost;

  private GridConcordance(TimeGrid grid) {
    rising = grid.array();
    int strata = grid.strata().size();
    stops = new Passed(strata, 2 * rising.length);
    starts = new Passed(strata, rising.length);
    events = new double[strata * 2 * rising.length];
  }

  /** Concordant, discordant and tied pairs, each counted with the product of its weights. */
  public static double[] pairs(Shards shards, int client, double[] theta, TimeGrid grid) {
    GridConcordance counted = new GridConcordance(grid);
    shards.ranked(client, block -> counted.numbers(block, theta), counted::pass);
    counted.compare();
    double all = 0;
    for (int place = 0; place < counted.events.length; place += 2) {
      if (counted.events[place] > 0) {
        all += counted.events[place] * counted.compared(place);
      }
    }
    return new double[] {counted.smaller, all - counted.atMost, counted.atMost - counted.smaller};
  }

  /**
   * Predictor, weight, place and start of each row of a block; the start is −1 where it is early.
   */
  private double[] numbers(Shard block, double[] theta) {
    double[] numbers = new double[block.rows() * RankedRows.WIDTH];
    double[] x = new double[block.features()];
    for (int i = 0; i < block.rows(); i++) {
      block.row(i, x);
      RiskTime time = block.time(i);
      int at = i * RankedRows.WIDTH;
      int first = time.stratum() * rising.length;
      numbers[at] = Glm.dot(x, theta) + block.offset(i);
      numbers[at + 1] = block.weight(i);
      numbers[at + 2] =
          2.0 * (first + Arrays.binarySearch(rising, time.stop())) + (block.y(i) > 0 ? 0 : 1);
      numbers[at + 3] =
          time.start() < rising[0] ? -1 : first + Arrays.binarySearch(rising, time.start());
    }
    return numbers;
  }

  private void pass(double[] numbers, int from) {
    double weight = numbers[from + 1];
    if (weight == 0) {
      return;
    }
    if (numbers[from] != eta) {
      compare();
      eta = numbers[from];
    }
    stops.pass((int) numbers[from + 2], weight);
    if (numbers[from + 3] >= 0) {
      starts.pass((int) numbers[from + 3], weight);
    }
  }

  /** Compares the events of one predictor, all rows of which have been seen, with those before. */
  private void compare() {
    for (int t = 0; t < stops.many; t++) {
      int place = stops.touched[t];
      if (place % 2 == 0) {
        smaller += stops.now[place] * compared(place);
      }
    }
    starts.settle();
    int many = stops.many;
    double[] own = new double[many];
    for (int t = 0; t < many; t++) {
      own[t] = stops.now[stops.touched[t]];
    }
    stops.settle();
    for (int t = 0; t < many; t++) {
      int place = stops.touched[t];
      if (place % 2 == 0) {
        atMost += own[t] * compared(place);
        events[place] += own[t];
      }
    }
  }

  /** The weight, among the rows settled, of those whom an event at a place is compared with. */
  private double compared(int place) {
    return stops.from(place + 1) - starts.from(place / 2);
  }

  /** The weights of rows by place, those of one predictor apart until they are settled. */
  private static final class Passed {
    private final int places;
    private final double[] now;
    private final int[] touched;
    private int many;

    /** For each stratum a Fenwick tree of sums from a place to the last. */
    private final double[] tree;

    Passed(int strata, int places) {
      this.places = places;
      now = new double[strata * places];
      touched = new int[strata * places];
      tree = new double[strata * places];
    }

    void pass(int place, double weight) {
      if (now[place] == 0) {
        touched[many++] = place;
      }
      now[place] += weight;
    }

    void settle() {
      for (int t = 0; t < many; t++) {
        int first = touched[t] / places * places;
        for (int k = touched[t] - first + 1; k > 0; k -= k & -k) {
          tree[first + k - 1] += now[touched[t]];
        }
        now[touched[t]] = 0;
      }
      many = 0;
    }

    /** The settled weights from a place to the last of its stratum. */
    double from(int place) {
      int first = place / places * places;
      double sum = 0;
      for (int k = place - first + 1; k <= places; k += k & -k) {
        sum += tree[first + k - 1];
      }
      return sum;
    }
  }
}
