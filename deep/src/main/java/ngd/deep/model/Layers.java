package ngd.deep.model;

import java.util.List;
import ngd.core.InvalidInput;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** The layers that the library has; {@link Norms} and {@link Residual} are the others. */
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
        throw refused(this, "%d channels, one per kernel".formatted(out), in);
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
      Tensor kernels = kernels(weights, in, pass);
      return convolved(x, in, kernels, bias ? shift(weights, pass) : null, pass);
    }

    /** The same and then a scale and a shift of each channel, which go into kernels and bias. */
    Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass, Norms.Affine then) {
      Tensor plain = kernels(weights, in, pass);
      Tensor kernels = plain.mul(then.scale().view(-1, 1, 1, 1)).to(plain.scalar_type());
      Tensor shift = bias ? shift(weights, pass).mul(then.scale()).add(then.shift()) : then.shift();
      return convolved(x, in, kernels, shift.to(plain.scalar_type()), pass);
    }

    private Tensor kernels(List<Tensor> weights, Shape in, Pass pass) {
      return weights
          .get(0)
          .reshape((long) pass.clients() * out, depthwise ? 1 : in.channels(), kernel, kernel);
    }

    private Tensor shift(List<Tensor> weights, Pass pass) {
      return weights.get(1).reshape((long) pass.clients() * out);
    }

    private Tensor convolved(
        Tensor x, Shape in, Tensor kernels, @Nullable Tensor shift, Pass pass) {
      long clients = pass.clients();
      if (pointwise() && clients > 1) {
        return products(x, in, kernels, shift, pass);
      }
      return torch.conv2d(
          x,
          kernels,
          shift == null ? new TensorOptional() : new TensorOptional(shift),
          new long[] {stride, stride},
          new long[] {padding, padding},
          new long[] {1, 1},
          depthwise ? clients * out : clients);
    }

    boolean pointwise() {
      return kernel == 1 && stride == 1 && padding == 0 && !depthwise;
    }

    /** One product a client: a grouped convolution of single pixels is slow on a GPU. */
    private Tensor products(Tensor x, Shape in, Tensor kernels, @Nullable Tensor shift, Pass pass) {
      long clients = pass.clients();
      long n = x.size(0);
      long pixels = (long) in.height() * in.width();
      Tensor columns =
          x.reshape(n, clients, in.channels(), pixels)
              .permute(1, 2, 0, 3)
              .reshape(clients, in.channels(), n * pixels);
      Tensor each = kernels.view(clients, out, in.channels());
      Tensor product =
          shift == null
              ? each.bmm(columns)
              : torch.baddbmm(shift.view(clients, out, 1), each, columns);
      return product
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
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      return in.flat() ? x : x.reshape(x.size(0), pass.clients(), in.size()).transpose(0, 1);
    }
  }
}
