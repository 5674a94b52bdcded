package ngd.core.simulation;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Exchange;
import ngd.core.linalg.Edges;
import ngd.core.linalg.ExactSum;
import ngd.core.linalg.Host;
import ngd.core.linalg.HostEdges;
import ngd.core.linalg.HostRows;
import ngd.core.linalg.Rows;
import ngd.core.network.Network;
import org.jspecify.annotations.Nullable;

/** The exchange of M virtual clients in one process: sparse matrices times the block of all rows. */
final class SimulatedExchange implements Exchange {
  private final Network network;
  private final Host host;
  private @Nullable Push push;
  private @Nullable Links links;

  SimulatedExchange(Network network, Host host) {
    this.network = network;
    this.host = host;
  }

  @Override
  public Rows mix(Rows x) {
    return product(network.offsets(), network.heard(), network.weights(), x);
  }

  @Override
  public Rows push(Rows x) {
    Push p = push;
    if (p == null) {
      p = Push.of(links());
      push = p;
    }
    return product(p.offsets, p.heard, p.weights, x);
  }

  private Rows product(int[] offsets, int[] heard, double[] weights, Rows x) {
    HostRows in = requireAll(x);
    HostRows out = host.block(in.rows(), in.width());
    host.workers()
        .run(
            in.rows(),
            (long) heard.length * in.stride(),
            (from, to) ->
                host.kernels()
                    .mix(
                        offsets,
                        heard,
                        weights,
                        in.values(),
                        out.values(),
                        in.stride(),
                        from,
                        to));
    return out;
  }

  @Override
  public Edges hear(Rows x) {
    HostRows in = requireAll(x);
    Links l = links();
    HostRows out = host.block(l.heard.length, in.width());
    copyRows(in, l.heard, out);
    return new HostEdges(host, l.offsets, out);
  }

  @Override
  public Edges reply(Edges x) {
    HostRows in = HostRows.in(x.values());
    HostRows out = host.block(in.rows(), in.width());
    copyRows(in, links().reverse(), out);
    return x.with(out);
  }

  /** Row e of out is row {@code source[e]} of in. */
  private static void copyRows(HostRows in, int[] source, HostRows out) {
    int stride = in.stride();
    for (int e = 0; e < source.length; e++) {
      System.arraycopy(in.values(), source[e] * stride, out.values(), e * stride, stride);
    }
  }

  @Override
  public double[] total(double[]... perRow) {
    requireClients(perRow.length);
    double[] sums = new double[perRow[0].length];
    for (int j = 0; j < sums.length; j++) {
      ExactSum sum = new ExactSum();
      for (double[] own : perRow) {
        sum.add(own[j]);
      }
      sums[j] = sum.value();
    }
    return sums;
  }

  @Override
  public double max(double... perRow) {
    requireClients(perRow.length);
    return Arrays.stream(perRow).max().orElseThrow();
  }

  private HostRows requireAll(Rows x) {
    requireClients(x.rows());
    return HostRows.in(x);
  }

  private void requireClients(int rows) {
    if (rows != network.clients()) {
      throw new IllegalArgumentException(
          "exchange: must be given a row for each of the %d clients; got %d"
              .formatted(network.clients(), rows));
    }
  }

  private Links links() {
    Links known = links;
    if (known == null) {
      known = Links.of(network);
      links = known;
    }
    return known;
  }

  /** Who hears whom, a client's weight on itself left out. */
  private record Links(int clients, int[] offsets, int[] heard) {
    static Links of(Network network) {
      int clients = network.clients();
      int[] offsets = new int[clients + 1];
      int[] heard = new int[network.edges()];
      int count = 0;
      for (int m = 0; m < clients; m++) {
        for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
          if (network.heard()[e] != m) {
            heard[count++] = network.heard()[e];
          }
        }
        offsets[m + 1] = count;
      }
      return new Links(clients, offsets, Arrays.copyOf(heard, count));
    }

    /** For each link (m hears k), the place of the link (k hears m). */
    int[] reverse() {
      int[] reverse = new int[heard.length];
      for (int m = 0; m < clients; m++) {
        for (int e = offsets[m]; e < offsets[m + 1]; e++) {
          int k = heard[e];
          int back = Arrays.binarySearch(heard, offsets[k], offsets[k + 1], m);
          if (back < 0) {
            throw new InvalidInput(
                "network: every link must be mutual to reply along it; client %d hears %d but not the other way"
                    .formatted(m, k));
          }
          reverse[e] = back;
        }
      }
      return reverse;
    }
  }

  /** The column-stochastic matrix: client k's share 1 / (1 + listeners) to itself and to each listener. */
  private record Push(int[] offsets, int[] heard, double[] weights) {
    static Push of(Links links) {
      int clients = links.clients;
      int[] listeners = new int[clients];
      for (int k : links.heard) {
        listeners[k]++;
      }
      int[] offsets = new int[clients + 1];
      int[] heard = new int[links.heard.length + clients];
      double[] weights = new double[heard.length];
      int at = 0;
      for (int m = 0; m < clients; m++) {
        int first = at;
        for (int e = links.offsets[m]; e < links.offsets[m + 1]; e++) {
          heard[at++] = links.heard[e];
        }
        heard[at++] = m;
        Arrays.sort(heard, first, at);
        for (int e = first; e < at; e++) {
          weights[e] = 1.0 / (1 + listeners[heard[e]]);
        }
        offsets[m + 1] = at;
      }
      return new Push(offsets, heard, weights);
    }
  }
}
