package ngd.core.simulation;

import java.util.Arrays;
import ngd.core.algorithm.Exchange;
import ngd.core.linalg.Edges;
import ngd.core.linalg.ExactSum;
import ngd.core.linalg.Host;
import ngd.core.linalg.HostEdges;
import ngd.core.linalg.HostRows;
import ngd.core.linalg.Rows;
import ngd.core.network.Network;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of M virtual clients in one process: sparse matrices times the block of all rows.
 */
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
      p = new Push(links());
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
                        offsets, heard, weights, in.values(), out.values(), in.stride(), from, to));
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
    for (double[] own : perRow) {
      if (own.length != sums.length) {
        throw new IllegalArgumentException(
            "total: every client's vector must have %d entries like the first; got %d"
                .formatted(sums.length, own.length));
      }
    }
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
      known = new Links(network);
      links = known;
    }
    return known;
  }
}
