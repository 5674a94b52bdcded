package ngd.deep;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import ngd.core.algorithm.LinkLocal;
import ngd.core.algorithm.Local;
import ngd.core.data.RowParts;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.world.Batches;
import ngd.core.world.Parts;
import ngd.core.world.RowChoice;
import ngd.deep.device.Device;
import ngd.deep.device.DeviceRows;
import ngd.deep.device.Torch;
import ngd.deep.model.Net;
import ngd.deep.model.Pass;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Each client's mean cross-entropy on its own samples, and its gradient by libtorch.
 *
 * <p>On a GPU one backward pass over all clients gives all gradients. On a processor clients are
 * spread over threads, each pass on one thread: passes of several threads were slower.
 */
public final class DeviceLocal implements LinkLocal {
  /** Samples times clients in one pass of {@code gradient(Edges)}, so that memory stays bounded. */
  private static final int PASS = 100_000;

  private final Net net;
  private final ClientData data;
  private final Device device;
  private final Streams streams;
  private final Statistics statistics;
  private final @Nullable FusedPass fused;
  private @Nullable Batches batches;
  private ClientData.@Nullable Chunk everything;

  DeviceLocal(Net net, ClientData data, Device device, Streams streams, Statistics statistics) {
    this(net, data, device, streams, statistics, null);
  }

  /**
   * @param fused kernels that know this model on this device; null for plain library calls
   */
  DeviceLocal(
      Net net,
      ClientData data,
      Device device,
      Streams streams,
      Statistics statistics,
      @Nullable FusedPass fused) {
    this.net = net;
    this.data = data;
    this.device = device;
    this.streams = streams;
    this.statistics = statistics;
    this.fused = fused;
  }

  @Override
  public int rows(int row) {
    return data.rows(row);
  }

  @Override
  public Rows gradient(Rows at) {
    return gradient(at, null, 0);
  }

  private Rows gradient(Rows at, @Nullable RowChoice chosen, int round) {
    Tensor theta = checked(at, data.clients());
    if (device.cuda()) {
      return together(theta, chosen, round);
    }
    return eachClient(theta, m -> chunk(m, chosen, round));
  }

  /** A pass for each client. */
  private Rows eachClient(Tensor theta, IntFunction<ClientData.Chunk> chunk) {
    try (PointerScope _ = new PointerScope()) {
      Tensor out =
          torch.empty(
              new long[] {data.clients(), net.parameters()},
              device.reals(),
              new org.bytedeco.pytorch.MemoryFormatOptional());
      forEach(
          data.clients(),
          m -> {
            Tensor own = gradient(theta.narrow(0, m, 1), chunk.apply(m), statistics.of(m, m + 1));
            out.narrow(0, m, 1).copy_(own);
          });
      return device.own(out);
    }
  }

  /** One pass over all clients, whatever the device. */
  Rows together(Rows at) {
    return together(checked(at, data.clients()), null, 0);
  }

  private Rows together(Tensor theta, @Nullable RowChoice chosen, int round) {
    try (PointerScope _ = new PointerScope()) {
      int[] all = IntStream.range(0, data.clients()).toArray();
      Supplier<ClientData.Chunk> chunk =
          () -> chosen == null ? everything(all) : data.batch(chosen, round, all);
      if (fused != null && (chosen == null || fused.takesBatches())) {
        return device.own(fused.gradient(theta, chunk));
      }
      return device.own(gradient(theta, chunk.get(), statistics.of(0, data.clients())));
    }
  }

  private ClientData.Chunk everything(int[] all) {
    ClientData.Chunk chunk = everything;
    if (chunk == null) {
      chunk = data.all(all).kept(device);
      everything = chunk;
    }
    return chunk;
  }

  /** Clients over threads, one thread a pass; all threads in one pass where clients are few. */
  private void forEach(int clients, IntStreamAction action) {
    int threads = device.workers().threads();
    boolean shared = clients >= 2 * threads;
    device
        .workers()
        .run(
            clients,
            shared ? Long.MAX_VALUE : 0,
            (from, to) -> {
              torch.set_num_threads(shared ? 1 : threads);
              for (int m = from; m < to; m++) {
                try (PointerScope _ = new PointerScope()) {
                  action.at(m);
                }
              }
            });
  }

  private interface IntStreamAction {
    void at(int client);
  }

  /** The gradient of every row of theta over the chunk's clients, in the current scope. */
  private Tensor gradient(Tensor theta, ClientData.Chunk chunk, List<Tensor> kept) {
    Tensor leaf = theta.detach().requires_grad_(true);
    Pass pass = new Pass(chunk.clients(), true, statistics.frozen(), chunk.real(), kept);
    losses(leaf, chunk, pass).sum().backward();
    // A tensor of its own: what grad() gives lives inside the leaf.
    return leaf.grad().detach();
  }

  /** One number a client. */
  private Tensor losses(Tensor theta, ClientData.Chunk chunk, Pass pass) {
    return sampleLosses(theta, chunk, pass).mul(chunk.share()).sum(1);
  }

  /** One number a sample. */
  private Tensor sampleLosses(Tensor theta, ClientData.Chunk chunk, Pass pass) {
    return crossEntropy(net.logits(theta, chunk.x(), pass, device), chunk);
  }

  /** One number a sample, from its logits. */
  static Tensor crossEntropy(Tensor logits, ClientData.Chunk chunk) {
    return torch.log_softmax(logits, 2).gather(2, chunk.y().unsqueeze(2)).squeeze(2).neg();
  }

