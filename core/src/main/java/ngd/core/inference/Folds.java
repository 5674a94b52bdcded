package ngd.core.inference;

import java.util.Arrays;
import java.util.List;
import ngd.core.data.Shards;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * A site's draw of its rows into folds, each of which has none or a least number of its rows, and
 * none or as many of every class: of a column or response of few values the rows of each value, of
 * another those that are zero and those that are not. So what the sums over a fold, or over all
 * rows but a fold, say of classes is of none or of enough rows (docs/privacy.md).
 */
final class Folds {
  /** More folds than this are not numbered. */
  static final int MOST = Short.MAX_VALUE;

  /** Passes over all classes; where small ones remain after them, fewer folds are drawn. */
  private static final int MOST_PASSES = 20;

  private final Shards shards;
  private final int client;
  private final short[] fold;
  private final int folds;
  private final int fewest;

  private Folds(Shards shards, int client, int folds, int fewest) {
    this.shards = shards;
    this.client = client;
    fold = new short[shards.rows(client)];
    this.folds = folds;
    this.fewest = fewest;
  }

  /**
   * The fold of every row of a client.
   *
   * @param folds how many there are
   * @param fewest the rows of a class that a fold has at least, where it has any
   * @param labels whether responses are the numbers of classes, however many these are
   */
  static short[] of(
      Shards shards,
      int client,
      int folds,
      int fewest,
      boolean labels,
      UniformRandomProvider random) {
    List<FoldClasses> classes = fewest > 1 ? FoldClasses.of(shards, client, labels) : List.of();
    int[] names = PermutationSampler.natural(folds);
    PermutationSampler.shuffle(random, names);
    for (int own = Math.min(folds, shards.rows(client)); own > 1; own = own / 2) {
      Folds drawn = new Folds(shards, client, own, fewest);
      drawn.draw(random);
      if (drawn.gathered(classes)) {
        for (int i = 0; i < drawn.fold.length; i++) {
          drawn.fold[i] = (short) names[drawn.fold[i]];
        }
        return drawn.fold;
      }
    }
    short[] one = new short[shards.rows(client)];
    Arrays.fill(one, (short) names[0]);
    return one;
  }

  private void draw(UniformRandomProvider random) {
    int[] order = PermutationSampler.natural(fold.length);
    PermutationSampler.shuffle(random, order);
    for (int i = 0; i < order.length; i++) {
      fold[order[i]] = (short) (i % folds);
    }
  }

  /** Brings the rows of a class together where a fold has too few of them; whether that did it. */
  private boolean gathered(List<FoldClasses> classes) {
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      boolean moved = false;
      for (int next = 0; next < classes.size(); ) {
        // One reading of all rows counts all columns, as rarely anything has to move.
        List<FoldClasses> open = classes.subList(next, classes.size());
        List<int[][]> counts = FoldClasses.counts(open, shards, client, fold, folds);
        for (int c = 0; c < open.size(); c++) {
          next++;
          int[][] moves = moves(counts.get(c));
          if (moves.length > 0) {
            move(open.get(c), moves);
            moved = true;
            break;
          }
        }
      }
      if (!moved) {
        return true;
      }
    }
    return false;
  }

  /**
   * Where the rows of each class and fold go; nothing where all stay.
   *
   * @param counts by class and fold
   */
  private int[][] moves(int[][] counts) {
    int[][] moves = new int[counts.length][];
    boolean moved = false;
    for (int code = 0; code < counts.length; code++) {
      moves[code] = PermutationSampler.natural(folds);
      int[] own = counts[code];
      for (int from = 0; from < folds; from++) {
        int left = from;
        int to = own[from] > 0 && own[from] < fewest ? other(own, from) : from;
        if (to != from) {
          moves[code] = Arrays.stream(moves[code]).map(at -> at == left ? to : at).toArray();
          own[to] += own[from];
          own[from] = 0;
          moved = true;
        }
      }
    }
    return moved ? moves : new int[0][];
  }

  private void move(FoldClasses classes, int[][] moves) {
    shards.forEach(
        client,
        (block, first) -> {
          for (int i = 0; i < block.rows(); i++) {
            fold[first + i] = (short) moves[classes.of(block, i)][fold[first + i]];
          }
        });
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
