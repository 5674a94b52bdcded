package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.RankedRows;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.formula.RiskTime;

/**
 * Pairs of one client's rows of which it is known whose event came first, by whether the one with
 * the larger linear predictor had it: as {@code survival::concordance} counts them, within strata.
 * By one walk through the rows in the order of their predictors, which need not fit memory.
 *
 * <p>A row's place is 2k where it has an event at the k-th time of all strata's events, and 2k + 1
 * where it stops there, or before the next, without one. Whoever has an event at the k-th time is
 * compared with those of later places in its stratum who started before it.
 */
public final class Concordance {
  private final double[][] rising;

  /** The number of each stratum's first time, and that of all times. */
  private final int[] firsts;

  private final Passed stops;
  private final Passed starts;

  /** The weights of all events, by place. */
  private final double[] events;

  private double eta = Double.NaN;

  /** Over the events, the weights of those compared who have smaller predictors. */
  private double smaller;

  /** The same with those who have equal ones. */
  private double atMost;

  private Concordance(double[][] rising) {
    this.rising = rising;
    firsts = new int[rising.length + 1];
    for (int s = 0; s < rising.length; s++) {
      firsts[s + 1] = firsts[s] + rising[s].length;
    }
    stops = new Passed(firsts, 2);
    starts = new Passed(firsts, 1);
    events = new double[2 * firsts[rising.length]];
  }

  /**
   * Concordant, discordant and tied pairs, each counted with the product of its weights.
   *
   * @param rising the times of each stratum, among them those of all its events
   */
  public static double[] pairs(Shards shards, int client, double[] theta, double[][] rising) {
    Concordance counted = new Concordance(rising);
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

  /** Predictor, weight, place and start of each row of a block; −1 where it is before all times. */
  private double[] numbers(Shard block, double[] theta) {
    double[] numbers = new double[block.rows() * RankedRows.WIDTH];
    double[] x = new double[block.features()];
    for (int i = 0; i < block.rows(); i++) {
      block.row(i, x);
      RiskTime time = block.time(i);
      int at = i * RankedRows.WIDTH;
      int stop = number(time.stratum(), time.stop());
      numbers[at] = Glm.dot(x, theta) + block.offset(i);
      numbers[at + 1] = block.weight(i);
      numbers[at + 2] = stop < 0 ? -1 : 2.0 * stop + (block.y(i) > 0 ? 0 : 1);
      numbers[at + 3] = number(time.stratum(), time.start());
    }
    return numbers;
  }

  /** The number of a stratum's last time that is not after this one; −1 where all are. */
  private int number(int stratum, double time) {
    if (stratum >= rising.length) {
      return -1;
    }
    int found = Arrays.binarySearch(rising[stratum], time);
    int last = found >= 0 ? found : -found - 2;
    return last < 0 ? -1 : firsts[stratum] + last;
  }

  private void pass(double[] numbers, int from) {
    double weight = numbers[from + 1];
    if (weight == 0 || numbers[from + 2] < 0) {
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
    int stratum = stops.stratum(place);
    return stops.from(stratum, place + 1) - starts.from(stratum, place / 2);
  }

  /** The weights of rows by place, those of one predictor apart until they are settled. */
  private static final class Passed {
    /** The first place of each stratum, and the number of all. */
    private final int[] firsts;

    private final double[] now;
    private final int[] touched;
    private int many;

    /** For each stratum a Fenwick tree of sums from a place to the last. */
    private final double[] tree;

    /**
     * @param places of each time
     */
    Passed(int[] times, int places) {
      firsts = Arrays.stream(times).map(first -> places * first).toArray();
      int all = firsts[firsts.length - 1];
      now = new double[all];
      touched = new int[all];
      tree = new double[all];
    }

    void pass(int place, double weight) {
      if (now[place] == 0) {
        touched[many++] = place;
      }
      now[place] += weight;
    }

    void settle() {
      for (int t = 0; t < many; t++) {
        int first = firsts[stratum(touched[t])];
        for (int k = touched[t] - first + 1; k > 0; k -= k & -k) {
          tree[first + k - 1] += now[touched[t]];
        }
        now[touched[t]] = 0;
      }
      many = 0;
    }

    /** The settled weights from a place to the last of its stratum. */
    double from(int stratum, int place) {
      int first = firsts[stratum];
      double sum = 0;
      for (int k = place - first + 1; k <= firsts[stratum + 1] - first; k += k & -k) {
        sum += tree[first + k - 1];
      }
      return sum;
    }

    /** The stratum of a place. */
    int stratum(int place) {
      int found = Arrays.binarySearch(firsts, place);
      return found < 0 ? -found - 2 : last(found);
    }

    /** Strata without times begin where the next one does. */
    private int last(int found) {
      int at = found;
      while (firsts[at + 1] == firsts[at]) {
        at++;
      }
      return at;
    }
  }
}
