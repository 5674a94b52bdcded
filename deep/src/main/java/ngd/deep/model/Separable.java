package ngd.deep.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.deep.model.Layers.Conv;
import ngd.deep.model.Layers.Relu;
import ngd.deep.model.Norms.BatchNorm;

/**
 * A network that begins with depthwise separable convolutions (Howard et al. 2017), and where its
 * arrays lie in a row of θ: a convolution with kernels of 3 × 3, then pairs of a depthwise and a
 * pointwise convolution, each normalised and rectified, then whatever follows.
 *
 * @param stages the first convolution, then a depthwise and a pointwise one in turns
 * @param tail what follows, as a network of its own, whose weights are the last of a row of θ
 */
public record Separable(List<Stage> stages, Net tail) {
  /** Threads have four channels each. */
  private static final int CHANNELS = 4;

  /**
   * A convolution and the normalisation after it.
   *
   * @param weight where its kernels begin in a row of θ
   * @param scale where the normalisation's scales begin there, its shifts right behind them
   * @param statistic which of the network's statistics the normalisation's mean is; its variance is
   *     the next
   */
  public record Stage(Conv conv, Shape in, Shape out, int weight, int scale, int statistic) {
    /** The numbers of one kernel. */
    public int width() {
      return (conv.depthwise() ? 1 : in.channels()) * conv.kernel() * conv.kernel();
    }

    /** Where the normalisation's shifts begin in a row of θ. */
    public int shift() {
      return scale + out.channels();
    }
  }

  public Separable {
    stages = List.copyOf(stages);
  }

  /** The network as such, where it is one. */
  public static Optional<Separable> of(Net net) {
    List<Layer> layers = net.model().layers(net.input(), net.classes());
    List<Stage> stages = new ArrayList<>();
    Shape shape = net.input();
    int weight = 0;
    int statistic = 0;
    int at = 0;
    while (at + 2 < layers.size()
        && layers.get(at) instanceof Conv conv
        && layers.get(at + 1) instanceof BatchNorm norm
        && layers.get(at + 2) instanceof Relu
        && !shape.flat()
        && fits(conv, stages.size())) {
      Shape out = conv.after(shape);
      int scale = weight + size(conv.weights(shape));
      stages.add(new Stage(conv, shape, out, weight, scale, statistic));
      weight = scale + size(norm.weights(out));
      statistic += norm.statistics(out).size();
      shape = out;
      at += 3;
    }
    if (stages.size() < 3 || stages.size() % 2 == 0 || at == layers.size()) {
      return Optional.empty();
    }
    Net tail =
        new Net(new Tail(List.copyOf(layers.subList(at, layers.size()))), shape, net.classes());
    return Optional.of(new Separable(stages, tail));
  }

  private static boolean fits(Conv conv, int place) {
    if (conv.bias() || conv.out() % CHANNELS != 0) {
      return false;
    }
    if (place > 0 && place % 2 == 0) {
      return conv.pointwise();
    }
    return conv.kernel() == 3
        && conv.padding() == 1
        && conv.stride() <= 2
        && conv.depthwise() == place > 0;
  }

  private static int size(List<Weight> weights) {
    return weights.stream().mapToInt(Weight::size).sum();
  }

  /** Where the tail's weights begin in a row of θ. */
  public int tailFrom() {
    Stage last = stages.getLast();
    return last.shift() + last.out().channels();
  }

  /** Which of the network's statistics is the tail's first. */
  public int tailStatistic() {
    return stages.getLast().statistic() + 2;
  }

  private record Tail(List<Layer> rest) implements Model {
    @Override
    public String name() {
      return "tail";
    }

    @Override
    public List<Layer> layers(Shape input, int classes) {
      return rest;
    }
  }
}
