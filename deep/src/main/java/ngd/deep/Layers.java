package ngd.deep;

import java.util.List;
import ngd.core.InvalidInput;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** The layers that the library has. */
public final class Layers {
  private Layers() {}

  private static InvalidInput refused(Layer layer, String wants, Shape found) {
    return new InvalidInput("layer %s: needs %s; got %s".formatted(layer.name(), wants, found));
  }

  private static Shape requireImage(Layer layer, Shape in) {
    if (in.flat()) {
      throw refused(layer, "images", in);
    }
    return in;
  }

  private static int slid(Layer layer, int size, int kernel, int stride, int padding, Shape in) {
    int room = size + 2 * padding - kernel;
    if (room < 0) {
      throw refused(
          layer, "images of at least %d pixels a side".formatted(kernel - 2 * padding), in);
    }
    return room / stride + 1;
  }

  /**
   * A convolution with square kernels over all input channels, or with {@code depthwise} one kernel
   * a channel.
   */
  public record Conv(int out, int kernel, int stride, int padding, boolean bias, boolean depthwise)
      implements Layer {
    public Conv(int out, int kernel, int stride, int padding) {
      this(out, kernel, stride, padding, true, false);
    }

    /** A kernel for each channel, no bias. */
    public static Conv depthwise(int channels, int stride) {
      return new Conv(channels, 3, stride, 1, false, true);
    }

    /** Without a bias, for a batch normalisation after it. */
    public static Conv plain(int out, int kernel, int stride) {
      return new Conv(out, kernel, stride, kernel / 2, false, false);
    }

    @Override
    public String name() {
      return "conv";
    }

    @Override
    public Shape after(Shape in) {
      requireImage(this, in);
      if (depthwise && in.channels() != out) {
        throw refused(this, "%d channels, one a kernel".formatted(out), in);
      }
      return Shape.image(
          out,
          slid(this, in.height(), kernel, stride, padding, in),
          slid(this, in.width(), kernel, stride, padding, in));
    }

    @Override
    public List<Weight> weights(Shape in) {
      int each = depthwise ? 1 : in.channels();
      Weight.Xavier start =
          new Weight.Xavier(each * kernel * kernel, (depthwise ? 1 : out) * kernel * kernel);
      Weight kernels = new Weight("weight", List.of(out, each, kernel, kernel), start);
      return bias
          ? List.of(kernels, new Weight("bias", List.of(out), new Weight.Constant(0)))
          : List.of(kernels);
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      if (pointwise() && pass.clients() > 1) {
        return products(x, in, weights, pass);
      }
      long clients = pass.clients();
      Tensor kernels =
          weights.get(0).reshape(clients * out, depthwise ? 1 : in.channels(), kernel, kernel);
      TensorOptional shift =
          bias ? new TensorOptional(weights.get(1).reshape(clients * out)) : new TensorOptional();
      return torch.conv2d(
          x,
          kernels,
          shift,
          new long[] {stride, stride},
          new long[] {padding, padding},
          new long[] {1, 1},
          depthwise ? clients * out : clients);
    }

    private boolean pointwise() {
      return kernel == 1 && stride == 1 && padding == 0 && !bias;
    }

    /** One product a client: a grouped convolution of single pixels is slow on a GPU. */
    private Tensor products(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      long clients = pass.clients();
      long n = x.size(0);
      long pixels = (long) in.height() * in.width();
      Tensor columns =
          x.reshape(n, clients, in.channels(), pixels)
              .permute(1, 2, 0, 3)
              .reshape(clients, in.channels(), n * pixels);
      Tensor kernels = weights.get(0).reshape(clients, out, in.channels());
      return kernels
          .bmm(columns)
          .view(clients, out, n, pixels)
          .permute(2, 0, 1, 3)
          .reshape(n, clients * out, in.height(), in.width());
    }
  }

  /** A product with a matrix, and a shift. */
  public record Dense(int out) implements Layer {
    @Override
    public String name() {
      return "dense";
    }

