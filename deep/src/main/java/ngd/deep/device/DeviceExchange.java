package ngd.deep.device;

import java.util.Arrays;
import ngd.core.algorithm.Exchange;
import ngd.core.linalg.ExactSum;
import ngd.core.network.Network;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.world.HeardLinks;
import ngd.core.world.PushShares;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of M clients whose rows lie on one device: W, dense, times the block of rows. W is
 * never rounded below θ's own precision: rows that sum to 1 − 10⁻⁴ would shrink θ in every round.
 */
public final class DeviceExchange implements Exchange {
  private final Network network;
  private final Device device;
  private final Tensor w;
  private final HeardLinks links;
  private @Nullable Tensor push;

  public DeviceExchange(Network network, Device device) {
    this.network = network;
    this.device = device;
    w = dense(network.offsets(), network.heard(), network.weights());
    links = new HeardLinks(network);
  }

  private Tensor dense(int[] offsets, int[] heard, double[] weights) {
    int clients = offsets.length - 1;
    double[] matrix = new double[Math.multiplyExact(clients, clients)];
    for (int m = 0; m < clients; m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        matrix[m * clients + heard[e]] = weights[e];
      }
    }
    try (PointerScope _ = new PointerScope()) {
      return device.keep(device.real(Torch.of(matrix, clients, clients)));
    }
  }

  @Override
  public Rows mix(Rows x) {
    return product(w, x);
  }

  @Override
  public Rows push(Rows x) {
    Tensor shares = push;
    if (shares == null) {
      PushShares matrix = new PushShares(links);
      shares = dense(matrix.offsets(), matrix.heard(), matrix.weights());
      push = shares;
    }
    return product(shares, x);
  }

  /** W times these rows, in the current scope. */
  public Tensor mixed(Tensor rows) {
    return device.exactProduct(w, rows);
  }

  private Rows product(Tensor matrix, Rows x) {
    requireClients(x.rows());
    try (PointerScope _ = new PointerScope()) {
      return device.own(device.exactProduct(matrix, DeviceRows.in(x).tensor()));
    }
  }

  @Override
  public Edges hear(Rows x) {
    requireClients(x.rows());
    return new DeviceEdges(device, links.offsets(), picked(x, links.heard()));
  }

  @Override
  public Edges reply(Edges x) {
    return x.with(picked(x.values(), links.reverse()));
  }

  /** Row e is row {@code source[e]} of x. */
  private Rows picked(Rows x, int[] source) {
    try (PointerScope _ = new PointerScope()) {
      long[] index = Arrays.stream(source).asLongStream().toArray();
      Tensor at = device.here(Torch.of(index, index.length));
      return device.own(DeviceRows.in(x).tensor().index_select(0, at));
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

  private void requireClients(int rows) {
    if (rows != network.clients()) {
      throw new IllegalArgumentException(
          "exchange: needs a row of each of the %d clients; got %d"
              .formatted(network.clients(), rows));
    }
  }
}
