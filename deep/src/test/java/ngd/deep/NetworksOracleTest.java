package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Mixing;
import ngd.deep.data.Samples;
import ngd.deep.device.Device;
import ngd.deep.device.DeviceExchange;
import ngd.deep.device.DeviceRows;
import ngd.deep.device.Precision;
import ngd.deep.device.Torch;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Pass;
import ngd.deep.model.Shape;
import ngd.deep.model.Weight;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whole networks over some rounds, batch normalisation and its statistics included. Oracle: {@code
 * oracles/networks_oracle.py}, PyTorch's own modules, one client after another.
 */
final class NetworksOracleTest {
  private static final Path FILE = Path.of("../oracles/networks/cases.json");

  static Stream<Arguments> cases() throws IOException {
    JsonNode whole = JsonMapper.shared().readTree(Files.readString(FILE));
    return whole
        .get("cases")
        .valueStream()
        .flatMap(
            one ->
                Stream.of(false, true)
                    .map(
                        together ->
                            Arguments.of(one.get("model").asString(), together, whole, one)));
  }

  @ParameterizedTest(name = "{0}, in one pass: {1}")
  @MethodSource("cases")
  void rounds_wholeNetwork_areThoseOfTheOracle(
      String model, boolean together, JsonNode whole, JsonNode expected) {
    JsonNode in = expected.get("input");
    Shape shape = Shape.image(in.get(0).asInt(), in.get(1).asInt(), in.get(2).asInt());
    Net net = new Net(Model.parse(model), shape, 10);
    assertThat(net.parameters()).isEqualTo(expected.get("parameters").asInt());
    int[] sizes = ints(whole.get("sizes"));
    double alpha = whole.get("alpha").asDouble();
    try (Device device = Device.of("cpu", Precision.FLOAT64, 2)) {
      ClientData data = Pictures.clients(new Formula(shape, sizes[0] + sizes[1]), device, sizes);
      Statistics statistics = new Statistics(device, net, 2);
      DeviceLocal local = new DeviceLocal(net, data, device, Streams.of(1), statistics);
      DeviceExchange exchange =
          new DeviceExchange(network(whole.get("mix")), device, new Mixing.Mean());
      Rows theta = device.of(new double[][] {start(net, 0), start(net, 1)});
      for (int round = 0; round < whole.get("rounds").asInt(); round++) {
        JsonNode losses = expected.get("losses").get(round);
        Rows heard = exchange.mix(theta);
        double[] found = local.losses(heard);
        for (int m = 0; m < 2; m++) {
          // Batches of a few samples, normalised 27 times, multiply what rounding does in a round.
          assertThat(found[m])
              .isCloseTo(losses.get(m).asDouble(), within(round == 0 ? 1e-11 : 1e-6));
        }
        Rows gradient = together ? local.together(heard) : local.gradient(heard);
        theta = heard.plus(-alpha, gradient);
      }
      for (int m = 0; m < 2; m++) {
        double squares = 0;
        for (double value : theta.row(m)) {
          squares += value * value;
        }
        assertThat(squares / expected.get("squares").get(m).asDouble()).isCloseTo(1, within(1e-8));
        assertClose(logits(net, theta, m, data, statistics, device), expected.get("logits").get(m));
      }
    }
  }

  /** What client m's network, used and not learned, says of the first two images. */
  private static double[] logits(
      Net net, Rows theta, int m, ClientData data, Statistics statistics, Device device) {
    try (PointerScope _ = new PointerScope();
        NoGradGuard _ = new NoGradGuard()) {
      Tensor row = DeviceRows.in(theta).tensor().narrow(0, m, 1);
      Pass pass = new Pass(1, false, true, null, statistics.copies(m));
      return Torch.toArray(net.logits(row, data.shared(0, 2, 1).x(), pass, device));
    }
  }

  private static void assertClose(double[] found, JsonNode expected) {
    List<Double> flat =
        expected.valueStream().flatMap(JsonNode::valueStream).map(JsonNode::asDouble).toList();
    assertThat(found).hasSize(flat.size());
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).isCloseTo(flat.get(i), within(1e-5));
    }
  }

  private static int[] ints(JsonNode list) {
    return list.valueStream().mapToInt(JsonNode::asInt).toArray();
  }

  private static Network network(JsonNode mix) {
    return Network.of(
        mix.valueStream()
            .map(row -> row.valueStream().mapToDouble(JsonNode::asDouble).toArray())
            .toArray(double[][]::new));
  }

  /** The oracle's share, from whole numbers. */
  private static double share(long i, long salt) {
    long cut = (31 * i * i + 48271 * i + 7 + salt) % 2147483647L / 2048;
    return (double) cut / 1048576;
  }

  private static double[] start(Net net, int client) {
    double[] theta = new double[net.parameters()];
    int at = 0;
    for (Weight weight : net.weights()) {
      boolean vector = weight.shape().size() == 1;
      double fan = (double) weight.size() / weight.shape().get(0);
      double scale = vector ? 0.1 : Math.sqrt(3 / fan);
      double shift = weight.start() instanceof Weight.Constant constant ? constant.value() : 0;
      for (int i = 0; i < weight.size(); i++, at++) {
        theta[at] = shift + scale * (2 * share(at, 1000L * client) - 1);
      }
    }
    return theta;
  }

  /** The oracle's images. */
  private record Formula(Shape shape, int size) implements Samples {
    @Override
    public String source() {
      return "formula";
    }

    @Override
    public int classes() {
      return 10;
    }

    @Override
    public int label(int sample) {
      return sample * 3 % 10;
    }

    @Override
    public void copy(int sample, float[] to, int at) {
      for (int i = 0; i < shape.size(); i++) {
        to[at + i] = (float) (4 * share((long) sample * shape.size() + i, 5) - 2);
      }
    }

    @Override
    public String hash() {
      return "formula";
    }
  }
}
