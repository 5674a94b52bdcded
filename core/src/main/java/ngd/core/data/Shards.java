package ngd.core.data;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import ngd.core.InvalidInput;
import ngd.core.formula.RandomRow;
import ngd.core.formula.RiskTime;
import ngd.core.linalg.Kernels;
import org.jspecify.annotations.Nullable;

/**
 * All clients' rows, one {@link Shard} each, back to back in two arrays.
 *
 * <p>Client m's groups start at {@code xOffsets[m]}, its responses at {@code yOffsets[m]}; the last
 * entry of each is the length used. Every shard has at least one row and the same features.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="shards"}
 */
public final class Shards {
  private final int features;
  private final int[] rows;
  private final long totalRows;
  private final int[] xOffsets;
  private final int[] yOffsets;
  private final double[] x;
  private final double[] y;
  private double @Nullable [] offsets;
  private double @Nullable [] weights;
  private RiskTime @Nullable [] times;
  private @Nullable RandomEffects @Nullable [] random;

  private Shards(int features, int[] rows) {
    this.features = features;
    this.rows = rows;
    totalRows = Arrays.stream(rows).asLongStream().sum();
    xOffsets = new int[rows.length + 1];
    yOffsets = new int[rows.length + 1];
    long xEnd = 0;
    long yEnd = 0;
    for (int m = 0; m < rows.length; m++) {
      if (rows[m] < 1) {
        throw new InvalidInput("client %d: needs at least one row; got %d".formatted(m, rows[m]));
      }
      yEnd += Shard.padded(rows[m]);
      xEnd += (long) Kernels.columns(features) * Shard.padded(rows[m]);
      if (xEnd > Integer.MAX_VALUE - 8) {
        throw new InvalidInput(
            "data: at most 2^31 padded numbers fit one process; clients 0 to %d alone need %d"
                .formatted(m, xEnd));
      }
      xOffsets[m + 1] = (int) xEnd;
      yOffsets[m + 1] = (int) yEnd;
    }
    x = new double[(int) xEnd];
    y = new double[(int) yEnd];
  }

  /** Empty shards of the given sizes, to be filled row by row through {@link Filler#put}. */
  public static Filler sized(int features, int[] rowsPerClient) {
    return new Filler(new Shards(features, rowsPerClient.clone()));
  }

  /** Shards from plain arrays: {@code x[client][row][feature]} and {@code y[client][row]}. */
  public static Shards of(double[][][] x, double[][] y) {
    if (x.length == 0 || x.length != y.length) {
      throw new InvalidInput(
          "shards: x and y must hold the same clients, at least one; got %d and %d"
              .formatted(x.length, y.length));
    }
    int features = x[0].length == 0 ? 0 : x[0][0].length;
    Filler filler = sized(features, Arrays.stream(y).mapToInt(own -> own.length).toArray());
    for (int m = 0; m < x.length; m++) {
      if (x[m].length != y[m].length) {
        throw new InvalidInput(
            "client %d: x and y must hold the same rows; got %d and %d"
                .formatted(m, x[m].length, y[m].length));
      }
      for (int i = 0; i < x[m].length; i++) {
        filler.put(m, i, x[m][i], y[m][i]);
      }
    }
    return filler.done();
  }

  /** The same rows with other features, as many for each; all else stays. */
  public Shards mapped(UnaryOperator<double[]> features) {
    Filler filler = sized(this.features, rows);
    double[] row = new double[this.features];
    for (int m = 0; m < rows.length; m++) {
      Shard own = shard(m);
      for (int i = 0; i < rows[m]; i++) {
        own.row(i, row);
        filler.put(m, i, features.apply(row), own.y(i), own.offset(i), own.weight(i));
        if (own.isTimed()) {
          filler.put(m, i, own.time(i));
        }
      }
    }
    Shards mapped = filler.done();
    mapped.random = random;
    return mapped;
  }

  /** The same rows, with other responses at some clients. */
  public Shards responding(Collection<Integer> clients, DoubleUnaryOperator response) {
    Shards other = new Shards(features, rows);
    System.arraycopy(x, 0, other.x, 0, x.length);
    System.arraycopy(y, 0, other.y, 0, y.length);
    for (int m : clients) {
      for (int i = yOffsets[m]; i < yOffsets[m] + rows[m]; i++) {
        other.y[i] = response.applyAsDouble(y[i]);
      }
    }
    other.offsets = offsets;
    other.weights = weights;
    other.times = times;
    other.random = random;
    return other;
  }

  /** The same rows, counting by these weights of each client's; all else stays. */
  public Shards weighted(IntFunction<double[]> ofClient) {
    Filler filler = sized(features, rows);
    double[] row = new double[features];
    for (int m = 0; m < rows.length; m++) {
      Shard own = shard(m);
      double[] weight = ofClient.apply(m);
      for (int i = 0; i < rows[m]; i++) {
        own.row(i, row);
        filler.put(m, i, row, own.y(i), own.offset(i), weight[i]);
      }
    }
    return filler.done();
  }

  /** One client's rows alone, with their offsets and weights: what a process of its own holds. */
  public Shards only(int client) {
    Shards alone = new Shards(features, new int[] {rows[client]});
    int from = yOffsets[client];
    System.arraycopy(x, xOffsets[client], alone.x, 0, alone.x.length);
    System.arraycopy(y, from, alone.y, 0, alone.y.length);
    alone.offsets = part(offsets, from, alone.y.length);
    alone.weights = part(weights, from, alone.y.length);
    alone.times = times == null ? null : Arrays.copyOfRange(times, from, from + alone.y.length);
    alone.random = random == null ? null : new RandomEffects[] {random[client]};
    return alone;
  }

