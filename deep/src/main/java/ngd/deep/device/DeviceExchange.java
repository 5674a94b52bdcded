package ngd.deep.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Totals;
import ngd.core.linalg.ExactSum;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.world.HeardLinks;
import ngd.core.world.Mixing;
import ngd.core.world.Pulls;
import ngd.core.world.PushShares;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of M clients whose rows lie on one device: W, dense, times the block of rows. W is
 * never rounded below θ's own precision: rows that sum to 1 − 10⁻⁴ would shrink θ in every round.
 */
public final class DeviceExchange implements Exchange {
  private final Device device;
  private final Mixing mixing;

  /** What is known of each round of a period. */
  private final List<RoundLinks> rounds = new ArrayList<>();

  /** The round under way. */
  private RoundLinks now;

  /** W of a round on the device, and what follows from it. */
  private final class RoundLinks {
    final Network network;
    final Tensor w;
    final HeardLinks links;
    private @Nullable Tensor push;

    RoundLinks(Network network) {
      this.network = network;
      w = dense(network.offsets(), network.heard(), network.weights());
      links = new HeardLinks(network);
    }

    Tensor push() {
      Tensor shares = push;
      if (shares == null) {
        PushShares matrix = new PushShares(links);
        shares = dense(matrix.offsets(), matrix.heard(), matrix.weights());
        push = shares;
      }
      return shares;
    }
  }

