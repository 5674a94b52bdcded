package ngd.core.data;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import ngd.core.file.SealedNumbers;
import org.jspecify.annotations.Nullable;

/**
 * Rows as {@link #WIDTH} numbers each, by the first of them, rising, and where these are equal in
 * the order of the rows. Blocks are sorted one by one, and kept in memory or in a file; then they
 * are merged, of those in a file a piece each being in memory.
 */
public final class RankedRows {
  /** The numbers of a row. */
  public static final int WIDTH = 4;

  private static final int PIECE = 1 << 10;

  /** Takes a row's numbers, from a place on in an array that is reused. */
  @FunctionalInterface
  public interface Visitor {
    void row(double[] numbers, int from);
  }

  private final @Nullable SealedNumbers file;
  private final List<Run> runs = new ArrayList<>();

  /**
   * @param file where sorted blocks are kept; in memory where there is none
   */
  RankedRows(@Nullable SealedNumbers file) {
    this.file = file;
  }

  /** The next block of rows. */
  void add(double[] numbers) {
    int rows = numbers.length / WIDTH;
    double[] sorted = new double[numbers.length];
    int[] at = {0};
    IntStream.range(0, rows)
        .boxed()
        .sorted((i, k) -> Double.compare(numbers[i * WIDTH], numbers[k * WIDTH]))
        .forEach(
            i -> {
              System.arraycopy(numbers, i * WIDTH, sorted, at[0], WIDTH);
              at[0] += WIDTH;
            });
    runs.add(
        file == null
            ? new Run(runs.size(), rows, -1, sorted)
            : new Run(
                runs.size(),
                rows,
                file.append(sorted, 0, sorted.length),
                new double[Math.min(rows, PIECE) * WIDTH]));
  }

  /** All rows in their order. */
  void visit(Visitor visitor) {
    PriorityQueue<Run> next = new PriorityQueue<>();
    for (Run run : runs) {
      if (run.begin()) {
        next.add(run);
      }
    }
    while (!next.isEmpty()) {
      Run first = next.remove();
      visitor.row(first.numbers, first.at);
      if (first.advance()) {
        next.add(first);
      }
    }
  }

  /** A sorted block, and how far it has been read. */
  private final class Run implements Comparable<Run> {
    private final int number;
    private final int rows;
    private final long place;
    private final double[] numbers;
    private int done;
    private int at;

    /**
     * @param place in the file, or negative where all its numbers are here
     */
    Run(int number, int rows, long place, double[] numbers) {
      this.number = number;
      this.rows = rows;
      this.place = place;
      this.numbers = numbers;
    }

    boolean begin() {
      done = 0;
      at = 0;
      return rows > 0 && filled();
    }

    boolean advance() {
      done++;
      at += WIDTH;
      return done < rows && (at < numbers.length || filled());
    }

    /** Reads the next piece, where it is in a file. */
    private boolean filled() {
      if (file != null) {
        int count = Math.min(numbers.length, (rows - done) * WIDTH);
        file.read(place + (long) done * WIDTH, numbers, 0, count);
        at = 0;
      }
      return true;
    }

    @Override
    public int compareTo(Run other) {
      int order = Double.compare(numbers[at], other.numbers[other.at]);
      return order == 0 ? Integer.compare(number, other.number) : order;
    }
  }
}
