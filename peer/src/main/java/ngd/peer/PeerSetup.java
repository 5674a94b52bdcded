package ngd.peer;

import java.nio.file.Path;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.linalg.ExactSum;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.random.Streams;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.PeerAddress;
import org.jspecify.annotations.Nullable;

/**
 * What makes a process one client of a federation.
 *
 * @param agreement the plan that neighbours must hold alike
 * @param self this client's number
 * @param sites all clients by number
 * @param schedule W, constant or by round
 * @param streams the plan's seed
 * @param messageBytes the longest message that any call may have
 * @param folder where it keeps what must survive a crash; null to keep nothing
 */
public record PeerSetup(
    Agreement agreement,
    int self,
    List<PeerAddress> sites,
    NetworkSchedule schedule,
    Streams streams,
    PeerOptions options,
    int messageBytes,
    @Nullable Path folder) {
  /** What any message may have at most. */
  static final int LARGEST_MESSAGE = 1 << 28;

  private static final long LEAST = 1L << 20;

  /** What a term of a sum takes beside its numbers: whose it is, and a signature. */
  private static final int TERM_BYTES = 128;

  public PeerSetup {
    sites = List.copyOf(sites);
    if (sites.size() != schedule.clients()) {
      throw new InvalidInput(
          "sites: must be one for each of the network's %d clients; got %d"
              .formatted(schedule.clients(), sites.size()));
    }
    if (self < 0 || self >= sites.size()) {
      throw new InvalidInput(
          "peer: must be a client, 0 to %d; got %d".formatted(sites.size() - 1, self));
    }
  }

  /** Every link that there may ever be. */
  Network network() {
    return schedule.union();
  }

  /**
   * Room for what methods send: a few vectors, a matrix of parameters by parameters, or all
   * clients' terms of a sum over such a matrix.
   */
  public static int messageBytes(int clients, int parameters) {
    return messageBytes(clients, (double) parameters * (parameters + 4) + 16);
  }

  /**
   * The same for a whole question: a few such matrices together, and a few numbers of every site
   * and column beside each other.
   */
  static int messageBytes(int clients, int parameters, int columns) {
    double matrix = (double) parameters * (parameters + 4) + 16;
    return messageBytes(clients, 4 * matrix + (double) clients * (columns + 4));
  }

  private static int messageBytes(int clients, double numbers) {
    double bytes =
        Math.max(
            Double.BYTES * numbers,
            clients * (Integer.BYTES * ExactSum.WORDS * numbers + TERM_BYTES));
    return (int) Math.max(LEAST, Math.min(LARGEST_MESSAGE, bytes));
  }
}