  public DeviceExchange(NetworkSchedule schedule, Device device, Mixing mixing) {
    this.device = device;
    this.mixing = mixing;
    int period =
        schedule
            .period()
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "network: must repeat itself after some rounds here, as all of them are"
                            + " kept on the device; this one is drawn anew in each"));
    for (int t = 0; t < period; t++) {
      rounds.add(new RoundLinks(schedule.at(t)));
    }
    now = rounds.getFirst();
  }

  @Override
  public void enter(int round) {
    now = rounds.get(round % rounds.size());
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
    return mixing instanceof Mixing.Mean ? product(now.w, x) : guarded(x, x);
  }

  @Override
  public Rows mix(Rows own, CodedRows said) {
    if (!(mixing instanceof Mixing.Mean)) {
      return guarded(own, said.read());
    }
    double[] self = new double[own.rows()];
    Arrays.setAll(self, m -> now.network.weight(m, m));
    return product(now.w, said.read()).plus(own.minus(said.read()).timesEach(self));
  }

  /** Each client's robust average, one client after another. */
  private Rows guarded(Rows own, Rows said) {
    requireClients(own.rows());
    try (PointerScope _ = new PointerScope()) {
      Tensor truth = DeviceRows.in(own).tensor();
      Tensor in = DeviceRows.in(said).tensor();
      Tensor out = truth.clone();
      for (int m = 0; m < own.rows(); m++) {
        out.narrow(0, m, 1).copy_(guarded(truth.narrow(0, m, 1), in, m));
      }
      return device.own(out);
    }
  }

  private Tensor guarded(Tensor own, Tensor in, int m) {
    int from = now.links.offsets()[m];
    int count = now.links.offsets()[m + 1] - from;
    if (count == 0) {
      return own;
    }
    double[] weights = new double[count + 1];
    for (int i = 0; i < count; i++) {
      weights[i + 1] = now.network.weight(m, now.links.heard()[from + i]);
    }
    Tensor heard = rows(in, now.links.heard(), from, from + count);
    return mixed(mixing, torch.cat(new TensorVector(own, heard), 0), weights);
  }

  /** What the first of these rows becomes. */
  private Tensor mixed(Mixing rule, Tensor all, double[] weights) {
    return switch (rule) {
      case Mixing.Mean() -> throw new IllegalStateException("the mean is a product");
      case Mixing.Trimmed(int drop) -> middle(all, 0, drop);
      case Mixing.Median() -> middle(all, 0, Integer.MAX_VALUE);
      case Mixing.Bridge(int drop) -> middle(all, 1, drop);
      case Mixing.ByDistance near -> pulled(all, Pulls.of(near, squares(all), weights));
      case Mixing.NearestMixed(int bad, Mixing then) ->
          mixed(then, averaged(all, Pulls.nearest(squares(all), bad)), weights);
    };
  }

  /**
   * The mean of the first {@code sure} rows and of what is left of the others without the smallest
   * and largest; NaN sorts above everything.
   */
  private static Tensor middle(Tensor all, int sure, int drop) {
    long others = all.size(0) - sure;
    int dropped = Math.clamp((others - 1 + sure) / 2, 0, drop);
    Tensor left =
        torch
            .sort(all.narrow(0, sure, others), 0, false)
            .get0()
            .narrow(0, dropped, others - 2L * dropped);
    Tensor kept = torch.cat(new TensorVector(all.narrow(0, 0, sure), left), 0);
    return kept.mean(new long[] {0}).unsqueeze(0);
  }

  /** Squared distances between all rows; infinite where they are not finite. */
  private static double[][] squares(Tensor all) {
    double[][] squares = new double[(int) all.size(0)][];
    for (int i = 0; i < squares.length; i++) {
      squares[i] = Torch.toArray(all.sub(all.narrow(0, i, 1)).square().sum(1));
      for (int k = 0; k < squares.length; k++) {
        boolean finite = squares[i][k] < Double.POSITIVE_INFINITY;
        squares[i][k] = i == k ? 0 : finite ? squares[i][k] : Double.POSITIVE_INFINITY;
      }
    }
    return squares;
  }

  /** x + Σ share (x_k − x) of the first row x. */
  private Tensor pulled(Tensor all, double[] shares) {
    Tensor own = all.narrow(0, 0, 1);
    Tensor share = device.real(Torch.of(shares, shares.length, 1));
    Tensor apart = all.sub(own);
    // Who is not followed may be anything, which times nothing is not nothing.
    Tensor pull = torch.where(share.eq(new Scalar(0)), torch.zeros_like(apart), apart.mul(share));
    return own.add(pull.sum(new long[] {0}).unsqueeze(0));
  }

  /** The mean of some of the rows in place of each. */
  private Tensor averaged(Tensor all, int[][] of) {
    Tensor[] means = new Tensor[of.length];
    for (int i = 0; i < means.length; i++) {
      means[i] = rows(all, of[i], 0, of[i].length).mean(new long[] {0}).unsqueeze(0);
    }
    return torch.cat(new TensorVector(means), 0);
  }

  @Override
  public Rows push(Rows x) {
    mixing.requireMean(Mixing.PUSHED);
    return product(now.push(), x);
  }

  /** W times these rows, in the current scope. */
  public Tensor mixed(Tensor rows) {
    return device.exactProduct(now.w, rows);
  }

  private Rows product(Tensor matrix, Rows x) {
    requireClients(x.rows());
    try (PointerScope _ = new PointerScope()) {
      return device.own(device.exactProduct(matrix, DeviceRows.in(x).tensor()));
    }
  }

  @Override
  public Edges hear(Rows x) {
    mixing.requireMean(Mixing.LINK_BY_LINK);
    requireClients(x.rows());
    return new DeviceEdges(device, now.links.offsets(), picked(x, now.links.heard()));
  }

  @Override
  public Edges reply(Edges x) {
    return x.with(picked(x.values(), now.links.reverse()));
  }

  @Override
  public double[] linkWeights() {
    return now.links.weights();
  }

  /** Row e is row {@code source[e]} of x. */
  private Rows picked(Rows x, int[] source) {
    try (PointerScope _ = new PointerScope()) {
      return device.own(rows(DeviceRows.in(x).tensor(), source, 0, source.length));
    }
  }

  /** Rows {@code source[from]} to {@code source[to - 1]}, in the current scope. */
  private Tensor rows(Tensor x, int[] source, int from, int to) {
    long[] index = Arrays.stream(source, from, to).asLongStream().toArray();
    return x.index_select(0, device.here(Torch.of(index, index.length)));
  }

  @Override
  public double[] total(Rows x) {
    mixing.requireMean(Mixing.SUMMED);
    return Exchange.super.total(x);
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
    return Totals.finite(sums);
  }

  @Override
  public double max(double... perRow) {
    requireClients(perRow.length);
    return Totals.largest(perRow);
  }

  private void requireClients(int rows) {
    if (rows != now.network.clients()) {
      throw new IllegalArgumentException(
          "exchange: needs a row of each of the %d clients; got %d"
              .formatted(now.network.clients(), rows));
    }
  }
}