    @Override
    public Shape after(Shape in) {
      if (!in.flat()) {
        throw refused(this, "flat activations (a Flatten before it)", in);
      }
      return Shape.row(out);
    }

    @Override
    public List<Weight> weights(Shape in) {
      return List.of(
          new Weight("weight", List.of(out, in.channels()), new Weight.Xavier(in.channels(), out)),
          new Weight("bias", List.of(out), new Weight.Constant(0)));
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      return torch.baddbmm(weights.get(1).unsqueeze(1), x, weights.get(0).transpose(1, 2));
    }
  }

  /**
   * Batch normalisation (Ioffe and Szegedy 2015) over a client's own samples. Its running mean and
   * variance are no parameters: they stay with the client, unless a run mixes them.
   */
  public record BatchNorm() implements Layer {
    private static final double SMALL = 1e-5;
    private static final double MOMENTUM = 0.1;

    @Override
    public String name() {
      return "norm";
    }

    @Override
    public Shape after(Shape in) {
      return in;
    }

    @Override
    public List<Weight> weights(Shape in) {
      return List.of(
          new Weight("weight", List.of(in.channels()), new Weight.Constant(1)),
          new Weight("bias", List.of(in.channels()), new Weight.Constant(0)));
    }

    @Override
    public List<Weight> statistics(Shape in) {
      return List.of(
          new Weight("running_mean", List.of(in.channels()), new Weight.Constant(0)),
          new Weight("running_var", List.of(in.channels()), new Weight.Constant(1)));
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      if (in.flat()) {
        Tensor beside = x.transpose(0, 1).reshape(x.size(1), pass.clients() * (long) in.channels());
        return normalised(beside, in, weights, pass)
            .view(x.size(1), pass.clients(), in.channels())
            .transpose(0, 1);
      }
      return normalised(x, in, weights, pass);
    }

    /** Channels of all clients beside each other, so that each has statistics of its own. */
    private Tensor normalised(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      long channels = (long) pass.clients() * in.channels();
      // Not below float32, like the statistics themselves.
      ScalarType real = pass.statistics().get(0).scalar_type();
      Tensor scale = weights.get(0).reshape(channels).to(real);
      Tensor shift = weights.get(1).reshape(channels).to(real);
      Tensor counted = pass.real();
      boolean byBatch = pass.training() && !pass.frozen();
      if (byBatch && counted != null) {
        return masked(x, in, scale, shift, counted, pass);
      }
      return torch.batch_norm(
          x,
          new TensorOptional(scale),
          new TensorOptional(shift),
          new TensorOptional(pass.statistics().get(0)),
          new TensorOptional(pass.statistics().get(1)),
          byBatch,
          MOMENTUM,
          SMALL,
          true);
    }

    /** The same where clients have batches of different length: what fills up does not count. */
    private static Tensor masked(
        Tensor x, Shape in, Tensor scale, Tensor shift, Tensor counted, Pass pass) {
      long n = x.size(0);
      long clients = pass.clients();
      long pixels = (long) in.height() * in.width();
      long channels = clients * in.channels();
      Tensor wide = x.to(scale.scalar_type()).reshape(n, clients, in.channels(), pixels);
      Tensor mask = counted.to(wide.scalar_type()).transpose(0, 1).reshape(n, clients, 1, 1);
      Tensor count = total(mask).mul(Torch.scalar((double) pixels));
      Tensor mean = total(wide.mul(mask)).div(count);
      Tensor centred = wide.sub(mean);
      Tensor variance = total(centred.square().mul(mask)).div(count);
      update(pass.statistics().get(0), mean.reshape(channels));
      Tensor others = count.sub(Torch.scalar(1)).clamp_min(Torch.scalar(1));
      update(pass.statistics().get(1), variance.mul(count).div(others).reshape(channels));
      Tensor normal = centred.mul(variance.add(Torch.scalar(SMALL)).rsqrt());
      Tensor out =
          normal
              .mul(scale.view(1, clients, in.channels(), 1))
              .add(shift.view(1, clients, in.channels(), 1))
              .to(x.scalar_type());
      return x.dim() == 2 ? out.view(n, channels) : out.view(n, channels, in.height(), in.width());
    }

