package ngd.core.data;

import java.util.Arrays;

/** The order and the classes of a table's responses. */
final class Responses {
  /** Up to this many distinct responses are classes; more are cut into this many bins. */
  private static final int CLASSES = 10;

  private Responses() {}

  /** The rows by ascending response, equals in the order of the cases. */
  static int[] ascending(Cases cases) {
    double[] sorted = normalised(cases);
    Arrays.sort(sorted);
    int[] taken = new int[sorted.length];
    int[] order = new int[sorted.length];
    for (int row = 0; row < order.length; row++) {
      int first = first(sorted, cases.y(row) + 0.0);
      order[first + taken[first]++] = row;
    }
    return order;
  }

  /** For each class, its rows in the order of the table or of their responses. */
  static int[][] classes(Cases cases) {
    int[] order = ascending(cases);
    int[] ends = new int[CLASSES];
    int distinct = 0;
    for (int i = 0; i < order.length && distinct <= CLASSES; i++) {
      if (i + 1 == order.length || cases.y(order[i]) != cases.y(order[i + 1])) {
        if (distinct < CLASSES) {
          ends[distinct] = i + 1;
        }
        distinct++;
      }
    }
    int count = Math.min(distinct, CLASSES);
    int[][] classes = new int[count][];
    int start = 0;
    for (int c = 0; c < count; c++) {
      int end = distinct <= CLASSES ? ends[c] : (int) ((c + 1L) * order.length / CLASSES);
      classes[c] = Arrays.copyOfRange(order, start, end);
      start = end;
    }
    return classes;
  }

  /** Where a value first stands in a sorted array that holds it. */
  private static int first(double[] sorted, double value) {
    int low = 0;
    int high = sorted.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** A copy in which −0 is 0, which sorting would otherwise distinguish. */
  private static double[] normalised(Cases cases) {
    double[] values = new double[cases.rows()];
    Arrays.setAll(values, row -> cases.y(row) + 0.0);
    return values;
  }
}
