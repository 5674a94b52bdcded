package ngd.deep;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import ngd.deep.device.Cuda;
import ngd.deep.device.Device;
import ngd.deep.device.Kernels;
import ngd.deep.device.Torch;
import ngd.deep.model.Net;
import ngd.deep.model.Pass;
import ngd.deep.model.Separable;
import ngd.deep.model.Separable.Stage;
import ngd.deep.model.Shape;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Gradients of networks of depthwise separable convolutions whose normalisations use their
 * statistics as they are, by the kernels of {@code separable.cu}: depthwise convolutions with the
 * scales, shifts and rectifiers around them, forward and backward. Pointwise convolutions are
 * libtorch's products on activations as they lie, M × n × H × W × C; what follows the convolutions
 * is differentiated by libtorch.
 */
final class FusedSeparable implements FusedPass {
  // As in separable.cu.
  private static final int THREADS = 256;
  private static final int ROWS_OF_A_BLOCK = 8;
  private static final int SUMS = 11;
  private static final int LANES = 32;

  /** Rows of pixels that a thread goes through in a gradient: fewer make more parts to add. */
  private static final int ROWS_OF_A_THREAD = 4;

  // A product for the gradient of few kernels over many pixels is cut, so that enough blocks have
  // work.
  private static final int BLOCKS = 264;
  private static final int TILE = 128;
  private static final int MOST_SLICES = 16;

  private final Separable net;
  private final int parameters;
  private final int clients;
  private final Device device;
  private final Statistics statistics;
  private final Kernels kernels;
  private final List<Layer> layers = new ArrayList<>();
  private int tabled;
  private @Nullable Tensor table;

  /** A stage with what the kernels keep of it from one round to the next. */
  private record Layer(
      Stage stage, int padded, Tensor folded, Tensor shift, Tensor gradient, Tensor dshift) {
    boolean turned() {
      return stage.conv().depthwise();
    }

    int rows() {
      return stage.out().channels();
    }

    int pixels() {
      return stage.out().height() * stage.out().width();
    }
  }

  private FusedSeparable(
      Separable net, int parameters, int clients, Device device, Statistics statistics) {
    this.net = net;
    this.parameters = parameters;
    this.clients = clients;
    this.device = device;
    this.statistics = statistics;
    kernels = new Kernels(new Cuda(), FusedSeparable.class, "separable.ptx");
    for (Stage stage : net.stages()) {
      int rows = stage.out().channels();
      int padded = stage.conv().depthwise() ? stage.width() : Math.ceilDiv(stage.width(), 4) * 4;
      int slices = stage.conv().depthwise() ? 1 : wanted(rows, padded);
      layers.add(
          new Layer(
              stage,
              padded,
              kept((long) clients * rows * padded),
              kept((long) clients * rows),
              kept((long) clients * slices * rows * padded),
              kept((long) clients * rows)));
    }
  }

  /** These kernels where they fit the network; null where others must do. */
  static @Nullable FusedSeparable of(Net net, int clients, Device device, Statistics statistics) {
    if (!statistics.frozen()) {
      return null;
    }
    return Separable.of(net)
        .map(own -> new FusedSeparable(own, net.parameters(), clients, device, statistics))
        .orElse(null);
  }

  private Tensor kept(long numbers) {
    return device.keep(empty(numbers));
  }

  private Tensor empty(long... sizes) {
    return torch.empty(sizes, device.reals(), new MemoryFormatOptional());
  }

  /** Into how many products one over all pixels is best cut. */
  private int wanted(int rows, int columns) {
    int blocks = clients * Math.ceilDiv(rows, TILE) * Math.ceilDiv(columns, TILE);
    return Math.min(MOST_SLICES, Math.ceilDiv(BLOCKS, blocks));
  }

  /** Into how many it can be cut, images staying whole. */
  private int slices(Layer layer, int images) {
    if (layer.turned()) {
      return 1;
    }
    int slices = wanted(layer.rows(), layer.padded);
    while (images % slices != 0) {
      slices--;
    }
    return slices;
  }

