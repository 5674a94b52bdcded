package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import ngd.core.data.Shard;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * A site's draw of its rows into folds, each of which has none or a least number of its rows, and
 * none or as many of every class: of a column or response of few values the rows of each value, of
 * another those that are zero and those that are not. So what the sums over a fold, or over all
 * rows but a fold, say of classes is of none or of enough rows (docs/privacy.md).
 */
final class Folds {
  /** A column of more values has no classes but zero and others. */
  private static final int FEW_VALUES = 3;

  /** Passes over all classes; where small ones remain after them, fewer folds are drawn. */
  private static final int MOST_PASSES = 20;

  private final int[] fold;
  private final int folds;
  private final int fewest;

  private Folds(int rows, int folds, int fewest) {
    fold = new int[rows];
    this.folds = folds;
    this.fewest = fewest;
  }

  /**
   * The fold of every row.
   *
   * @param folds how many there are
   * @param fewest the rows of a class that a fold has at least, where it has any
   * @param labels whether responses are the numbers of classes, however many these are
   */
  static int[] of(
      Shard shard, int folds, int fewest, boolean labels, UniformRandomProvider random) {
    int rows = shard.rows();
    List<int[]> classes = new ArrayList<>();
    if (fewest > 1) {
      classes.add(new int[rows]);
      for (int j = 0; j < shard.features(); j++) {
        int column = j;
        add(classes, rows, i -> shard.x(i, column));
      }
      if (labels) {
        classes.add(IntStream.range(0, rows).map(i -> (int) shard.y(i)).toArray());
      } else {
        add(classes, rows, shard::y);
      }
    }
    int[] names = PermutationSampler.natural(folds);
    PermutationSampler.shuffle(random, names);
    for (int own = Math.min(folds, rows); own > 1; own = own / 2) {
      Folds drawn = new Folds(rows, own, fewest);
      drawn.draw(random);
      if (drawn.gathered(classes)) {
        return Arrays.stream(drawn.fold).map(f -> names[f]).toArray();
      }
    }
    int[] one = new int[rows];
    Arrays.fill(one, names[0]);
    return one;
  }

  /** Adds the class of each row, where a column has classes. */
  private static void add(List<int[]> classes, int rows, IntToDoubleFunction column) {
    List<Double> values =
        IntStream.range(0, rows)
            .mapToObj(i -> column.applyAsDouble(i) + 0.0)
            .distinct()
            .limit(FEW_VALUES + 1)
            .toList();
    boolean few = values.size() <= FEW_VALUES;
    int[] codes = new int[rows];
    for (int i = 0; i < rows; i++) {
      double value = column.applyAsDouble(i) + 0.0;
      codes[i] = few ? values.indexOf(value) : value == 0 ? 0 : 1;
    }
    classes.add(codes);
  }

  private void draw(UniformRandomProvider random) {
    int[] order = PermutationSampler.natural(fold.length);
    PermutationSampler.shuffle(random, order);
    for (int i = 0; i < order.length; i++) {
      fold[order[i]] = i % folds;
    }
  }

  /** Brings the rows of a class together where a fold has too few of them; whether that did it. */
  private boolean gathered(List<int[]> classes) {
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      boolean moved = false;
      for (int[] codes : classes) {
        moved |= gathered(codes);
      }
      if (!moved) {
        return true;
      }
    }
    return false;
  }

  private boolean gathered(int[] codes) {
    int[][] counts = new int[Arrays.stream(codes).max().orElse(0) + 1][folds];
    for (int i = 0; i < codes.length; i++) {
      counts[codes[i]][fold[i]]++;
    }
    boolean moved = false;
    for (int code = 0; code < counts.length; code++) {
      int[] own = counts[code];
      for (int from = 0; from < folds; from++) {
        int to = own[from] > 0 && own[from] < fewest ? other(own, from) : from;
        if (to != from) {
          for (int i = 0; i < codes.length; i++) {
            if (codes[i] == code && fold[i] == from) {
              fold[i] = to;
            }
          }
          own[to] += own[from];
          own[from] = 0;
          moved = true;
        }
      }
    }
    return moved;
  }

  /** The fold that takes up too few rows: the fullest of those that lack some, or the emptiest. */
  private int other(int[] counts, int from) {
    int to = from;
    for (int k = 0; k < folds; k++) {
      if (k == from || counts[k] == 0) {
        continue;
      }
      boolean lacks = counts[k] < fewest;
      boolean lacked = to != from && counts[to] < fewest;
      boolean better = lacks ? counts[k] > counts[to] : counts[k] < counts[to];
      if (to == from || (lacks && !lacked) || (lacks == lacked && better)) {
        to = k;
      }
    }
    return to;
  }
}
