package ngd.core.data;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.file.SealedNumbers;
import ngd.core.formula.RandomRow;
import ngd.core.formula.RiskTime;
import ngd.core.linalg.Kernels;
import org.jspecify.annotations.Nullable;

/**
 * All clients' rows, one {@link Shard} each, back to back in two arrays, or in a file where they do
 * not fit memory.
 *
 * <p>Client m's groups start at {@code xOffsets[m]}, its responses at {@code yOffsets[m]}; the last
 * entry of each is where the last client's end. Before the first are {@link Kernels#FRONT} zeros.
 * Every shard has at least one row and the same features.
 *
 * <p>Sums over a client's rows are made block by block, and those of the blocks added in their
 * order ({@link #folded}). How many rows a block has depends on the features alone, so that a sum
 * has the same bits wherever the rows are, and however many threads there are.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="shards"}
 */
public final class Shards implements AutoCloseable {
  /** The numbers of a block, roughly: enough to outweigh what is done once a block. */
  private static final int BLOCK_NUMBERS = 1 << 20;

  /** Blocks for each thread before what they came to is added. */
  private static final int SIDE_BY_SIDE = 8;

  private final int features;
  private final int[] rows;
  private final int blockRows;
  private final @Nullable FiledRows file;
  private final long totalRows;
  private final int[] xOffsets;
  private final int[] yOffsets;
  private final double[] x;
  private final double[] y;
  private double @Nullable [] offsets;
  private double @Nullable [] weights;
  private RiskTime @Nullable [] times;
  private @Nullable RandomEffects @Nullable [] random;

  private Shards(int features, int[] rows, int blockRows) {
    this.features = features;
    this.rows = rows;
    this.blockRows = blockRows;
    file = null;
    totalRows = Arrays.stream(rows).asLongStream().sum();
    xOffsets = new int[rows.length + 1];
    yOffsets = new int[rows.length + 1];
    long xEnd = Kernels.FRONT;
    long yEnd = Kernels.FRONT;
    xOffsets[0] = Kernels.FRONT;
    yOffsets[0] = Kernels.FRONT;
    for (int m = 0; m < rows.length; m++) {
      if (rows[m] < 1) {
        throw new InvalidInput("client %d: needs at least one row; got %d".formatted(m, rows[m]));
      }
      yEnd += Shard.padded(rows[m]);
      xEnd += (long) Kernels.columns(features) * Shard.padded(rows[m]);
      if (xEnd > Integer.MAX_VALUE - 2 * Kernels.LANES) {
        throw new InvalidInput(
            "data: at most 2^31 padded numbers fit one process; clients 0 to %d alone need %d"
                .formatted(m, xEnd));
      }
      xOffsets[m + 1] = (int) xEnd;
      yOffsets[m + 1] = (int) yEnd;
    }
    x = new double[Kernels.padded((int) xEnd)];
    y = new double[Kernels.padded((int) yEnd)];
  }

  private Shards(
      int features, int[] rows, int blockRows, @Nullable FiledRows file, double[] x, Shards like) {
    this(features, rows, blockRows, file, x, like, like.y);
  }

  private Shards(
      int features,
      int[] rows,
      int blockRows,
      @Nullable FiledRows file,
      double[] x,
      Shards like,
      double[] y) {
    this.features = features;
    this.rows = rows;
    this.blockRows = blockRows;
    this.file = file;
    totalRows = Arrays.stream(rows).asLongStream().sum();
    this.x = x;
    xOffsets = like.xOffsets;
    yOffsets = like.yOffsets;
    this.y = y;
    offsets = like.offsets;
    weights = like.weights;
    times = like.times;
    random = like.random;
  }

  /** Empty shards of the given sizes, to be filled row by row through {@link Filler#put}. */
  public static Filler sized(int features, int[] rowsPerClient) {
    return sized(features, rowsPerClient, blockRows(features));
  }

  static Filler sized(int features, int[] rowsPerClient, int blockRows) {
    return new Filler(new Shards(features, rowsPerClient.clone(), blockRows));
  }

  /**
   * The same in a file, filled client by client in the order of their rows; without groups.
   *
   * @param folder where the file is
   */
  public static Filler filed(int features, int[] rowsPerClient, Path folder) {
    return filed(features, rowsPerClient, folder, blockRows(features));
  }

  static Filler filed(int features, int[] rowsPerClient, Path folder, int blockRows) {
    Shards nothing = new Shards(features, new int[0], blockRows);
    FiledRows file =
        new FiledRows(SealedNumbers.in(folder), features, blockRows, rowsPerClient.length);
    return new Filler(
        new Shards(features, rowsPerClient.clone(), blockRows, file, nothing.x, nothing));
  }