  /** The stages as the kernels know them: the struct of the same name in separable.cu. */
  private Tensor table(int images) {
    Tensor known = table;
    if (known != null && tabled == images) {
      return known;
    }
    List<Tensor> kept = statistics.of(0, clients);
    long[] words = new long[layers.size() * 10];
    int at = 0;
    for (Layer layer : layers) {
      Stage stage = layer.stage;
      words[at++] = Kernels.address(kept.get(stage.statistic()), 0);
      words[at++] = Kernels.address(kept.get(stage.statistic() + 1), 0);
      words[at++] = Kernels.address(layer.folded, 0);
      words[at++] = Kernels.address(layer.shift, 0);
      words[at++] = Kernels.address(layer.gradient, 0);
      words[at++] = Kernels.address(layer.dshift, 0);
      words[at++] = two(stage.weight(), stage.scale());
      words[at++] = two(stage.shift(), layer.rows());
      words[at++] = two(stage.width(), layer.padded);
      words[at++] = two(slices(layer, images), layer.turned() ? 1 : 0);
    }
    Tensor made = device.here(Torch.of(words, words.length));
    if (known == null) {
      known = device.keep(made);
      table = known;
    } else {
      known.copy_(made);
    }
    tabled = images;
    return known;
  }

  private static long two(int first, int second) {
    return Integer.toUnsignedLong(first) | (long) second << Integer.SIZE;
  }

  @Override
  public boolean takesBatches() {
    return true;
  }

  @Override
  public Tensor gradient(Tensor at, Supplier<ClientData.Chunk> chosen) {
    try (Arena arena = Arena.ofConfined()) {
      return new Round(arena, at.contiguous(), chosen.get()).gradient();
    }
  }

  /** One pass, forward and backward. */
  private final class Round {
    private final Arena arena;
    private final Tensor theta;
    private final ClientData.Chunk chunk;
    private final int images;
    private final Tensor out;

    Round(Arena arena, Tensor theta, ClientData.Chunk chunk) {
      this.arena = arena;
      this.theta = theta;
      this.chunk = chunk;
      images = Math.toIntExact(chunk.y().size(1));
      out = empty(clients, parameters);
    }

    Tensor gradient() {
      Tensor stages = table(images);
      int rows = layers.stream().mapToInt(Layer::rows).max().orElseThrow();
      Cuda.LaunchGrid all =
          new Cuda.LaunchGrid(Math.ceilDiv(rows, ROWS_OF_A_BLOCK), clients, layers.size(), THREADS);
      launch("fold", all, at(theta), number(parameters), at(stages));
      // What goes into each stage, as a matrix of a row a pixel; a depthwise one's is what the
      // stage before gives.
      List<Tensor> inputs = new ArrayList<>();
      inputs.add(patches());
      Tensor z = product(layers.getFirst(), inputs.getFirst());
      for (int i = 1; i < layers.size(); i += 2) {
        inputs.add(z);
        inputs.add(depthwise(i, z));
        z = product(layers.get(i + 1), inputs.getLast());
      }
      Tensor dz = tail(z);
      for (int i = layers.size() - 1; i > 0; i -= 2) {
        gradientOfKernels(layers.get(i), dz, inputs.get(i));
        Tensor before = gradientOfInput(layers.get(i), dz);
        dz = depthwiseGradient(i - 1, before, inputs.get(i), inputs.get(i - 1));
      }
      gradientOfKernels(layers.getFirst(), dz, inputs.getFirst());
      launch("unfold", all, at(theta), number(parameters), at(stages), at(out));
      return out;
    }

    private Tensor patches() {
      Layer first = layers.getFirst();
      Shape in = first.stage.in();
      Shape to = first.stage.out();
      long numbers = (long) clients * images * first.pixels() * first.padded;
      Tensor rows = empty(clients, (long) images * first.pixels(), first.padded);
      launch(
          "patches",
          over(numbers),
          at(chunk.x().contiguous()),
          at(rows),
          number(clients),
          number(images),
          number(in.channels()),
          number(in.height()),
          number(in.width()),
          number(to.height()),
          number(to.width()),
          number(first.stage.conv().stride()),
          number(first.padded));
      return rows;
    }

    /** A convolution as a product, without its shift: M × (n H W) × C. */
    private Tensor product(Layer layer, Tensor rows) {
      return rows.bmm(folded(layer).transpose(1, 2));
    }

    private Tensor folded(Layer layer) {
      return layer.folded.view(clients, layer.rows(), layer.padded);
    }

    private Tensor depthwise(int i, Tensor z) {
      Layer layer = layers.get(i);
      Shape to = layer.stage.out();
      Tensor rows = empty(clients, (long) images * layer.pixels(), layer.rows());
      launch(
          "depthwise_" + layer.stage.conv().stride(),
          over((long) clients * images * to.height() * (to.channels() / 4)),
          with(
              List.of(
                  at(z),
                  at(layers.get(i - 1).shift),
                  at(layer.folded),
                  at(layer.shift),
                  at(rows),
                  number(clients)),
              sizes(layer)));
      return rows;
    }

