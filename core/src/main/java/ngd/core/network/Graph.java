package ngd.core.network;

import java.util.Arrays;
import java.util.Objects;
import ngd.core.InvalidInput;

/**
 * Who hears whom, without weights: for each client the other clients it hears, in ascending order.
 *
 * <p>Client m hears {@code heard[offsets[m]] .. heard[offsets[m + 1] - 1]}. No client hears itself
 * or another one twice, and every client hears at least one other, but for a single client and in
 * one of several rounds. Nobody writes to the arrays.
 */
public final class Graph {
  private final int[] offsets;
  private final int[] heard;

  private Graph(int[] offsets, int[] heard) {
    this.offsets = offsets;
    this.heard = heard;
  }

  /** The graph in which client m hears {@code hears[m]}, in any order. */
  public static Graph of(int[][] hears) {
    int[] offsets = new int[hears.length + 1];
    for (int m = 0; m < hears.length; m++) {
      offsets[m + 1] = offset(offsets[m] + (long) hears[m].length);
    }
    int[] heard = new int[offsets[hears.length]];
    for (int m = 0; m < hears.length; m++) {
      System.arraycopy(hears[m], 0, heard, offsets[m], hears[m].length);
    }
    return adopt(offsets, heard);
  }

  /** The graph of separate links, in any order: {@code client[i]} hears {@code hears[i]}. */
  static Graph ofLinks(int clients, int[] client, int[] hears, int links) {
    int[] offsets = new int[clients + 1];
    for (int i = 0; i < links; i++) {
      offsets[client[i] + 1]++;
    }
    for (int m = 0; m < clients; m++) {
      offsets[m + 1] += offsets[m];
    }
    int[] next = Arrays.copyOf(offsets, clients);
    int[] heard = new int[links];
    for (int i = 0; i < links; i++) {
      heard[next[client[i]]++] = hears[i];
    }
    return adopt(offsets, heard);
  }

  /** The links of a network between different clients. */
  static Graph ofOthers(Network network) {
    int[] client = new int[network.edges()];
    int[] hears = new int[network.edges()];
    int links = 0;
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        if (network.heard()[e] != m) {
          client[links] = m;
          hears[links++] = network.heard()[e];
        }
      }
    }
    return ofLinks(network.clients(), client, hears, links);
  }

  /** The same for one of several rounds, in which a client may hear nobody. */
  static Graph ofRound(int[] offsets, int[] heard) {
    return adopt(offsets, heard, true);
  }

  /** The graph of these very arrays; sorts the rows in place and checks them. */
  static Graph adopt(int[] offsets, int[] heard) {
    return adopt(offsets, heard, offsets.length == 2);
  }

  private static Graph adopt(int[] offsets, int[] heard, boolean mayBeAlone) {
    int clients = offsets.length - 1;
    if (clients < 1) {
      throw new InvalidInput("network: needs at least one client; got %d".formatted(clients));
    }
    for (int m = 0; m < clients; m++) {
      Arrays.sort(heard, offsets[m], offsets[m + 1]);
      checkRow(m, clients, heard, offsets[m], offsets[m + 1]);
      if (offsets[m] == offsets[m + 1] && !mayBeAlone) {
        throw new InvalidInput(
            "client %d: must hear at least one other client, or it has nothing to average; it hears none"
                .formatted(m));
      }
    }
    return new Graph(offsets, heard);
  }

  private static void checkRow(int client, int clients, int[] heard, int from, int to) {
    for (int e = from; e < to; e++) {
      int other = heard[e];
      if (other < 0 || other >= clients) {
        throw new InvalidInput(
            "client %d: hears a client outside [0, %d], the clients there are; got %d"
                .formatted(client, clients - 1, other));
      }
      if (other == client) {
        throw new InvalidInput(
            "client %d: hears itself; a weight on itself comes from the weights, not the links"
                .formatted(client));
      }
      if (e > from && heard[e - 1] == other) {
        throw new InvalidInput(
            "client %d: each client it hears may be named once; client %d is named again"
                .formatted(client, other));
      }
    }
  }

  /** An offset into the links, refused beyond what one array holds. */
  static int offset(long links) {
    if (links > Integer.MAX_VALUE - 8) {
      throw new InvalidInput(
          "network: at most 2^31 - 9 links fit one process; this one needs %d or more"
              .formatted(links));
    }
    return (int) links;
  }

  /** The same links but one: {@code client} hears {@code other} no more. */
  public Graph without(int client, int other) {
    int at = Arrays.binarySearch(heard, offsets[client], offsets[client + 1], other);
    if (at < 0) {
      throw new InvalidInput(
          "cut: only a link that is there can be cut; client %d does not hear %d"
              .formatted(client, other));
    }
    int[] fewer = offsets.clone();
    for (int m = client + 1; m < fewer.length; m++) {
      fewer[m]--;
    }
    int[] left = new int[heard.length - 1];
    System.arraycopy(heard, 0, left, 0, at);
    System.arraycopy(heard, at + 1, left, at, left.length - at);
    return adopt(fewer, left);
  }

  public int clients() {
    return offsets.length - 1;
  }

  /** Whether some client hears nobody. */
  boolean anyAlone() {
    for (int m = 0; m < clients(); m++) {
      if (inDegree(m) == 0) {
        return true;
      }
    }
    return false;
  }

  public int links() {
    return heard.length;
  }

  /** d[client], the number of other clients that the client hears. */
  public int inDegree(int client) {
    return offsets[client + 1] - offsets[client];
  }

  /** A copy of the clients that one client hears. */
  public int[] hears(int client) {
    return Arrays.copyOfRange(heard, offsets[client], offsets[client + 1]);
  }

  public boolean hears(int client, int other) {
    Objects.checkIndex(other, clients());
    return Arrays.binarySearch(heard, offsets[client], offsets[client + 1], other) >= 0;
  }

  int[] offsets() {
    return offsets;
  }

  int[] heard() {
    return heard;
  }
}
