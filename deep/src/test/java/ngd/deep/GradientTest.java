package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.deep.device.Device;
import ngd.deep.device.Precision;
import ngd.deep.model.Layer;
import ngd.deep.model.Layers;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Norms;
import ngd.deep.model.Pass;
import ngd.deep.model.Residual;
import ngd.deep.model.Shape;
import ngd.deep.model.TinyModel;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gradients in float64. Oracles: finite differences of the loss; the same clients one at a time;
 * the kernels' path of all clients in one pass.
 */
final class GradientTest {
  private static final Shape IMAGE = Shape.image(2, 8, 8);

  /** A model of one kind of layer, and as little else as it takes to end in classes. */
  private record Of(String name, List<Layer> all) implements Model {
    @Override
    public List<Layer> layers(Shape input, int classes) {
      return Stream.concat(all.stream(), Stream.of(new Layers.Flatten(), new Layers.Dense(classes)))
          .toList();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Arguments> models() {
    return Stream.of(
            new Of("dense", List.of(new Layers.Flatten(), new Layers.Dense(5), new Layers.Relu())),
            new Of("conv", List.of(new Layers.Conv(3, 3, 2, 1))),
            new Of("depthwise", List.of(Layers.Conv.depthwise(2, 1), Layers.Conv.plain(3, 1, 1))),
            new Of(
                "pool",
                List.of(new Layers.Conv(3, 3, 1, 1), new Layers.Relu(), new Layers.MaxPool(2))),
            new Of(
                "norm",
                List.of(Layers.Conv.plain(3, 3, 2), new Norms.BatchNorm(), new Layers.Relu())),
            new Of(
                "flat norm",
                List.of(
                    new Layers.Conv(3, 3, 2, 1), new Layers.GlobalMean(), new Norms.BatchNorm())),
            new Of(
                "group norm",
                List.of(
                    Layers.Conv.plain(6, 3, 2),
                    new Norms.GroupNorm(),
                    new Layers.Relu(),
                    new Layers.Conv(64, 3, 2, 1),
                    new Layers.GlobalMean(),
                    new Norms.GroupNorm())),
            new Of(
                "residual",
                List.of(
                    new Residual(
                        List.of(Layers.Conv.plain(4, 3, 2), new Norms.BatchNorm()),
                        List.of(Layers.Conv.plain(4, 1, 2), new Norms.BatchNorm())),
                    new Residual(List.of(Layers.Conv.plain(4, 3, 1)), List.of()))),
            new Of("own", List.of(new Layers.Conv(3, 3, 2, 1), new TinyModel.Swish())))
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradient_eachLayer_isThatOfFiniteDifferences(Model model) {
    Net net = new Net(model, IMAGE, 3);
    int[] sizes = {5, 4};
    try (Device device = Device.of("cpu", Precision.FLOAT64, 1)) {
      assertFiniteDifferences(local(net, device, sizes), net, device);
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradient_eachLayerFrozen_isThatOfFiniteDifferences(Model model) {
    Net net = new Net(model, IMAGE, 3);
    int[] sizes = {5, 4};
    try (Device device = Device.of("cpu", Precision.FLOAT64, 1)) {
      assertFiniteDifferences(frozen(net, device, sizes), net, device);
    }
  }

  private static void assertFiniteDifferences(DeviceLocal local, Net net, Device device) {
    double[][] theta = Pictures.theta(net, 2);
    double[][] gradient = rows(local.gradient(device.of(theta)));
    double step = 1e-6;
    int stride = Math.max(1, net.parameters() / 60);
    for (int m = 0; m < 2; m++) {
      for (int j = m; j < net.parameters(); j += stride) {
        double before = theta[m][j];
        theta[m][j] = before + step;
        double up = local.losses(device.of(theta))[m];
        theta[m][j] = before - step;
        double down = local.losses(device.of(theta))[m];
        theta[m][j] = before;
        assertThat(gradient[m][j])
            .as("client %d, parameter %d", m, j)
            .isCloseTo((up - down) / (2 * step), within(1e-6));
        device.recycle(List.of());
      }
    }
  }

  /** Convolutions of each kind and a normalisation after each, which frozen goes into them. */
  private static List<Layer> normalised(boolean apart) {
    return Stream.of(
            Layers.Conv.plain(4, 3, 2),
            Layers.Conv.depthwise(4, 1),
            Layers.Conv.plain(5, 1, 1),
            new Layers.Conv(3, 1, 1, 0))
        .<Layer>flatMap(
            conv ->
                apart
                    ? Stream.of(conv, new Nothing(), new Norms.BatchNorm(), new Layers.Relu())
                    : Stream.of(conv, new Norms.BatchNorm(), new Layers.Relu()))
        .toList();
  }

  /** Keeps layers before and after it apart. */
  private record Nothing() implements Layer {
    @Override
    public String name() {
      return "nothing";
    }

    @Override
    public Shape after(Shape in) {
      return in;
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      return x;
    }
  }

  @Test
  void gradient_frozenNormsInConvolutions_isThatOfNormsByThemselves() {
    int[] sizes = {5, 2, 7};
    Net inside = new Net(new Of("inside", normalised(false)), IMAGE, 3);
    Net apart = new Net(new Of("apart", normalised(true)), IMAGE, 3);
    try (Device device = Device.of("cpu", Precision.FLOAT64, 1)) {
      double[][] theta = Pictures.theta(inside, 3);
      DeviceLocal expected = frozen(apart, device, sizes);
      double[][] each = rows(expected.gradient(device.of(theta)));
      DeviceLocal local = frozen(inside, device, sizes);
      assertClose(rows(local.gradient(device.of(theta))), each, 1e-12);
      assertClose(rows(local.together(device.of(theta))), each, 1e-12);
      assertThat(local.losses(device.of(theta)))
          .containsExactly(expected.losses(device.of(theta)), within(1e-13));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradient_allClientsInOnePass_isThatOfOneAtATime(Model model) {
    Net net = new Net(model, IMAGE, 3);
    // The sizes differ, so that batches are filled up.
    int[] sizes = {5, 2, 7};
    try (Device device = Device.of("cpu", Precision.FLOAT64, 1)) {
      double[][] theta = Pictures.theta(net, 3);
      double[][] each = rows(local(net, device, sizes).gradient(device.of(theta)));
      double[][] together = rows(local(net, device, sizes).together(device.of(theta)));
      assertClose(together, each, 1e-12);
    }
  }

  @Test
  void gradient_wholeModels_areTheSameInOnePass() {
    for (String model : List.of("lenet", "resnet20")) {
      Shape shape = model.equals("lenet") ? Shape.image(1, 28, 28) : Shape.image(3, 16, 16);
      Net net = new Net(Model.parse(model), shape, 10);
      int[] sizes = {3, 4};
      try (Device device = Device.of("cpu", Precision.FLOAT64, 2)) {
        ClientData data = Pictures.clients(new Pictures(shape, 10, 7, 5), device, sizes);
        double[][] theta = Pictures.theta(net, 2);
        DeviceLocal local =
            new DeviceLocal(net, data, device, Streams.of(1), new Statistics(device, net, 2));
        assertClose(
            rows(local.together(device.of(theta))), rows(local.gradient(device.of(theta))), 1e-11);
      }
    }
  }

  private static DeviceLocal local(Net net, Device device, int[] sizes) {
    return local(net, device, sizes, new Statistics(device, net, sizes.length));
  }

  /** With statistics that are used as they are, others for each channel of each client. */
  private static DeviceLocal frozen(Net net, Device device, int[] sizes) {
    Statistics statistics = new Statistics(device, net, sizes.length, true);
    double[][] values = statistics.values();
    for (int m = 0; m < values.length; m++) {
      for (int j = 0; j < values[m].length; j++) {
        values[m][j] += 0.3 + 0.1 * Math.sin(1 + 3 * m + j);
      }
    }
    statistics.restore(values);
    return local(net, device, sizes, statistics);
  }

  private static DeviceLocal local(Net net, Device device, int[] sizes, Statistics statistics) {
    ClientData data = Pictures.clients(new Pictures(IMAGE, 3, 20, 2), device, sizes);
    return new DeviceLocal(net, data, device, Streams.of(1), statistics);
  }

  static double[][] rows(Rows rows) {
    double[][] copy = new double[rows.rows()][];
    java.util.Arrays.setAll(copy, rows::row);
    return copy;
  }

  static void assertClose(double[][] found, double[][] expected, double tolerance) {
    for (int m = 0; m < expected.length; m++) {
      for (int j = 0; j < expected[m].length; j++) {
        assertThat(found[m][j])
            .as("client %d, parameter %d", m, j)
            .isCloseTo(expected[m][j], within(tolerance));
      }
    }
  }
}
