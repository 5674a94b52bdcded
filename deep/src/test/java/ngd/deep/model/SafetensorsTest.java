package ngd.deep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.deep.device.Device;
import ngd.deep.device.Precision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Oracle: what was written, and files laid out here byte by byte as the format says. */
final class SafetensorsTest {
  private static final Net NET = new Net(Model.parse("mlp"), Shape.row(2), 2);
  private static final Net NORM = new Net(new TinyNorm(), Shape.image(1, 4, 4), 2);

  @TempDir private Path folder = Path.of("");

  private Path file(String header, byte[] numbers) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + text.length + numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(text.length).put(text).put(numbers);
    return Files.write(folder.resolve("w.safetensors"), bytes.array());
  }

  private static Safetensors.Found read(Path file, double[][] theta) {
    return Safetensors.read(file, NET, theta, new double[theta.length][0]);
  }

  /** Arrays of float32 one after another, as a header lays them out. */
  private Path floats(String header, float... values) throws IOException {
    ByteBuffer numbers =
        ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      numbers.putFloat(value);
    }
    return file(header, numbers.array());
  }

  @Test
  void read_whatWasWritten_isTheSame() {
    double[][] theta = {{1, 2, 3, 4, 5, 6}, {-1.5, 0.25, 7, 8, 9, 1e-3}};
    Path file = folder.resolve("theta.safetensors");
    try (Device device = Device.of("cpu", Precision.FLOAT64, 1)) {
      Safetensors.write(file, NET, device.of(theta), new double[2][0], true);
    }
    double[][] found = new double[2][6];
    assertThat(read(file, found)).isEqualTo(new Safetensors.Found(2, 0));
    assertThat(found).isDeepEqualTo(theta);
  }

  @Test
  void read_oneClientsWeights_areEveryClients() throws IOException {
    ByteBuffer two = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
    two.putShort((short) 0x3f80).putShort((short) 0xc000); // bfloat16 of 1 and -2
    Path file =
        file(
            "{\"1.dense.bias\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]}}",
            two.array());
    double[][] found = new double[3][6];
    assertThat(read(file, found)).isEqualTo(new Safetensors.Found(1, 0));
    for (double[] row : found) {
      assertThat(row).containsExactly(0, 0, 0, 0, 1, -2);
    }
  }

  @Test
  void read_wrongFiles_areExplained() throws IOException {
    Path shape =
        file(
            "{\"1.dense.bias\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,12]}}",
            new byte[12]);
    assertThatThrownBy(() -> read(shape, new double[4][6]))
        .hasMessageContainingAll("`1.dense.bias` must have the shape [2]", "[4, 2]", "got [3]");
    Path name =
        file(
            "{\"head.bias\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
            new byte[8]);
    assertThatThrownBy(() -> read(name, new double[1][6]))
        .hasMessageContainingAll("`head.bias`", "model mlp does not have", "1.dense.weight[2, 2]");
    Path cut =
        file(
            "{\"1.dense.bias\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
            new byte[5]);
    assertThatThrownBy(() -> read(cut, new double[1][6])).hasMessageContainingAll("needs 8 bytes");
    Path noise = Files.write(folder.resolve("noise"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
    assertThatThrownBy(() -> read(noise, new double[1][6]))
        .hasMessageContaining("offset 0: expected the length of a header");
  }

  @Test
  void read_statisticsThatWereWritten_areTheSame() {
    double[][] theta = new double[2][NORM.parameters()];
    double[][] statistics = {{1, 2, 3, 4, 5, 6, 7, 8}, {-1, -2, -3, -4, 0.5, 0.25, 0.125, 9}};
    Path file = folder.resolve("theta.safetensors");
    try (Device device = Device.of("cpu", Precision.FLOAT32, 1)) {
      Safetensors.write(file, NORM, device.of(theta), statistics, false);
    }
    double[][] found = new double[2][8];
    assertThat(Safetensors.read(file, NORM, theta, found))
        .isEqualTo(new Safetensors.Found(NORM.weights().size(), 2));
    assertThat(found).isDeepEqualTo(statistics);
  }

  @Test
  void read_statisticsOfATorchFile_areThoseOfEveryClient() throws IOException {
    Path file =
        floats(
            """
            {"1.norm.num_batches_tracked": {"dtype": "I64", "shape": [], "data_offsets": [16, 24]},
             "1.norm.running_var": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}
            """,
            1,
            2,
            3,
            4,
            0,
            0);
    double[][] statistics = new double[2][8];
    assertThat(Safetensors.read(file, NORM, new double[2][NORM.parameters()], statistics))
        .isEqualTo(new Safetensors.Found(0, 1));
    for (double[] row : statistics) {
      assertThat(row).containsExactly(0, 0, 0, 0, 1, 2, 3, 4);
    }
  }

  @Test
  void read_wrongStatistics_areExplained() throws IOException {
    double[][] theta = new double[3][NORM.parameters()];
    double[][] statistics = new double[3][8];
    Path shape =
        floats(
            "{\"1.norm.running_mean\":{\"dtype\":\"F32\",\"shape\":[2,4],\"data_offsets\":[0,32]}}",
            new float[8]);
    assertThatThrownBy(() -> Safetensors.read(shape, NORM, theta, statistics))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("`1.norm.running_mean`", "shape [4], or [3, 4]", "got [2, 4]");
    Path name =
        floats(
            "{\"2.norm.running_mean\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}",
            new float[4]);
    assertThatThrownBy(() -> Safetensors.read(name, NORM, theta, statistics))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("`2.norm.running_mean`", "1.norm.running_mean[4]");
    Path lost =
        floats(
            "{\"1.norm.running_var\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}",
            1,
            2,
            Float.NaN,
            4);
    assertThatThrownBy(() -> Safetensors.read(lost, NORM, theta, statistics))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("`1.norm.running_var`", "finite numbers; number 2", "NaN");
  }

  /** The arrays of MobileNet v1 as its two publishers write them, and where they belong here. */
  static Stream<Arguments> published() {
    return Stream.of(
        Arguments.of("conv_stem.weight", "bn1.", "0.conv.weight", List.of(32, 3, 3, 3)),
        Arguments.of(
            "blocks.0.0.conv_dw.weight", "blocks.0.0.bn2.", "3.conv.weight", List.of(32, 1, 3, 3)),
        Arguments.of(
            "blocks.3.5.conv_dw.weight",
            "blocks.4.1.bn2.",
            "63.conv.weight",
            List.of(512, 1, 3, 3)),
        Arguments.of(
            "blocks.2.1.conv_pw.weight", "bn1.", "30.conv.weight", List.of(256, 256, 1, 1)),
        Arguments.of(
            "mobilenet_v1.conv_stem.convolution.weight",
            "mobilenet_v1.layer.0.normalization.",
            "0.conv.weight",
            List.of(32, 3, 3, 3)),
        Arguments.of(
            "mobilenet_v1.layer.24.convolution.weight",
            "mobilenet_v1.layer.25.normalization.",
            "75.conv.weight",
            List.of(1024, 1, 3, 3)),
        Arguments.of(
            "layer.9.convolution.weight",
            "conv_stem.normalization.",
            "30.conv.weight",
            List.of(256, 256, 1, 1)));
  }

  @ParameterizedTest
  @MethodSource("published")
  void read_publishedMobilenet_isPutWhereItBelongs(
      String name, String norm, String here, List<Integer> shape) throws IOException {
    Net net = new Net(Model.parse("mobilenet"), Shape.image(3, 32, 32), 10);
    int size = shape.stream().reduce(1, Math::multiplyExact);
    float[] values = new float[size + 3];
    for (int i = 0; i < size; i++) {
      values[i] = i + 1;
    }
    Path file =
        floats(
            """
            {"%s": {"dtype": "F32", "shape": %s, "data_offsets": [0, %d]},
             "%snum_batches_tracked": {"dtype": "I64", "shape": [], "data_offsets": [%d, %d]},
             "classifier.bias": {"dtype": "F32", "shape": [1], "data_offsets": [%d, %d]}}
            """
                .formatted(
                    name,
                    shape,
                    4 * size,
                    norm,
                    4 * size,
                    4 * size + 8,
                    4 * size + 8,
                    4 * size + 12),
            values);
    double[][] theta = new double[1][net.parameters()];
    double[][] statistics = new double[1][net.statistics().stream().mapToInt(Weight::size).sum()];
    assertThat(Safetensors.read(file, net, theta, statistics))
        .isEqualTo(new Safetensors.Found(1, 0));
    double[] expected = new double[net.parameters()];
    int at = 0;
    for (Weight weight : net.weights()) {
      if (weight.name().equals(here)) {
        for (int i = 0; i < size; i++) {
          expected[at + i] = i + 1;
        }
      }
      at += weight.size();
    }
    assertThat(theta[0]).isEqualTo(expected);
  }

  @Test
  void otherNames_ofMobilenet_coverTheFeatures() {
    Net net = new Net(Model.parse("mobilenet"), Shape.image(3, 32, 32), 10);
    List<String> own =
        Stream.concat(net.weights().stream(), net.statistics().stream())
            .map(Weight::name)
            .filter(name -> Integer.parseInt(name.substring(0, name.indexOf('.'))) < 81)
            .toList();
    assertThat(own).hasSize(27 * 5);
    assertThat(net.model().otherNames())
        .hasSize(3)
        .allSatisfy(
            names -> assertThat(names.names().values()).containsExactlyInAnyOrderElementsOf(own));
    assertThat(Model.parse("mobilenet:group").otherNames()).isEmpty();
  }

  @Test
  void read_publishedMobilenetOfAnotherWidth_isRefusedByItsOwnNames() throws IOException {
    Net net = new Net(Model.parse("mobilenet"), Shape.image(3, 32, 32), 10);
    Path narrow =
        floats(
            "{\"bn1.running_var\":{\"dtype\":\"F32\",\"shape\":[24],\"data_offsets\":[0,96]}}",
            new float[24]);
    double[][] theta = new double[1][net.parameters()];
    assertThatThrownBy(() -> Safetensors.read(narrow, net, theta, new double[1][0]))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("`bn1.running_var` must have the shape [32]", "got [24]");
    Path deeper =
        floats(
            """
            {"conv_stem.weight": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
             "blocks.5.0.conv_pw.weight": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}
            """,
            1,
            2);
    assertThatThrownBy(() -> Safetensors.read(deeper, net, theta, new double[1][0]))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("holds `blocks.5.0.conv_pw.weight`, which model mobilenet does not");
  }
}
