package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import ngd.core.random.Streams;
import ngd.deep.device.Device;
import ngd.deep.device.Precision;
import ngd.deep.device.Torch;
import ngd.deep.model.Layer;
import ngd.deep.model.Layers;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Norms;
import ngd.deep.model.Separable;
import ngd.deep.model.Shape;
import ngd.deep.model.Weight;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels for depthwise convolutions. Oracle: libtorch in float64 on the processor; they run only
 * with a GPU. What they take for such a network is looked at everywhere.
 */
final class FusedSeparableTest {
  private static final Shape ODD = Shape.image(2, 13, 11);
  private static final Shape CIFAR = Shape.image(3, 32, 32);

  /** Strides of both kinds on sides of both kinds, few channels and many. */
  private record Small() implements Model {
    @Override
    public String name() {
      return "small";
    }

    @Override
    public List<Layer> layers(Shape input, int classes) {
      Stream<Layers.Conv> convolutions =
          Stream.of(
              Layers.Conv.plain(8, 3, 1),
              Layers.Conv.depthwise(8, 1),
              Layers.Conv.plain(12, 1, 1),
              Layers.Conv.depthwise(12, 2),
              Layers.Conv.plain(132, 1, 1),
              Layers.Conv.depthwise(132, 2),
              Layers.Conv.plain(16, 1, 1),
              Layers.Conv.depthwise(16, 1),
              Layers.Conv.plain(24, 1, 1));
      return Stream.concat(
              convolutions.<Layer>flatMap(
                  conv -> Stream.of(conv, new Norms.BatchNorm(), new Layers.Relu())),
              Stream.of(new Layers.GlobalMean(), new Norms.BatchNorm(), new Layers.Dense(classes)))
          .toList();
    }
  }

  static Stream<Arguments> networks() {
    return Stream.of(
        Arguments.of(new Small(), ODD, Precision.FLOAT32, 2e-6),
        Arguments.of(Model.parse("mobilenet"), CIFAR, Precision.FLOAT32, 1e-5),
        Arguments.of(Model.parse("mobilenet"), CIFAR, Precision.TF32, 0.3));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void gradient_allSamplesAndBatches_isThatOfLibtorchAndTwiceTheSameBits(
      Model model, Shape shape, Precision precision, double tolerance) {
    Torch.load();
    Assumptions.assumeTrue(Torch.cudaIsAvailable(), "there is no GPU");
    Net net = new Net(model, shape, 10);
    int[] sizes = {7, 12, 1};
    double[][] theta = Pictures.theta(net, sizes.length);
    try (Device gpu = Device.of("cuda", precision, 1);
        Device cpu = Device.of("cpu", Precision.FLOAT64, 2)) {
      Statistics statistics = given(net, gpu, sizes.length);
      FusedSeparable kernels =
          Objects.requireNonNull(FusedSeparable.of(net, sizes.length, gpu, statistics));
      DeviceLocal fused = local(net, gpu, sizes, statistics, kernels);
      DeviceLocal exact = local(net, cpu, sizes, given(net, cpu, sizes.length), null);
      for (int batch : new int[] {0, 8, 5}) {
        double[][] found = gradient(fused, gpu, theta, batch);
        double[][] expected = gradient(exact, cpu, theta, batch);
        int from = 0;
        for (Weight weight : net.weights()) {
          int to = from + weight.size();
          double error =
              FusedLenetTest.difference(columns(found, from, to), columns(expected, from, to));
          assertThat(error).as("%s, batch %d", weight.name(), batch).isLessThan(tolerance);
          from = to;
        }
        assertThat(gradient(fused, gpu, theta, batch)).isDeepEqualTo(found);
      }
      kernels.close();
    }
  }

  private static DeviceLocal local(
      Net net, Device device, int[] sizes, Statistics statistics, @Nullable FusedPass fused) {
    ClientData data =
        Pictures.clients(new Pictures(net.input(), net.classes(), 20, 2), device, sizes);
    return new DeviceLocal(net, data, device, Streams.of(1), statistics, fused);
  }

  /** Means about 0 and variances that keep activations of all layers about as large. */
  private static Statistics given(Net net, Device device, int clients) {
    Statistics statistics = new Statistics(device, net, clients, true);
    double[][] values = statistics.values();
    for (int m = 0; m < clients; m++) {
      int at = 0;
      for (Weight statistic : net.statistics()) {
        double middle = statistic.name().endsWith("running_var") ? 0.4 : 0;
        for (int j = 0; j < statistic.size(); j++, at++) {
          values[m][at] = middle + 0.1 * Math.sin(1 + 3 * m + at);
        }
      }
    }
    statistics.restore(values);
    return statistics;
  }

  private static double[][] columns(double[][] rows, int from, int to) {
    return Arrays.stream(rows)
        .map(row -> Arrays.copyOfRange(row, from, to))
        .toArray(double[][]::new);
  }

  private static double[][] gradient(
      DeviceLocal local, Device device, double[][] theta, int batch) {
    return GradientTest.rows(
        (batch == 0 ? local : local.batch(batch, 1)).gradient(device.of(theta)));
  }

  @Test
  void separable_mobilenet_hasAllItsWeightsOnce() {
    Net net = new Net(Model.parse("mobilenet"), CIFAR, 10);
    Separable found = Separable.of(net).orElseThrow();
    assertThat(found.stages()).hasSize(27);
    int at = 0;
    int statistic = 0;
    for (Separable.Stage stage : found.stages()) {
      assertThat(stage.weight()).isEqualTo(at);
      assertThat(stage.scale()).isEqualTo(at + stage.out().channels() * stage.width());
      assertThat(stage.statistic()).isEqualTo(statistic);
      at = stage.shift() + stage.out().channels();
      statistic += 2;
    }
    assertThat(found.tailFrom()).isEqualTo(at);
    assertThat(at + found.tail().parameters()).isEqualTo(net.parameters());
    assertThat(statistic + found.tail().statistics().size()).isEqualTo(net.statistics().size());
  }

  @Test
  void separable_otherNetworks_areNot() {
    for (String other : List.of("lenet", "resnet20", "mobilenet:group", "mlp:32")) {
      Shape input = Objects.equals(other, "lenet") ? Shape.image(1, 28, 28) : CIFAR;
      assertThat(Separable.of(new Net(Model.parse(other), input, 10))).as(other).isEmpty();
    }
  }
}