  /** The rows of a block: a power of two. */
  public static int blockRows(int features) {
    int most = BLOCK_NUMBERS / Math.max(1, Kernels.columns(features));
    return Math.max(Shard.GROUP, Integer.highestOneBit(Math.max(1, most)));
  }

  /** The numbers that these many rows are in memory. */
  public static long numbers(long rows, int features) {
    return rows * (Kernels.columns(features) + 1);
  }

  /**
   * What a person should know of rows that are in a file, and what a pass over them costs; nothing
   * where they are in memory.
   *
   * @param folder where the file is
   */
  public Optional<String> passes(Path folder) {
    double bytes = (double) Double.BYTES * numbers(totalRows, features);
    return file == null
        ? Optional.empty()
        : Optional.of(
            "the rows, %s, do not fit the memory allowed (memory): they are read in passes from a sealed temporary file in %s; a pooled fit takes some 30 passes, penalties hundreds and thousands with folds, every gradient of a round one, a mini-batch none"
                .formatted(
                    bytes < 1e9
                        ? "%.1f MB".formatted(bytes / 1e6)
                        : "%.1f GB".formatted(bytes / 1e9),
                    folder));
  }

  /** Whether the rows are in a file, and read anew by whoever needs them. */
  public boolean isFiled() {
    return file != null;
  }

  /**
   * Refuses what needs all rows of a client in memory at once, where they are in a file.
   *
   * @param what needs them
   */
  public void requireHeld(String what) {
    if (file != null) {
      throw new InvalidInput(
          "%s: the rows do not fit the memory allowed and are read from a file block by block, and this needs all rows of a site at once; allow more (--memory; at a peer, memory in its site.yaml)"
              .formatted(what));
    }
  }

  /** Whether a client's rows are in memory, and no more than one block. */
  public boolean isOneBlock(int client) {
    return file == null && rows[client] <= blockRows;
  }

  /** How many blocks a client's rows are in. */
  public int blocks(int client) {
    return Math.ceilDiv(rows[client], blockRows);
  }

  /**
   * What blocks come to together: of each what a function says, added in the order of the blocks,
   * whichever threads computed them. A block is there only until the function returns.
   */
  public <T> T folded(int client, Function<Shard, T> ofBlock, BinaryOperator<T> add) {
    int blocks = blocks(client);
    int side = SIDE_BY_SIDE * Runtime.getRuntime().availableProcessors();
    T all = block(client, 0, ofBlock);
    for (int from = 1; from < blocks; from += side) {
      List<T> found =
          IntStream.range(from, Math.min(blocks, from + side))
              .parallel()
              .mapToObj(b -> block(client, b, ofBlock))
              .toList();
      for (T next : found) {
        all = add.apply(all, next);
      }
    }
    return all;
  }

  /** Vectors that are added number by number. */
  public double[] sum(int client, Function<Shard, double[]> ofBlock) {
    return folded(
        client,
        ofBlock,
        (all, next) -> {
          for (int i = 0; i < all.length; i++) {
            all[i] += next[i];
          }
          return all;
        });
  }

  /**
   * The mean over a client's rows, from those over its blocks; of one block just that.
   *
   * @param ofBlock what is the mean of something over the rows of a block
   */
  public double[] mean(int client, Function<Shard, double[]> ofBlock) {
    int all = rows[client];
    return sum(
        client,
        block -> {
          double[] own = ofBlock.apply(block);
          if (block.rows() < all) {
            double share = (double) block.rows() / all;
            for (int i = 0; i < own.length; i++) {
              own[i] *= share;
            }
          }
          return own;
        });
  }

  /** Receives blocks one after the other, each with the number of its first row. */
  @FunctionalInterface
  public interface BlockVisitor {
    void block(Shard block, int first);
  }

  /** All blocks of a client in their order, each there until the visitor returns. */
  public void forEach(int client, BlockVisitor visitor) {
    for (int b = 0; b < blocks(client); b++) {
      int first = b * blockRows;
      var _ =
          block(
              client,
              b,
              block -> {
                visitor.block(block, first);
                return first;
              });
    }
  }

  /**
   * A client's rows as {@link RankedRows#WIDTH} numbers each, by the first of them.
   *
   * @param numbers of a block's rows, one row's after the other's
   */
  public void ranked(int client, Function<Shard, double[]> numbers, RankedRows.Visitor visitor) {
    RankedRows ranked = file == null ? new RankedRows(null) : file.ranked();
    forEach(client, (block, _) -> ranked.add(numbers.apply(block)));
    ranked.visit(visitor);
  }