    /** Images of a client, channels, then height and width before and after. */
    private List<MemorySegment> sizes(Layer layer) {
      Shape in = layer.stage.in();
      Shape to = layer.stage.out();
      return List.of(
          number(images),
          number(to.channels()),
          number(in.height()),
          number(in.width()),
          number(to.height()),
          number(to.width()));
    }

    /** The gradient at the last convolution, and those of all weights behind it. */
    private Tensor tail(Tensor z) {
      Layer last = layers.getLast();
      Shape shape = last.stage.out();
      Tensor given = z.detach().requires_grad_(true);
      Tensor shift = last.shift.detach().requires_grad_(true);
      int from = net.tailFrom();
      Tensor weights =
          theta.narrow(1, from, (long) parameters - from).detach().requires_grad_(true);
      List<Tensor> kept = statistics.of(0, clients);
      Pass pass =
          new Pass(
              clients, true, true, chunk.real(), kept.subList(net.tailStatistic(), kept.size()));
      Tensor x =
          torch
              .relu(given.add(shift.view(clients, 1, last.rows())))
              .view(clients, images, last.pixels(), last.rows())
              .permute(1, 0, 3, 2)
              .reshape(images, (long) clients * last.rows(), shape.height(), shape.width());
      Tensor losses = DeviceLocal.crossEntropy(net.tail().logits(weights, x, pass, device), chunk);
      losses.mul(chunk.share()).sum().backward();
      out.narrow(1, from, (long) parameters - from).copy_(weights.grad());
      last.dshift.copy_(shift.grad());
      return given.grad().detach().contiguous();
    }

    /** Of a convolution that is a product. */
    private void gradientOfKernels(Layer layer, Tensor dz, Tensor rows) {
      int slices = slices(layer, images);
      long cut = (long) clients * slices;
      long pixels = (long) images * layer.pixels() / slices;
      Tensor into =
          layer
              .gradient
              .narrow(0, 0, cut * layer.rows() * layer.padded)
              .view(cut, layer.rows(), layer.padded);
      torch.bmm_out(
          into,
          dz.view(cut, pixels, layer.rows()).transpose(1, 2),
          rows.view(cut, pixels, layer.padded));
    }

    private Tensor gradientOfInput(Layer layer, Tensor dz) {
      return dz.bmm(folded(layer));
    }

    private Tensor depthwiseGradient(int i, Tensor gradient, Tensor given, Tensor z) {
      Layer layer = layers.get(i);
      Layer before = layers.get(i - 1);
      int lanes = Math.min(layer.rows() / 2, LANES);
      int workers = THREADS / lanes;
      int rows = images * layer.stage.in().height();
      int slices = Math.ceilDiv(rows, workers * ROWS_OF_A_THREAD);
      Tensor dz = torch.empty_like(z);
      Tensor parts = empty((long) slices * clients * SUMS * layer.rows());
      launch(
          "depthwise_gradient_" + layer.stage.conv().stride(),
          new Cuda.LaunchGrid(Math.ceilDiv(layer.rows() / 2, lanes), clients, slices, THREADS),
          with(
              with(
                  List.of(
                      at(gradient),
                      at(given),
                      at(z),
                      at(before.shift),
                      at(layer.folded),
                      at(dz),
                      at(parts)),
                  sizes(layer)),
              number(ROWS_OF_A_THREAD)));
      launch(
          "depthwise_sums",
          over((long) clients * SUMS * layer.rows()),
          at(parts),
          number(slices),
          number(clients),
          number(layer.rows()),
          at(layer.gradient),
          at(layer.dshift),
          at(before.dshift));
      return dz;
    }

    private void launch(String kernel, Cuda.LaunchGrid grid, MemorySegment... arguments) {
      kernels.launch(kernel, grid, Cuda.TORCH_STREAM, arguments);
    }

    private Cuda.LaunchGrid over(long threads) {
      return new Cuda.LaunchGrid(
          Math.toIntExact(Math.ceilDiv(threads, (long) THREADS)), 1, 1, THREADS);
    }

    private MemorySegment at(Tensor tensor) {
      return Kernels.at(arena, tensor);
    }

    private MemorySegment number(int value) {
      return Kernels.number(arena, value);
    }

    private static MemorySegment[] with(List<MemorySegment> first, List<MemorySegment> more) {
      List<MemorySegment> all = new ArrayList<>(first);
      all.addAll(more);
      return all.toArray(MemorySegment[]::new);
    }

    private static MemorySegment[] with(MemorySegment[] first, MemorySegment more) {
      return with(List.of(first), List.of(more));
    }
  }

  @Override
  public String toString() {
    return "kernels of our own for depthwise convolutions in float32, all clients in one pass";
  }

  @Override
  public void close() {
    kernels.close();
  }
}
