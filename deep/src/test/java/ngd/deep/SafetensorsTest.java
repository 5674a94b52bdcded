package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Oracle: what was written, and files laid out here byte by byte as the format says. */
final class SafetensorsTest {
  private static final Net NET = new Net(Model.parse("mlp"), Shape.row(2), 2);

  @TempDir private Path folder = Path.of("");

  private Path file(String header, byte[] numbers) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + text.length + numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(text.length).put(text).put(numbers);
    return Files.write(folder.resolve("w.safetensors"), bytes.array());
  }

  @Test
  void read_whatWasWritten_isTheSame() {
    double[][] theta = {{1, 2, 3, 4, 5, 6}, {-1.5, 0.25, 7, 8, 9, 1e-3}};
    Path file = folder.resolve("theta.safetensors");
    try (Device device = Device.of("cpu", Precision.FLOAT64, 1)) {
      Safetensors.write(file, NET, device.of(theta), true);
    }
    double[][] found = new double[2][6];
    assertThat(Safetensors.read(file, NET, found)).isEqualTo(2);
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
    assertThat(Safetensors.read(file, NET, found)).isEqualTo(1);
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
    assertThatThrownBy(() -> Safetensors.read(shape, NET, new double[4][6]))
        .hasMessageContainingAll("`1.dense.bias` must have the shape [2]", "[4, 2]", "got [3]");
    Path name =
        file(
            "{\"head.bias\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
            new byte[8]);
    assertThatThrownBy(() -> Safetensors.read(name, NET, new double[1][6]))
        .hasMessageContainingAll("`head.bias`", "model mlp does not have", "1.dense.weight[2, 2]");
    Path cut =
        file(
            "{\"1.dense.bias\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
            new byte[5]);
    assertThatThrownBy(() -> Safetensors.read(cut, NET, new double[1][6]))
        .hasMessageContainingAll("needs 8 bytes");
    Path noise = Files.write(folder.resolve("noise"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
    assertThatThrownBy(() -> Safetensors.read(noise, NET, new double[1][6]))
        .hasMessageContaining("offset 0: expected the length of a header");
  }
}
