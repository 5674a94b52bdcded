package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
