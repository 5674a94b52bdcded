package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import ngd.core.random.Streams;
import ngd.deep.data.Samples;
import ngd.deep.device.Cuda;
import ngd.deep.device.Device;
import ngd.deep.device.Precision;
import ngd.deep.device.Torch;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Shape;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The kernels of our own. Oracle: libtorch in float64 on the processor; they run only with a GPU.
 */
final class FusedLenetTest {
  private static final Shape SHAPE = Shape.image(1, 28, 28);

  private final List<String> warnings = new ArrayList<>();

  @Test
  void made_theDriverRefuses_isToldInItsWords() {
    assertThat(
            FusedPass.made(
                "lenet",
                () -> {
                  throw new Cuda.CudaFailed("cuModuleLoadData: error 222, unsupported toolchain");
                },
                warnings::add))
        .isNull();
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst())
        .contains("ngd's kernels for lenet", "libtorch", "unsupported toolchain");
  }

  @Test
  void gradient_unequalClients_isThatOfLibtorchAndTwiceTheSameBits() {
    Torch.load();
    Assumptions.assumeTrue(Torch.cudaIsAvailable(), "there is no GPU");
    Net net = new Net(Model.parse("lenet"), SHAPE, 10);
    for (int[] sizes : new int[][] {{7, 53, 120, 1, 61}, {64, 64}}) {
      double[][] theta = Pictures.theta(net, sizes.length);
      Samples samples = new Pictures(SHAPE, 10, 300, 3);
      try (Device gpu = Device.of("cuda", Precision.FLOAT32, 1);
          Device cpu = Device.of("cpu", Precision.FLOAT64, 2)) {
        ClientData there = Pictures.clients(samples, gpu, sizes);
        FusedLenet fused = FusedLenet.of(net, there, gpu);
        assertThat(fused).isNotNull();
        DeviceLocal local =
            new DeviceLocal(
                net, there, gpu, Streams.of(1), new Statistics(gpu, net, sizes.length), fused);
        double[][] found = GradientTest.rows(local.gradient(gpu.of(theta)));
        double[][] again = GradientTest.rows(local.gradient(gpu.of(theta)));
        double[][] exact =
            GradientTest.rows(
                new DeviceLocal(
                        net,
                        Pictures.clients(samples, cpu, sizes),
                        cpu,
                        Streams.of(1),
                        new Statistics(cpu, net, sizes.length))
                    .gradient(cpu.of(theta)));
        assertThat(again).isDeepEqualTo(found);
        assertThat(difference(found, exact)).isLessThan(2e-6);
        fused.close();
      }
    }
  }

  /** ‖found − exact‖ / ‖exact‖ over all clients. */
  static double difference(double[][] found, double[][] exact) {
    double difference = 0;
    double whole = 0;
    for (int m = 0; m < exact.length; m++) {
      for (int j = 0; j < exact[m].length; j++) {
        difference += Math.pow(found[m][j] - exact[m][j], 2);
        whole += exact[m][j] * exact[m][j];
      }
    }
    return Math.sqrt(difference / whole);
  }
}