  /** All rows as those of one client. */
  public Shards asOne() {
    Filler filler = sized(features, new int[] {Math.toIntExact(totalRows)});
    double[] row = new double[features];
    int next = 0;
    for (int m = 0; m < rows.length; m++) {
      Shard own = shard(m);
      for (int i = 0; i < rows[m]; i++) {
        own.row(i, row);
        filler.put(0, next, row, own.y(i), own.offset(i), own.weight(i));
        if (own.isTimed()) {
          filler.put(0, next, own.time(i));
        }
        next++;
      }
    }
    Shards one = filler.done();
    if (random != null) {
      one.random =
          new RandomEffects[] {
            RandomEffects.joined(Arrays.stream(random).map(Objects::requireNonNull).toList())
          };
    }
    return one;
  }

  private static double @Nullable [] part(double @Nullable [] whole, int from, int length) {
    return whole == null ? null : Arrays.copyOfRange(whole, from, from + length);
  }

  public int clients() {
    return rows.length;
  }

  public int features() {
    return features;
  }

  /** How many rows each client holds. */
  public int[] sizes() {
    return rows.clone();
  }

  public int rows(int client) {
    return rows[client];
  }

  /** N, the rows of all clients together. */
  public long totalRows() {
    return totalRows;
  }

  public Shard shard(int client) {
    return new Shard(
        x,
        xOffsets[client],
        y,
        yOffsets[client],
        offsets,
        weights,
        times,
        random == null ? null : random[client],
        rows[client],
        features);
  }

  public int[] rowsArray() {
    return rows;
  }

  public int[] xOffsets() {
    return xOffsets;
  }

  public int[] yOffsets() {
    return yOffsets;
  }

  public double[] xArray() {
    return x;
  }

  public double[] yArray() {
    return y;
  }

  /** The rows' offsets, beside {@link #yArray}; null where all are 0. */
  public double @Nullable [] offsetArray() {
    return offsets;
  }

  /** The rows' prior weights, beside {@link #yArray}; null where all are 1. */
  public double @Nullable [] weightArray() {
    return weights;
  }

  /** When each row is at risk, beside {@link #yArray}; null where responses are no events. */
  public RiskTime @Nullable [] timeArray() {
    return times;
  }

  /** Writes rows into shards; {@link #done} ends the writing. */
  public static final class Filler {
    private final Shards shards;
    private final RandomEffects.@Nullable Filler[] random;

    private Filler(Shards shards) {
      this.shards = shards;
      random = new RandomEffects.Filler[shards.rows.length];
    }

    public void put(int client, int row, double[] features, double response) {
      if (features.length != shards.features) {
        throw new InvalidInput(
            "client %d, row %d: must have %d features like the first; got %d"
                .formatted(client, row, shards.features, features.length));
      }
      Objects.checkIndex(row, shards.rows[client]);
      int group = row / Shard.GROUP * Kernels.columns(shards.features);
      int at = shards.xOffsets[client] + group * Shard.GROUP + row % Shard.GROUP;
      for (int j = 0; j < features.length; j++) {
        if (!Double.isFinite(features[j])) {
          throw notFinite(client, row, "feature " + j, features[j]);
        }
        shards.x[at + j * Shard.GROUP] = features[j];
      }
      if (!Double.isFinite(response)) {
        throw notFinite(client, row, "the response", response);
      }
      shards.y[shards.yOffsets[client] + row] = response;
    }

    /**
     * A row with an offset, which is added to its linear predictor, and a prior weight, by which
     * its share of the loss is multiplied.
     */
    public void put(
        int client, int row, double[] features, double response, double offset, double weight) {
      put(client, row, features, response);
      if (!Double.isFinite(offset)) {
        throw notFinite(client, row, "the offset", offset);
      }
      if (!(weight >= 0) || Double.isInfinite(weight)) {
        throw new InvalidInput(
            "client %d, row %d: the weight must be 0 or a positive finite number; got %s"
                .formatted(client, row, weight));
      }
      int at = shards.yOffsets[client] + row;
      double[] offsets = shards.offsets;
      if (offsets == null && offset != 0) {
        offsets = new double[shards.y.length];
        shards.offsets = offsets;
      }
      if (offsets != null) {
        offsets[at] = offset;
      }
      double[] weights = shards.weights;
      if (weights == null && weight != 1) {
        weights = new double[shards.y.length];
        Arrays.fill(weights, 1);
        shards.weights = weights;
      }
      if (weights != null) {
        weights[at] = weight;
      }
    }

    /** When a row, whose response is an event in time, is at risk of it. */
    public void put(int client, int row, RiskTime time) {
      Objects.checkIndex(row, shards.rows[client]);
      if (!Double.isFinite(time.stop())) {
        throw notFinite(client, row, "the time", time.stop());
      }
      RiskTime[] times = shards.times;
      if (times == null) {
        times = new RiskTime[shards.y.length];
        shards.times = times;
      }
      times[shards.yOffsets[client] + row] = time;
    }

    /** The groups that a row is in, and what their effects multiply. */
    public void put(int client, int row, RandomRow of) {
      Objects.checkIndex(row, shards.rows[client]);
      RandomEffects.Filler own = random[client];
      if (own == null) {
        own = new RandomEffects.Filler(shards.rows[client], of);
        random[client] = own;
      }
      own.put(row, of);
    }

    private static InvalidInput notFinite(int client, int row, String what, double found) {
      return new InvalidInput(
          "client %d, row %d: %s must be a finite number; got %s"
              .formatted(client, row, what, found));
    }

    public Shards done() {
      if (random[0] != null) {
        shards.random =
            Arrays.stream(random)
                .map(own -> Objects.requireNonNull(own).done())
                .toArray(RandomEffects[]::new);
      }
      return shards;
    }
  }
}
