package ngd.core.rows;

import java.util.ArrayList;
import java.util.List;
import ngd.core.linalg.Kernels;

/**
 * This process as a place for blocks: its kernels, its threads, and the memory that rounds recycle.
 *
 * <p>Not for several threads at once: one run owns a host. Padding is zero in every block and no
 * kernel changes that, so a recycled block needs no clearing before it is overwritten.
 */
public final class Host implements Place {
  /** Beyond this a number is lost; far below overflow, so that no NaN has arisen yet. */
  public static final double BOUND = 1e100;

  private final Kernels kernels;
  private final Workers workers;
  private final List<HostRows> inUse = new ArrayList<>();
  private final List<HostRows> free = new ArrayList<>();
  private final List<double[]> numbersInUse = new ArrayList<>();
  private final List<double[]> freeNumbers = new ArrayList<>();

  public Host(Kernels kernels, Workers workers) {
    this.kernels = kernels;
    this.workers = workers;
  }

  public Kernels kernels() {
    return kernels;
  }

  public Workers workers() {
    return workers;
  }

  /** A block whose numbers are of no meaning until written; its padding is zero. */
  public HostRows block(int rows, int width) {
    for (int i = free.size() - 1; i >= 0; i--) {
      HostRows candidate = free.get(i);
      if (candidate.rows() == rows && candidate.width() == width) {
        free.remove(i);
        return used(candidate);
      }
    }
    return used(new HostRows(this, rows, width));
  }

  private HostRows used(HostRows block) {
    block.use();
    inUse.add(block);
    return block;
  }

  /** Hands out just this block, if it is free and has not been handed out since that use. */
  @SuppressWarnings("ReferenceEquality") // This block, not an equal one.
  boolean retake(HostRows block, int uses) {
    for (int i = free.size() - 1; i >= 0 && block.uses() == uses; i--) {
      if (free.get(i) == block) {
        free.remove(i);
        used(block);
        return true;
      }
    }
    return false;
  }

  /** So many numbers, of no meaning until written, for this round. */
  double[] numbers(int count) {
    for (int i = freeNumbers.size() - 1; i >= 0; i--) {
      if (freeNumbers.get(i).length == count) {
        double[] again = freeNumbers.remove(i);
        numbersInUse.add(again);
        return again;
      }
    }
    double[] fresh = new double[count];
    numbersInUse.add(fresh);
    return fresh;
  }

  /** A block of zeros. */
  public HostRows zeros(int rows, int width) {
    HostRows block = block(rows, width);
    java.util.Arrays.fill(block.values(), 0);
    return block;
  }

  /** A block with the given rows. */
  public HostRows of(double[][] rows) {
    HostRows block = block(rows.length, rows[0].length);
    for (int m = 0; m < rows.length; m++) {
      System.arraycopy(rows[m], 0, block.values(), m * block.stride(), block.width());
    }
    return block;
  }

  @Override
  public HostRows rows(int rows, int width, double[] values) {
    if (values.length != (long) rows * width) {
      throw new IllegalArgumentException(
          "values: must be %d x %d numbers; got %d".formatted(rows, width, values.length));
    }
    HostRows block = block(rows, width);
    for (int m = 0; m < rows; m++) {
      System.arraycopy(values, m * width, block.values(), m * block.stride(), width);
    }
    return block;
  }

  @Override
  public void write(Rows block, int row, double[] values) {
    HostRows here = HostRows.in(block);
    here.written();
    System.arraycopy(values, 0, here.values(), row * here.stride(), here.width());
  }

  @Override
  public HostEdges edges(int[] offsets, Rows values) {
    return new HostEdges(this, offsets, values);
  }

  /** Ends a round: every block that is not kept may be handed out again. */
  @Override
  public void recycle(List<Rows> kept) {
    for (int i = inUse.size() - 1; i >= 0; i--) {
      HostRows block = inUse.get(i);
      if (!holds(kept, block)) {
        inUse.remove(i);
        free.add(block);
      }
    }
    freeNumbers.addAll(numbersInUse);
    numbersInUse.clear();
  }

  @Override
  public int firstLost(Rows rows) {
    HostRows here = HostRows.in(rows);
    double[] values = here.values();
    for (int i = 0; i < values.length; i++) {
      if (!(Math.abs(values[i]) < BOUND)) {
        return i / here.stride();
      }
    }
    return -1;
  }

  /** By identity: two blocks with equal numbers are still two blocks. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean holds(List<Rows> kept, HostRows block) {
    for (int i = 0; i < kept.size(); i++) {
      if (kept.get(i) == block) {
        return true;
      }
    }
    return false;
  }
}
