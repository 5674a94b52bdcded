package ngd.core.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import ngd.core.file.SealedNumbers;
import ngd.core.formula.RiskTime;
import ngd.core.linalg.Kernels;

/**
 * Clients' blocks of rows in a file, and the coordinates in which they are read.
 *
 * <p>A block stands there as a shard has it: groups of features, responses, then offsets and
 * weights where it has them. As many blocks are in memory as threads work on them.
 */
final class FiledRows {
  /** Where a block begins, and what it has. */
  private record Place(long at, boolean offsets, boolean weights, boolean times) {}

  /** What stands there of a row's time. */
  private static final int TIME_NUMBERS = 3;

  private final SealedNumbers file;
  private final int features;
  private final int blockRows;
  private final List<List<Place>> places;
  private final List<FeatureMap> maps;
  private final List<TimeChange> changes;
  private final List<RowFactors> factors;
  private final Queue<Room> free;

  private FiledRows(
      SealedNumbers file,
      int features,
      int blockRows,
      List<List<Place>> places,
      List<FeatureMap> maps,
      List<TimeChange> changes,
      List<RowFactors> factors,
      Queue<Room> free) {
    this.file = file;
    this.features = features;
    this.blockRows = blockRows;
    this.places = places;
    this.maps = List.copyOf(maps);
    this.changes = List.copyOf(changes);
    this.factors = List.copyOf(factors);
    this.free = free;
  }

  FiledRows(SealedNumbers file, int features, int blockRows, int clients) {
    this(
        file,
        features,
        blockRows,
        new ArrayList<>(),
        List.of(),
        List.of(),
        List.of(),
        new ConcurrentLinkedQueue<Room>());
    for (int m = 0; m < clients; m++) {
      places.add(new ArrayList<>());
    }
  }

  /** Writes the next block of a client. */
  void append(int client, Shards block) {
    int from = block.yOffsets()[0];
    int count = block.yOffsets()[1] - from;
    double[] offsets = block.offsetArray();
    double[] weights = block.weightArray();
    long at = file.append(block.xArray(), block.xOffsets()[0], Kernels.columns(features) * count);
    file.append(block.yArray(), from, count);
    if (offsets != null) {
      file.append(offsets, from, count);
    }
    if (weights != null) {
      file.append(weights, from, count);
    }
    RiskTime[] times = block.timeArray();
    if (times != null) {
      append(times, from, count);
    }
    places.get(client).add(new Place(at, offsets != null, weights != null, times != null));
  }

  /** Starts, then stops, then strata, of as many rows as responses take with their padding. */
  private void append(RiskTime[] times, int from, int padded) {
    double[] numbers = new double[TIME_NUMBERS * padded];
    for (int i = 0; i < padded && times[from + i] != null; i++) {
      RiskTime time = times[from + i];
      numbers[i] = time.start();
      numbers[padded + i] = time.stop();
      numbers[2 * padded + i] = time.stratum();
    }
    file.append(numbers, 0, numbers.length);
  }

  /** The same rows in further coordinates. */
  FiledRows mapped(FeatureMap map) {
    List<FeatureMap> more = new ArrayList<>(maps);
    more.add(map);
    return new FiledRows(file, features, blockRows, places, more, changes, factors, free);
  }

  /** The same rows at other times. */
  FiledRows retimed(TimeChange change) {
    List<TimeChange> more = new ArrayList<>(changes);
    more.add(change);
    return new FiledRows(file, features, blockRows, places, maps, more, factors, free);
  }

  /** The same rows with other weights. */
  FiledRows weighted(RowFactors further) {
    List<RowFactors> more = new ArrayList<>(factors);
    more.add(further);
    return new FiledRows(file, features, blockRows, places, maps, changes, more, free);
  }

  /** One client's alone. */
  FiledRows only(int client) {
    List<RowFactors> own =
        factors.stream().<RowFactors>map(all -> (_, row) -> all.of(client, row)).toList();
    return new FiledRows(
        file, features, blockRows, List.of(places.get(client)), maps, changes, own, free);
  }

  /** Numbers of rows in the same file, to be put in their order. */
  RankedRows ranked() {
    return new RankedRows(file);
  }