    private static Tensor total(Tensor x) {
      return x.sum(new long[] {0, 3}, true, new ScalarTypeOptional());
    }

    private static void update(Tensor running, Tensor now) {
      running.copy_(
          running
              .mul(Torch.scalar(1 - MOMENTUM))
              .add(now.detach().to(running.scalar_type()), Torch.scalar(MOMENTUM)));
    }
  }

  /**
   * Group normalisation (Wu and He 2018) with as many groups as divide the channels, 32 at most:
   * each sample is normalised by itself, so that nothing depends on what else is in a batch. It has
   * the parameters of {@link BatchNorm}, and no statistics.
   */
  public record GroupNorm() implements Layer {
    private static final int MOST_GROUPS = 32;
    private static final double SMALL = 1e-5;

    @Override
    public String name() {
      return "norm";
    }

    @Override
    public Shape after(Shape in) {
      return in;
    }

    @Override
    public List<Weight> weights(Shape in) {
      return List.of(
          new Weight("weight", List.of(in.channels()), new Weight.Constant(1)),
          new Weight("bias", List.of(in.channels()), new Weight.Constant(0)));
    }

    /** The largest number of groups that divides the channels. */
    private static long groups(int channels) {
      long groups = Math.min(MOST_GROUPS, channels);
      while (channels % groups != 0) {
        groups--;
      }
      return groups;
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      long channels = (long) pass.clients() * in.channels();
      // Groups do not reach over clients, whose channels lie beside each other.
      Tensor beside = in.flat() ? x.transpose(0, 1).reshape(x.size(1), channels) : x;
      Tensor normal =
          torch.group_norm(
              beside,
              pass.clients() * groups(in.channels()),
              new TensorOptional(weights.get(0).reshape(channels)),
              new TensorOptional(weights.get(1).reshape(channels)),
              SMALL,
              true);
      return in.flat()
          ? normal.view(x.size(1), pass.clients(), in.channels()).transpose(0, 1)
          : normal;
    }
  }

  /** max(x, 0). */
  public record Relu() implements Layer {
    @Override
    public String name() {
      return "relu";
    }

    @Override
    public Shape after(Shape in) {
      return in;
    }

    @Override
    public List<Weight> weights(Shape in) {
      return List.of();
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      return torch.relu(x);
    }
  }

  /** The largest of each square of {@code side} pixels; what does not fill a square is left out. */
  public record MaxPool(int side) implements Layer {
    @Override
    public String name() {
      return "pool";
    }

    @Override
    public Shape after(Shape in) {
      requireImage(this, in);
      return Shape.image(
          in.channels(),
          slid(this, in.height(), side, side, 0, in),
          slid(this, in.width(), side, side, 0, in));
    }

    @Override
    public List<Weight> weights(Shape in) {
      return List.of();
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      return torch.max_pool2d(x, side, side);
    }
  }

  /** The mean over all pixels of each channel: flat activations. */
  public record GlobalMean() implements Layer {
    @Override
    public String name() {
      return "mean";
    }

    @Override
    public Shape after(Shape in) {
      return Shape.row(requireImage(this, in).channels());
    }

    @Override
    public List<Weight> weights(Shape in) {
      return List.of();
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      return x.reshape(x.size(0), pass.clients(), in.channels(), (long) in.height() * in.width())
          .mean(3)
          .transpose(0, 1);
    }
  }

  /** Images as flat rows, channel after channel; flat rows stay as they are. */
  public record Flatten() implements Layer {
    @Override
    public String name() {
      return "flatten";
    }

    @Override
    public Shape after(Shape in) {
      return Shape.row(in.size());
    }

    @Override
    public List<Weight> weights(Shape in) {
      return List.of();
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      return in.flat() ? x : x.reshape(x.size(0), pass.clients(), in.size()).transpose(0, 1);
    }
  }
}
