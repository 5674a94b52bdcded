package ngd.core.data;

import java.util.Arrays;

/**
 * Which client holds which row of a table. A client's rows stay in the order of the table, so the
 * assignment alone determines every shard.
 */
public final class Assignment {
  private final int clients;
  private final int[] clientOf;

  Assignment(int clients, int[] clientOf) {
    this.clients = clients;
    this.clientOf = clientOf;
  }

  public int clients() {
    return clients;
  }

  public int rows() {
    return clientOf.length;
  }

  public int client(int row) {
    return clientOf[row];
  }

  /** How many rows each client holds. */
  public int[] sizes() {
    int[] sizes = new int[clients];
    for (int client : clientOf) {
      sizes[client]++;
    }
    return sizes;
  }

  /** The table's rows, each with its client. */
  public Shards shards(Table table) {
    if (table.rows() != rows()) {
      throw new IllegalArgumentException(
          "assignment: must be for a table of %d rows; got one of %d"
              .formatted(rows(), table.rows()));
    }
    int p = table.features().size();
    Shards.Filler filler = Shards.sized(p, sizes());
    int[] next = new int[clients];
    double[] features = new double[p];
    for (int row = 0; row < rows(); row++) {
      for (int j = 0; j < p; j++) {
        features[j] = table.x(row, j);
      }
      int client = clientOf[row];
      int place = next[client]++;
      filler.put(client, place, features, table.y(row));
      table.time(row).ifPresent(time -> filler.put(client, place, time));
    }
    return filler.done();
  }

  /** Rows in the given order cut into pieces of the given sizes, one after another. */
  static Assignment cut(int[] order, int[] sizes) {
    int[] clientOf = new int[order.length];
    int next = 0;
    for (int m = 0; m < sizes.length; m++) {
      for (int i = 0; i < sizes[m]; i++) {
        clientOf[order[next++]] = m;
      }
    }
    return new Assignment(sizes.length, clientOf);
  }

  /** Piece k goes to client {@code to[k]}. */
  Assignment relabelled(int[] to) {
    return new Assignment(clients, Arrays.stream(clientOf).map(piece -> to[piece]).toArray());
  }
}
