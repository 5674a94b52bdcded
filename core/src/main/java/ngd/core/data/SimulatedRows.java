package ngd.core.data;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;
import ngd.core.formula.RiskTime;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@link PaperModel#table} that are drawn whenever they are needed and never kept: they
 * go to their clients one by one, so that only the shards take memory.
 */
public final class SimulatedRows implements Cases {
  /** Numbers that are held while a fingerprint is taken, column by column. */
  private static final int HELD = 20_000_000;

  private final PaperModel model;
  private final int rows;
  private final Streams streams;
  private double @Nullable [] responses;
  private @Nullable CompletableFuture<String> hash;

  SimulatedRows(PaperModel model, int rows, Streams streams) {
    if (rows < 1) {
      throw new InvalidInput("rows: must be at least 1; got %d".formatted(rows));
    }
    this.model = model;
    this.rows = rows;
    this.streams = streams;
  }

  @Override
  public String source() {
    return "simulated " + model.spec();
  }

  @Override
  public int rows() {
    return rows;
  }

  /** The first call draws all, for the partitions that look at them. */
  @Override
  public double y(int row) {
    double[] found = responses;
    if (found == null) {
      found = new double[rows];
      double[] all = found;
      model.forEach(rows, streams, (i, _, y) -> all[i] = model.timed() ? PaperModel.event(y) : y);
      responses = found;
    }
    return found[row];
  }

  @Override
  public Optional<Labels> labels() {
    return Optional.empty();
  }

  public String responseName() {
    return model.timed() ? "event" : "y";
  }

  public List<String> features() {
    return IntStream.rangeClosed(1, model.truth().length).mapToObj(j -> "x" + j).toList();
  }

  /** Whether responses are events in time. */
  public boolean isTimed() {
    return model.timed();
  }

  /** The rows, each with its client. */
  public Shards shards(Assignment assignment) {
    if (assignment.rows() != rows) {
      throw new IllegalArgumentException(
          "assignment: must be for %d rows; got one for %d".formatted(rows, assignment.rows()));
    }
    Shards.Filler filler = Shards.sized(model.truth().length, assignment.sizes());
    int[] next = new int[assignment.clients()];
    model.forEach(
        rows,
        streams,
        (row, x, y) -> {
          int client = assignment.client(row);
          int place = next[client]++;
          filler.put(client, place, x, model.timed() ? PaperModel.event(y) : y);
          if (model.timed()) {
            filler.put(client, place, new RiskTime(Double.NEGATIVE_INFINITY, Math.abs(y), 0));
          }
        });
    return filler.done();
  }

  /** Begins to take the fingerprint beside what else is done until it is asked for. */
  public void beginHash() {
    if (hash == null) {
      hash = CompletableFuture.supplyAsync(this::fingerprint);
    }
  }

  /** {@link Table#hash} of the same rows. */
  public String hash() {
    beginHash();
    return Objects.requireNonNull(hash).join();
  }

  /** Drawn again for every few columns. */
  private String fingerprint() {
    int p = model.truth().length;
    List<String> names = features();
    int columns = model.timed() ? p + 2 : p + 1;
    int atOnce = Math.max(1, HELD / rows);
    Sha256 hash = new Sha256();
    for (int from = 0; from < columns; from += atOnce) {
      int first = from;
      double[][] held = new double[Math.min(atOnce, columns - from)][rows];
      model.forEach(
          rows,
          streams,
          (row, x, y) -> {
            for (int j = 0; j < held.length; j++) {
              held[j][row] = number(first + j, x, y);
            }
          });
      for (int j = 0; j < held.length; j++) {
        int column = first + j;
        Table.add(
            hash,
            column == 0 ? responseName() : column <= p ? names.get(column - 1) : "time",
            held[j]);
      }
    }
    return hash.hex();
  }

  /** A row's number in a column: the response, the features, then the time. */
  private double number(int column, double[] x, double y) {
    if (column == 0) {
      return model.timed() ? PaperModel.event(y) : y;
    }
    return column <= x.length ? x[column - 1] : Math.abs(y);
  }
}
