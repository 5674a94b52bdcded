package ngd.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import ngd.core.data.Shard;

/**
 * Pairs of one shard's rows of which it is known whose event came first, by whether the one with
 * the larger linear predictor had it: as {@code survival::concordance} counts them, within strata.
 */
public final class Concordance {
  private final Shard shard;
  private final double[] eta;
  private final double[] levels;
  private final double[] tree;
  private double all;
  private final double[] pairs = new double[3];

  private Concordance(Shard shard, double[] theta) {
    this.shard = shard;
    eta = new double[shard.rows()];
    double[] x = new double[shard.features()];
    for (int i = 0; i < eta.length; i++) {
      shard.row(i, x);
      eta[i] = Glm.dot(x, theta) + shard.offset(i);
    }
    levels = Arrays.stream(eta).sorted().distinct().toArray();
    tree = new double[levels.length + 1];
  }

  /** Concordant, discordant and tied pairs, each counted with the product of its weights. */
  public static double[] pairs(Shard shard, double[] theta) {
    Concordance counted = new Concordance(shard, theta);
    Map<Integer, List<Integer>> strata = new HashMap<>();
    IntStream.range(0, shard.rows())
        .filter(i -> shard.weight(i) > 0)
        .forEach(
            i -> strata.computeIfAbsent(shard.time(i).stratum(), _ -> new ArrayList<>()).add(i));
    strata.keySet().stream().sorted().forEach(s -> counted.count(strata.get(s)));
    return counted.pairs;
  }

  private void count(List<Integer> rows) {
    Arrays.fill(tree, 0);
    all = 0;
    int[] byStop = sorted(rows, i -> shard.time(i).stop());
    int[] byStart = sorted(rows, i -> shard.time(i).start());
    int out = 0;
    for (int from = 0; from < byStop.length; ) {
      double time = shard.time(byStop[from]).stop();
      int to = from;
      while (to < byStop.length && shard.time(byStop[to]).stop() == time) {
        if (shard.y(byStop[to]) == 0) {
          put(byStop[to], 1);
        }
        to++;
      }
      for (; out < byStart.length && shard.time(byStart[out]).start() >= time; out++) {
        put(byStart[out], -1);
      }
      for (int k = from; k < to; k++) {
        if (shard.y(byStop[k]) > 0) {
          compare(byStop[k]);
        }
      }
      for (int k = from; k < to; k++) {
        if (shard.y(byStop[k]) > 0) {
          put(byStop[k], 1);
        }
      }
      from = to;
    }
  }

  private static int[] sorted(List<Integer> rows, ToDoubleFunction<Integer> time) {
    return rows.stream()
        .sorted((a, b) -> Double.compare(time.applyAsDouble(b), time.applyAsDouble(a)))
        .mapToInt(i -> i)
        .toArray();
  }

  private void compare(int row) {
    int level = Arrays.binarySearch(levels, eta[row]);
    double below = upTo(level);
    double tied = upTo(level + 1) - below;
    double weight = shard.weight(row);
    pairs[0] += weight * below;
    pairs[1] += weight * (all - below - tied);
    pairs[2] += weight * tied;
  }

  private void put(int row, double sign) {
    double weight = sign * shard.weight(row);
    all += weight;
    for (int k = Arrays.binarySearch(levels, eta[row]) + 1; k < tree.length; k += k & -k) {
      tree[k] += weight;
    }
  }

  /** The weight of the first levels. */
  private double upTo(int count) {
    double sum = 0;
    for (int k = count; k > 0; k -= k & -k) {
      sum += tree[k];
    }
    return sum;
  }
}
