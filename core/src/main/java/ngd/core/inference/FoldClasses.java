package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import ngd.core.data.Shard;
import ngd.core.data.Shards;

/**
 * The classes of a client's rows by a number of theirs: the rows of each value where there are few
 * values, of others those that are zero and those that are not.
 */
final class FoldClasses {
  /** Numbers of more values have no classes but zero and others. */
  private static final int FEW_VALUES = 3;

  /** A number of a row. */
  private interface Value {
    double of(Shard rows, int row);
  }

  private final Value value;

  /** Whether the numbers are those of classes, however many these are. */
  private final boolean numbered;

  /** The first values, in the order in which rows have them. */
  private final double[] values = new double[FEW_VALUES + 1];

  private int known;
  private int largest;

  private FoldClasses(Value value, boolean numbered) {
    this.value = value;
    this.numbered = numbered;
  }

  /**
   * All rows as one class, and the classes by each column and the response.
   *
   * @param labels whether responses are the numbers of classes
   */
  static List<FoldClasses> of(Shards shards, int client, boolean labels) {
    List<FoldClasses> classes = new ArrayList<>();
    classes.add(new FoldClasses((_, _) -> 0, false));
    for (int j = 0; j < shards.features(); j++) {
      int column = j;
      classes.add(new FoldClasses((rows, row) -> rows.x(row, column), false));
    }
    classes.add(new FoldClasses(Shard::y, labels));
    shards.forEach(client, (block, _) -> classes.forEach(each -> each.see(block)));
    return classes;
  }

  private void see(Shard block) {
    for (int i = 0; i < block.rows() && (numbered || known <= FEW_VALUES); i++) {
      double seen = value.of(block, i) + 0.0;
      largest = Math.max(largest, (int) seen);
      if (known <= FEW_VALUES && place(seen) == known) {
        values[known] = seen;
        known++;
      }
    }
  }

  private int place(double seen) {
    int place = 0;
    while (place < known && values[place] != seen) {
      place++;
    }
    return place;
  }

  /** The class of a row. */
  int of(Shard rows, int row) {
    double own = value.of(rows, row) + 0.0;
    if (numbered) {
      return (int) own;
    }
    return known <= FEW_VALUES ? place(own) : own == 0 ? 0 : 1;
  }

  private int count() {
    return numbered ? largest + 1 : known <= FEW_VALUES ? known : 2;
  }

  /**
   * How many rows each class has in each fold, by one reading of the rows for several kinds of
   * classes.
   */
  static List<int[][]> counts(
      List<FoldClasses> kinds, Shards shards, int client, short[] fold, int folds) {
    List<int[][]> counts =
        kinds.stream().<int[][]>map(kind -> new int[kind.count()][folds]).toList();
    shards.forEach(
        client,
        (block, first) -> {
          for (int k = 0; k < kinds.size(); k++) {
            for (int i = 0; i < block.rows(); i++) {
              counts.get(k)[kinds.get(k).of(block, i)][fold[first + i]]++;
            }
          }
        });
    return counts;
  }
}