  /** What a function says of a block of these many rows, which is there until it returns. */
  <T> T of(int client, int block, int rows, Function<Shard, T> function) {
    Room known = free.poll();
    Room room = known == null ? new Room(features, blockRows) : known;
    try {
      return function.apply(read(client, new Part(block, rows, 0, rows), room));
    } finally {
      free.add(room);
    }
  }

  /** Some of a client's rows, in the order in which they are chosen. */
  Shard taken(int client, int rows, int[] chosen, int from, int to) {
    Room room = new Room(features, Shard.GROUP);
    Shard taken = null;
    for (int i = from; i < to; i++) {
      int row = Objects.checkIndex(chosen[i], rows);
      Shard group = read(client, Part.around(row, rows, blockRows), room);
      if (taken == null) {
        taken = group.blank(to - from);
      }
      group.copy(row % Shard.GROUP, taken, i - from);
    }
    return Objects.requireNonNull(taken, "no rows");
  }

  /**
   * Rows of a block that stand side by side.
   *
   * @param size the rows of the block
   * @param first where they begin: at a group
   */
  private record Part(int block, int size, int first, int rows) {
    /** The group that a row is in. */
    static Part around(int row, int rows, int blockRows) {
      int block = row / blockRows;
      int size = Math.min(blockRows, rows - block * blockRows);
      int first = row % blockRows / Shard.GROUP * Shard.GROUP;
      return new Part(block, size, first, Math.min(Shard.GROUP, size - first));
    }
  }

  private Shard read(int client, Part part, Room room) {
    Place place = places.get(client).get(part.block);
    int rows = part.rows;
    int padded = Shard.padded(rows);
    int apart = Shard.padded(part.size);
    int columns = Kernels.columns(features);
    file.read(place.at + (long) columns * part.first, room.x, 0, columns * padded);
    long at = place.at + (long) columns * apart + part.first;
    file.read(at, room.y, 0, padded);
    at += apart;
    if (place.offsets) {
      file.read(at, room.offsets(), 0, padded);
      at += apart;
    }
    if (place.weights) {
      file.read(at, room.weights(), 0, padded);
      at += apart;
    } else if (!factors.isEmpty()) {
      Arrays.fill(room.weights(), 1);
    }
    for (RowFactors further : factors) {
      for (int i = 0; i < rows; i++) {
        room.weights()[i] *= further.of(client, part.block * blockRows + part.first + i);
      }
    }
    RiskTime[] times = place.times ? times(at, apart, rows, room) : null;
    for (FeatureMap map : maps) {
      map.apply(room.x, 0, rows, client);
    }
    return new Shard(
        room.x,
        0,
        room.y,
        0,
        place.offsets ? room.offsets() : null,
        place.weights || !factors.isEmpty() ? room.weights() : null,
        times,
        null,
        rows,
        features);
  }

  /**
   * The times of rows, and their responses as they are there.
   *
   * @param apart how far stops are from starts, and strata from stops
   */
  private RiskTime[] times(long at, int apart, int rows, Room room) {
    int padded = Shard.padded(rows);
    double[] numbers = new double[TIME_NUMBERS * padded];
    for (int k = 0; k < TIME_NUMBERS; k++) {
      file.read(at + (long) k * apart, numbers, k * padded, padded);
    }
    RiskTime[] times = new RiskTime[padded];
    for (int i = 0; i < rows; i++) {
      times[i] = new RiskTime(numbers[i], numbers[padded + i], (int) numbers[2 * padded + i]);
      for (TimeChange change : changes) {
        room.y[i] = change.event(times[i], room.y[i]);
        times[i] = change.time(times[i]);
      }
    }
    return times;
  }

  void close() {
    file.close();
  }

  /** The arrays of one block. */
  private static final class Room {
    private final double[] x;
    private final double[] y;
    private double[] offsets = new double[0];
    private double[] weights = new double[0];

    Room(int features, int rows) {
      x = new double[Kernels.columns(features) * Shard.padded(rows)];
      y = new double[Shard.padded(rows)];
    }

    double[] offsets() {
      offsets = offsets.length == 0 ? new double[y.length] : offsets;
      return offsets;
    }

    double[] weights() {
      weights = weights.length == 0 ? new double[y.length] : weights;
      return weights;
    }
  }
}