  private ClientData.Chunk chunk(int client, @Nullable RowChoice chosen, int round) {
    return chosen == null ? data.all(client) : data.batch(chosen, round, client);
  }

  @Override
  public double[] losses(Rows at) {
    return losses(at, null, 0);
  }

  private double[] losses(Rows at, @Nullable RowChoice chosen, int round) {
    return Arrays.stream(sampleLosses(at, chosen, round))
        .mapToDouble(own -> Arrays.stream(own).sum() / own.length)
        .toArray();
  }

  /** The losses of each client's samples at its own row. */
  private double[][] sampleLosses(Rows at, @Nullable RowChoice chosen, int round) {
    Tensor theta = checked(at, data.clients());
    double[][] losses = new double[data.clients()][];
    for (int m = 0; m < losses.length; m++) {
      try (PointerScope _ = new PointerScope();
          org.bytedeco.pytorch.NoGradGuard _ = new org.bytedeco.pytorch.NoGradGuard()) {
        Pass pass = new Pass(1, true, statistics.frozen(), null, statistics.copies(m));
        losses[m] =
            Torch.toArray(sampleLosses(theta.narrow(0, m, 1), chunk(m, chosen, round), pass));
      }
    }
    return losses;
  }

  @Override
  public RowLosses rowLosses(Rows at) {
    return new SampleLosses(at, null, 0);
  }

  /** The losses of samples at a point. */
  private final class SampleLosses implements RowLosses {
    private final Rows at;
    private final @Nullable RowChoice chosen;
    private final int round;
    private final double[][] losses;

    SampleLosses(Rows at, @Nullable RowChoice chosen, int round) {
      this.at = at;
      this.chosen = chosen;
      this.round = round;
      losses = sampleLosses(at, chosen, round);
    }

    @Override
    public double[][] sums(DoubleUnaryOperator... terms) {
      double[][] sums = new double[losses.length][terms.length];
      for (int m = 0; m < sums.length; m++) {
        for (int k = 0; k < terms.length; k++) {
          sums[m][k] = Arrays.stream(losses[m]).map(terms[k]).sum();
        }
      }
      return sums;
    }

    @Override
    public Rows gradient(DoubleUnaryOperator weight) {
      return eachClient(
          checked(at, losses.length),
          m -> {
            double[] factors = Arrays.stream(losses[m]).map(weight).toArray();
            return chunk(m, chosen, round)
                .weighted(device.real(Torch.of(factors, 1, factors.length)));
          });
    }
  }

  @Override
  public Edges gradient(Edges at) {
    return gradient(at, null, 0);
  }

  private Edges gradient(Edges at, @Nullable RowChoice chosen, int round) {
    int links = at.values().rows();
    Tensor theta = checked(at.values(), links);
    int[] hearer = new int[links];
    for (int m = 0; m < data.clients(); m++) {
      Arrays.fill(hearer, at.first(m), at.first(m + 1), m);
    }
    int most = Arrays.stream(data.sizes()).max().orElseThrow();
    int together = device.cuda() ? Math.max(1, PASS / most) : 1;
    try (PointerScope _ = new PointerScope()) {
      Tensor out = theta.clone();
      forEach(
          Math.ceilDiv(links, together),
          piece -> {
            int from = piece * together;
            int to = Math.min(links, from + together);
            int[] clients = Arrays.copyOfRange(hearer, from, to);
            ClientData.Chunk chunk =
                chosen == null ? data.all(clients) : data.batch(chosen, round, clients);
            Tensor own =
                gradient(theta.narrow(0, from, to - from), chunk, statistics.copies(clients));
            out.narrow(0, from, to - from).copy_(own);
          });
      return at.with(device.own(out));
    }
  }

  @Override
  public LinkLocal batch(int size, int round) {
    Batches known = batches;
    if (known == null || known.size() != size) {
      known = new Batches(data.sizes(), streams, 0, size);
      batches = known;
    }
    return new OfBatch(this, known, round);
  }

  @Override
  public Local part(int[] chosen, int of) {
    Parts parts = new Parts(new RowParts(data.sizes(), of), chosen);
    return parts.over(this, new OfBatch(this, parts, 0));
  }

  /** A round's mini-batches: gradients over the chosen samples. */
  private record OfBatch(DeviceLocal whole, RowChoice chosen, int round) implements LinkLocal {
    @Override
    public Rows gradient(Rows at) {
      return whole.gradient(at, chosen, round);
    }

    @Override
    public Edges gradient(Edges at) {
      return whole.gradient(at, chosen, round);
    }

    @Override
    public double[] losses(Rows at) {
      return whole.losses(at, chosen, round);
    }

    @Override
    public RowLosses rowLosses(Rows at) {
      return whole.new SampleLosses(at, chosen, round);
    }

    @Override
    public int rows(int row) {
      return whole.rows(row);
    }

    @Override
    public LinkLocal batch(int size, int other) {
      return whole.batch(size, other);
    }

    @Override
    public Local part(int[] others, int of) {
      return whole.part(others, of);
    }
  }

  private Tensor checked(Rows at, int rows) {
    DeviceRows here = DeviceRows.in(at);
    if (here.rows() != rows || here.width() != net.parameters()) {
      throw new IllegalArgumentException(
          "local data: points must be %d rows of %d; got %d of %d"
              .formatted(rows, net.parameters(), here.rows(), here.width()));
    }
    return here.tensor();
  }
}
