package ngd.core.linalg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What rows span, modulo the prime of {@link PrimeField}: exact, and with the time at which each
 * row came, so that one pass tells from when on a vector lies in it.
 */
public final class RowSpace {
  private final int columns;

  /** Each is 1 at its own pivot, 0 before that and at the pivots of those before it. */
  private final List<double[]> rows = new ArrayList<>();

  private final List<Integer> pivots = new ArrayList<>();

  private final List<Integer> times = new ArrayList<>();

  public RowSpace(int columns) {
    this.columns = columns;
  }

  /** The same, to which other rows are added. */
  public RowSpace copy() {
    RowSpace copy = new RowSpace(columns);
    copy.rows.addAll(rows);
    copy.pivots.addAll(pivots);
    copy.times.addAll(times);
    return copy;
  }

  public int rank() {
    return rows.size();
  }

  /** The columns on which all others depend, in no particular order. */
  public List<Integer> pivots() {
    return List.copyOf(pivots);
  }

  /**
   * Adds a row, and says whether it was new.
   *
   * @param time no earlier than that of the row before
   */
  public boolean add(double[] row, int time) {
    double[] left = row.clone();
    reduce(left);
    int pivot = firstNonZero(left);
    if (pivot < 0) {
      return false;
    }
    double[] unit = new double[columns];
    PrimeField.addTimes(unit, PrimeField.INSTANCE.inverse(left[pivot]), left, 0);
    for (int j = 0; j < columns; j++) {
      unit[j] = PrimeField.canonical(unit[j]);
    }
    rows.add(unit);
    pivots.add(pivot);
    times.add(time);
    return true;
  }

  /** From when on a vector lies in the span; empty where it does not. */
  public OptionalInt since(double[] vector) {
    double[] left = vector.clone();
    int last = reduce(left);
    return firstNonZero(left) < 0
        ? OptionalInt.of(last < 0 ? 0 : times.get(last))
        : OptionalInt.empty();
  }

  /** Takes away what the rows explain; the last row that was needed, or −1. */
  private int reduce(double[] left) {
    int last = -1;
    for (int i = 0; i < rows.size(); i++) {
      double factor = PrimeField.canonical(left[pivots.get(i)]);
      if (factor != 0) {
        PrimeField.addTimes(left, PrimeField.PRIME - factor, rows.get(i), pivots.get(i));
        last = i;
      }
    }
    return last;
  }

  private static int firstNonZero(double[] vector) {
    for (int j = 0; j < vector.length; j++) {
      if (PrimeField.canonical(vector[j]) != 0) {
        return j;
      }
    }
    return -1;
  }

  /** A basis of the vectors that no row sees. */
  public List<double[]> nullSpace() {
    boolean[] bound = new boolean[columns];
    pivots.forEach(pivot -> bound[pivot] = true);
    List<double[]> basis = new ArrayList<>();
    for (int free = 0; free < columns; free++) {
      if (!bound[free]) {
        basis.add(nullVector(free));
      }
    }
    return basis;
  }

  private double[] nullVector(int free) {
    double[] vector = new double[columns];
    vector[free] = 1;
    return nullVector(vector, new int[] {free});
  }

  /** A vector that no row sees, with these numbers in the columns that the rows leave free. */
  public double[] nullVector(double[] numbers) {
    double[] vector = numbers.clone();
    boolean[] bound = new boolean[columns];
    for (int pivot : pivots) {
      bound[pivot] = true;
      vector[pivot] = 0;
    }
    return nullVector(vector, IntStream.range(0, columns).filter(j -> !bound[j]).toArray());
  }

  private double[] nullVector(double[] vector, int[] free) {
    PrimeField field = PrimeField.INSTANCE;
    // A row is 0 at the pivots of those before it: from the last one back, each fixes its pivot.
    for (int i = rows.size() - 1; i >= 0; i--) {
      double[] row = rows.get(i);
      double sum = 0;
      for (int j : free) {
        if (row[j] != 0) {
          sum = field.plus(sum, field.times(row[j], vector[j]));
        }
      }
      for (int k = i + 1; k < rows.size(); k++) {
        int pivot = pivots.get(k);
        if (row[pivot] != 0 && vector[pivot] != 0) {
          sum = field.plus(sum, field.times(row[pivot], vector[pivot]));
        }
      }
      vector[pivots.get(i)] = PrimeField.canonical(-sum);
    }
    return vector;
  }

  /** Whether some row is not 0 in one of these columns. */
  public boolean touches(List<Integer> columns) {
    return rows.stream().anyMatch(row -> columns.stream().anyMatch(j -> row[j] != 0));
  }

  /** The rank of some columns of a list of vectors. */
  public static int rank(List<double[]> vectors, List<Integer> columns) {
    RowSpace space = new RowSpace(columns.size());
    for (double[] vector : vectors) {
      double[] part = new double[columns.size()];
      Arrays.setAll(part, j -> vector[columns.get(j)]);
      space.add(part, 0);
      if (space.rank() == columns.size()) {
        break;
      }
    }
    return space.rank();
  }
}
