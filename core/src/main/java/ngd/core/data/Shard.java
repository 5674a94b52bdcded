package ngd.core.data;

import java.util.Arrays;
import java.util.Objects;
import ngd.core.formula.RiskTime;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.TileKernels;
import org.jspecify.annotations.Nullable;

/**
 * One client's rows: n responses and an n × p matrix, stored in groups of {@link #GROUP} rows, each
 * group column after column, the last group filled up with zeros so that kernels need no tails. A
 * row may have an offset, which is added to its linear predictor, and a prior weight.
 *
 * <p>The raw arrays are there for kernels and are shared; an own loss reads {@link #x(int, int)}
 * and {@link #y(int)}.
 */
public final class Shard {
  /** The rows of a group. */
  static final int GROUP = Kernels.LANES;

  private final double[] x;
  private final int xOffset;
  private final double[] y;
  private final int yOffset;
  private final double @Nullable [] offsets;
  private final double @Nullable [] weights;
  private final RiskTime @Nullable [] times;
  private final @Nullable RandomEffects random;
  private final int rows;
  private final int features;

  Shard(
      double[] x,
      int xOffset,
      double[] y,
      int yOffset,
      double @Nullable [] offsets,
      double @Nullable [] weights,
      RiskTime @Nullable [] times,
      @Nullable RandomEffects random,
      int rows,
      int features) {
    this.x = x;
    this.xOffset = xOffset;
    this.y = y;
    this.yOffset = yOffset;
    this.offsets = offsets;
    this.weights = weights;
    this.times = times;
    this.random = random;
    this.rows = rows;
    this.features = features;
  }

  public int rows() {
    return rows;
  }

  public int features() {
    return features;
  }

  public double x(int row, int feature) {
    Objects.checkIndex(row, rows);
    Objects.checkIndex(feature, features);
    return x[xOffset + place(row, feature)];
  }

  public double y(int row) {
    Objects.checkIndex(row, rows);
    return y[yOffset + row];
  }

  /** What is added to a row's linear predictor; 0 where nothing was given. */
  public double offset(int row) {
    Objects.checkIndex(row, rows);
    return offsets == null ? 0 : offsets[yOffset + row];
  }

  /** How much a row counts; 1 where nothing was given. */
  public double weight(int row) {
    Objects.checkIndex(row, rows);
    return weights == null ? 1 : weights[yOffset + row];
  }

  /** Whether responses are events in time. */
  public boolean isTimed() {
    return times != null;
  }

  /** When a row is at risk; asked only where responses are events in time. */
  public RiskTime time(int row) {
    Objects.checkIndex(row, rows);
    return Objects.requireNonNull(times, "rows without times")[yOffset + row];
  }

  /** The groups of its rows; asked only where a formula has random terms. */
  public RandomEffects random() {
    return Objects.requireNonNull(random, "rows without groups");
  }

  /** Whether rows are in groups that have effects of their own. */
  boolean isGrouped() {
    return random != null;
  }

  /** Copies one row's features. */
  public void row(int row, double[] into) {
    int at = xOffset + place(Objects.checkIndex(row, rows), 0);
    for (int j = 0; j < features; j++) {
      into[j] = x[at + j * GROUP];
    }
  }

  /**
   * Writes the linear predictors xᵀθ + offset of some rows, by multiply-adds in the order of the
   * columns.
   *
   * @param from the first row of a group
   */
  public void predictors(int from, int count, double[] theta, double[] into) {
    Objects.checkFromIndexSize(from, count, rows);
    TileKernels.best()
        .predict(x, xOffset + place(from, 0), Kernels.padded(count), features, theta, into);
    if (offsets != null) {
      for (int i = 0; i < count; i++) {
        into[i] += offsets[yOffset + from + i];
      }
    }
  }

  /**
   * Adds Σ factor · x over some rows to {@code lanes}, which holds {@link Kernels#LANES} partial
   * sums for each feature.
   *
   * @param from the first row of a group
   * @param factors one for each row, and zeros up to the end of the last group
   */
  public void addScaled(int from, int count, double[] factors, double[] lanes) {
    Objects.checkFromIndexSize(from, count, rows);
    TileKernels.best()
        .project(x, xOffset + place(from, 0), Kernels.padded(count), features, factors, lanes);
  }