  /** Whether something holds of every row's response. */
  public boolean allResponses(DoublePredicate holds) {
    return IntStream.range(0, rows.length)
        .allMatch(
            m ->
                folded(
                    m,
                    block -> IntStream.range(0, block.rows()).allMatch(i -> holds.test(block.y(i))),
                    Boolean::logicalAnd));
  }

  private <T> T block(int client, int block, Function<Shard, T> function) {
    int from = block * blockRows;
    int count = Math.min(blockRows, rows[client] - from);
    return file == null
        ? function.apply(shard(client).part(from, count))
        : file.of(client, block, count, function);
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

  /**
   * The same rows in other coordinates: with features R⁻ᵀ(x − centre); all else stays.
   *
   * @param upper the upper triangular R, row by row
   * @param centre as many numbers as there are features, or none
   */
  public Shards in(double[] upper, double[] centre) {
    FeatureMap map = new FeatureMap(upper, centre, features);
    if (file != null) {
      return new Shards(features, rows, blockRows, file.mapped(map), x, this);
    }
    double[] there = x.clone();
    IntStream.range(0, rows.length)
        .parallel()
        .forEach(m -> map.apply(there, xOffsets[m], rows[m], m));
    return new Shards(features, rows, blockRows, null, there, this);
  }

  /** The same rows at other times; all else stays. */
  public Shards retimed(TimeChange change) {
    if (file != null) {
      return new Shards(features, rows, blockRows, file.retimed(change), x, this);
    }
    Shards other = new Shards(features, rows, blockRows, null, x, this, new double[y.length]);
    RiskTime[] old = Objects.requireNonNull(times, "rows without times");
    RiskTime[] changed = new RiskTime[old.length];
    for (int m = 0; m < rows.length; m++) {
      for (int i = yOffsets[m]; i < yOffsets[m] + rows[m]; i++) {
        other.y[i] = change.event(old[i], y[i]);
        changed[i] = change.time(old[i]);
      }
    }
    other.times = changed;
    return other;
  }

  /** Whether rows may start late: all have a start or none, as the formula says. */
  public boolean haveStarts() {
    return block(0, 0, first -> first.time(0).start() > Double.NEGATIVE_INFINITY);
  }

  /** The same rows, with other responses at some clients. */
  public Shards responding(Collection<Integer> clients, DoubleUnaryOperator response) {
    requireHeld("other responses");
    Shards other = new Shards(features, rows, blockRows);
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

  /** The same rows, each client's weights multiplied by factors of its rows; all else is shared. */
  public Shards weighted(RowFactors factors) {
    if (file != null) {
      return new Shards(features, rows, blockRows, file.weighted(factors), x, this);
    }
    Shards weighted = new Shards(features, rows, blockRows, null, x, this);
    double[] changed = new double[y.length];
    for (int m = 0; m < rows.length; m++) {
      for (int i = 0; i < rows[m]; i++) {
        int at = yOffsets[m] + i;
        changed[at] = (weights == null ? 1 : weights[at]) * factors.of(m, i);
      }
    }
    weighted.weights = changed;
    return weighted;
  }

  /** One client's rows alone, with their offsets and weights: what a process of its own holds. */
  public Shards only(int client) {
    int[] size = {rows[client]};
    if (file != null) {
      return new Shards(features, size, blockRows, file.only(client), x, this);
    }
    Shards alone = new Shards(features, size, blockRows);
    int from = yOffsets[client];
    int first = alone.yOffsets[0];
    int count = alone.yOffsets[1] - first;
    System.arraycopy(
        x, xOffsets[client], alone.x, alone.xOffsets[0], alone.xOffsets[1] - alone.xOffsets[0]);
    System.arraycopy(y, from, alone.y, first, count);
    alone.offsets = offsets == null ? null : new double[alone.y.length];
    alone.weights = weights == null ? null : new double[alone.y.length];
    alone.times = times == null ? null : new RiskTime[alone.y.length];
    copy(offsets, from, alone.offsets, first, count);
    copy(weights, from, alone.weights, first, count);
    copy(times, from, alone.times, first, count);
    alone.random = random == null ? null : new RandomEffects[] {random[client]};
    return alone;
  }

  /** All rows as those of one client. */
  public Shards asOne() {
    requireHeld("all rows as those of one client");
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

  private static void copy(
      @Nullable Object whole, int from, @Nullable Object part, int first, int count) {
    if (whole != null && part != null) {
      System.arraycopy(whole, from, part, first, count);
    }
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

  /** A client's rows, all at once; refused where they are in a file. */
  public Shard shard(int client) {
    requireHeld("this question");
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

  /** The shard made of some of a client's rows, in that order, wherever they are: a mini-batch. */
  public Shard taken(int client, int[] chosen, int from, int to) {
    return file == null
        ? shard(client).take(chosen, from, to)
        : file.taken(client, rows[client], chosen, from, to);
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

  /** Nothing is left of rows that are in a file. */
  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }

  static InvalidInput notFinite(int client, int row, String what, double found) {
    return new InvalidInput(
        "client %d, row %d: %s must be a finite number; got %s"
            .formatted(client, row, what, found));
  }

  /**
   * Writes rows into shards; {@link #done} ends the writing. Several threads may write those of
   * different clients, unless these go to a file.
   */
  public static final class Filler {
    private final Shards shards;
    private final RandomEffects.@Nullable Filler[] random;

    /** Of rows that go to a file, those of the block that is being filled. */
    private @Nullable Filler block;

    // Whoever sees one of these sees all that was written to it when it was made.
    private volatile double @Nullable [] offsets;
    private volatile double @Nullable [] weights;
    private volatile RiskTime @Nullable [] times;

    private Filler(Shards shards) {
      this.shards = shards;
      random = new RandomEffects.Filler[shards.rows.length];
    }

    /** Whether rows must come client by client, as they go to a file. */
    public boolean inOrder() {
      return shards.file != null;
    }

    public void put(int client, int row, double[] features, double response) {
      if (features.length != shards.features) {
        throw new InvalidInput(
            "client %d, row %d: must have %d features like the first; got %d"
                .formatted(client, row, shards.features, features.length));
      }
      Objects.checkIndex(row, shards.rows[client]);
      if (shards.file != null) {
        throw new IllegalArgumentException("rows that go to a file have offsets and weights");
      }
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
      if (shards.file != null) {
        file(shards.file, client, row, features, response, offset, weight);
        return;
      }
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
      double[] allOffsets = offsets;
      if (allOffsets == null && offset != 0) {
        allOffsets = madeOffsets();
      }
      if (allOffsets != null) {
        allOffsets[at] = offset;
      }
      double[] allWeights = weights;
      if (allWeights == null && weight != 1) {
        allWeights = madeWeights();
      }
      if (allWeights != null) {
        allWeights[at] = weight;
      }
    }

    private synchronized double[] madeOffsets() {
      double[] made = offsets;
      if (made == null) {
        made = new double[shards.y.length];
        offsets = made;
      }
      return made;
    }

    private synchronized double[] madeWeights() {
      double[] made = weights;
      if (made == null) {
        made = new double[shards.y.length];
        Arrays.fill(made, 1);
        weights = made;
      }
      return made;
    }

    private synchronized RiskTime[] madeTimes() {
      RiskTime[] made = times;
      if (made == null) {
        made = new RiskTime[shards.y.length];
        times = made;
      }
      return made;
    }

    /**
     * When a row, whose response is an event in time, is at risk of it; said before the row itself
     * where rows go to a file.
     */
    public void put(int client, int row, RiskTime time) {
      Objects.checkIndex(row, shards.rows[client]);
      if (shards.file != null) {
        filling(client, row).put(0, row % shards.blockRows, time);
        return;
      }
      if (!Double.isFinite(time.stop())) {
        throw notFinite(client, row, "the time", time.stop());
      }
      RiskTime[] all = times;
      (all == null ? madeTimes() : all)[shards.yOffsets[client] + row] = time;
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

    private void file(
        FiledRows file,
        int client,
        int row,
        double[] features,
        double response,
        double offset,
        double weight) {
      Filler filling = filling(client, row);
      int at = row % shards.blockRows;
      filling.put(0, at, features, response, offset, weight);
      if (at == filling.shards.rows[0] - 1) {
        file.append(client, filling.done());
        block = null;
      }
    }

    /** That of the block which a row of a file is in. */
    private Filler filling(int client, int row) {
      Filler filling = block;
      if (filling == null) {
        int first = row / shards.blockRows * shards.blockRows;
        int count = Math.min(shards.blockRows, shards.rows[client] - first);
        filling = sized(shards.features, new int[] {count}, shards.blockRows);
        block = filling;
      }
      return filling;
    }

    public Shards done() {
      if (random[0] != null) {
        shards.random =
            Arrays.stream(random)
                .map(own -> Objects.requireNonNull(own).done())
                .toArray(RandomEffects[]::new);
      }
      shards.offsets = offsets;
      shards.weights = weights;
      shards.times = times;
      return shards;
    }
  }
}
