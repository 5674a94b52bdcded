package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import ngd.core.random.Streams;
import ngd.deep.device.Device;
import ngd.deep.device.Precision;
import ngd.deep.device.Torch;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Shape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gradients in every arithmetic, on every device of this machine. Oracle: float64 on the processor.
 */
final class PrecisionTest {
  private static final Shape SHAPE = Shape.image(3, 32, 32);
  private static final int[] SIZES = {8, 8, 8};

  private record Network(String model, double float32, double tf32, double bf16) {}

  static Stream<Arguments> places() {
    Torch.load();
    List<Arguments> all = new ArrayList<>();
    // Deep rectifiers multiply what rounding does: the tolerances are those of each network.
    for (Network network :
        List.of(
            new Network("lenet", 1e-3, 0.05, 0.15),
            new Network("resnet20:group", 5e-3, 0.15, 0.4))) {
      all.add(Arguments.of(network.model, "cpu", Precision.FLOAT32, network.float32));
      all.add(Arguments.of(network.model, "cpu", Precision.BF16, network.bf16));
      if (Torch.cudaIsAvailable()) {
        all.add(Arguments.of(network.model, "cuda", Precision.FLOAT64, 1e-9));
        all.add(Arguments.of(network.model, "cuda", Precision.FLOAT32, network.float32));
        all.add(Arguments.of(network.model, "cuda", Precision.TF32, network.tf32));
        all.add(Arguments.of(network.model, "cuda", Precision.BF16, network.bf16));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("places")
  void gradient_inThisArithmetic_isCloseToThatOfDoubles(
      String model, String place, Precision precision, double tolerance) {
    double[][] exact = gradient(model, "cpu", Precision.FLOAT64);
    double[][] found = gradient(model, place, precision);
    double relative = FusedLenetTest.difference(found, exact);
    assertThat(relative).as("%s on %s in %s", model, place, precision).isLessThan(tolerance);
  }

  private static double[][] gradient(String model, String place, Precision precision) {
    Net net = new Net(Model.parse(model), SHAPE, 10);
    try (Device device = Device.of(place, precision, 2)) {
      ClientData data = Pictures.clients(new Pictures(SHAPE, 10, 24, 3), device, SIZES);
      Statistics statistics = new Statistics(device, net, SIZES.length);
      DeviceLocal local = new DeviceLocal(net, data, device, Streams.of(1), statistics);
      return GradientTest.rows(local.gradient(device.of(Pictures.theta(net, SIZES.length))));
    }
  }
}