  private int place(int row, int feature) {
    return place(row, feature, features);
  }

  /** Where a number stands among those of its shard, of rows with so many features. */
  public static int place(int row, int feature, int features) {
    return (row / GROUP * Kernels.columns(features) + feature) * GROUP + row % GROUP;
  }

  public double[] xArray() {
    return x;
  }

  public int xOffset() {
    return xOffset;
  }

  public double[] yArray() {
    return y;
  }

  public int yOffset() {
    return yOffset;
  }

  /** The rows' offsets, beside {@link #yArray}; null where all are 0. */
  public double @Nullable [] offsetArray() {
    return offsets;
  }

  /** The rows' prior weights, beside {@link #yArray}; null where all are 1. */
  public double @Nullable [] weightArray() {
    return weights;
  }

  /** A shard of zeros, of its own arrays, with offsets and weights where this one has them. */
  Shard blank(int rows) {
    return new Shard(
        new double[Kernels.columns(features) * padded(rows)],
        0,
        new double[padded(rows)],
        0,
        offsets == null ? null : new double[padded(rows)],
        weights == null ? null : new double[padded(rows)],
        times == null ? null : new RiskTime[padded(rows)],
        null,
        rows,
        features);
  }

  /** Whether the other has as many features, and offsets and weights just where this one has. */
  boolean sameShape(Shard other) {
    return features == other.features
        && (offsets == null) == (other.offsets == null)
        && (weights == null) == (other.weights == null)
        && (times == null) == (other.times == null);
  }

  /** These many rows from the first of a group on, in the same arrays. */
  Shard part(int from, int count) {
    return from == 0 && count == rows
        ? this
        : new Shard(
            x,
            xOffset + place(from, 0),
            y,
            yOffset + from,
            offsets,
            weights,
            times,
            null,
            count,
            features);
  }

  /** The shard made of the given rows of this one, in that order: a mini-batch. */
  public Shard take(int[] chosen, int from, int to) {
    Shard taken = blank(to - from);
    take(chosen, from, to, taken);
    return taken;
  }

  /** Writes the given rows of this shard over all rows of another. */
  void take(int[] chosen, int from, int to, Shard taken) {
    for (int i = 0; i < to - from; i++) {
      copy(Objects.checkIndex(chosen[from + i], rows), taken, i);
    }
  }

  /** Writes a row of this shard over one of another of the same shape. */
  void copy(int row, Shard other, int place) {
    other.y[other.yOffset + place] = y[yOffset + row];
    if (offsets != null && other.offsets != null) {
      other.offsets[other.yOffset + place] = offsets[yOffset + row];
    }
    if (weights != null && other.weights != null) {
      other.weights[other.yOffset + place] = weights[yOffset + row];
    }
    if (times != null && other.times != null) {
      other.times[other.yOffset + place] = times[yOffset + row];
    }
    int source = xOffset + place(row, 0);
    int target = other.xOffset + other.place(place, 0);
    for (int j = 0; j < features; j++) {
      other.x[target + j * GROUP] = x[source + j * GROUP];
    }
  }

  /** The same rows, their weights multiplied by these factors; x is shared. */
  public Shard weighted(double[] factors) {
    double[] changed = new double[padded(rows)];
    for (int i = 0; i < rows; i++) {
      changed[i] = weight(i) * factors[i];
    }
    return new Shard(
        x,
        xOffset,
        own(y),
        0,
        offsets == null ? null : own(offsets),
        changed,
        times == null ? null : Arrays.copyOfRange(times, yOffset, yOffset + rows),
        random,
        rows,
        features);
  }

  private double[] own(double[] ofAll) {
    double[] part = new double[padded(rows)];
    System.arraycopy(ofAll, yOffset, part, 0, rows);
    return part;
  }

  /** How many numbers hold one for each row and the rest of the last group. */
  public static int padded(int rows) {
    return Kernels.padded(rows);
  }
}
