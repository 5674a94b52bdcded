package ngd.core.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracles: the examples of FIPS 180-4, and the bytes of everything put together by hand. */
class Sha256Test {
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void hex_theStandardsExamples_isWhatTheStandardSays() {
    assertThat(Sha256.hex("abc")).isEqualTo(ABC);
    assertThat(Sha256.hex(""))
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assertThat(Sha256.hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))
        .isEqualTo("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  }

  @Test
  void add_inPieces_isTheWhole() {
    byte[] more = "-abc-".getBytes(StandardCharsets.UTF_8);
    assertThat(new Sha256().add(more, 1, 3).hex()).isEqualTo(ABC);
    assertThat(new Sha256().add("a").add(new byte[] {'b'}).add(more, 3, 1).hex()).isEqualTo(ABC);
    assertThat(Sha256.of("abc".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new Sha256().add("abc").bytes());
    assertThat(new Sha256().add(0x61_62_63_64_65_66_67_68L).hex())
        .isEqualTo(Sha256.hex("abcdefgh"));
  }

  /** Around the size of the buffer, and from the middle of an array. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8191, 8192, 8193, 16384, 20_000})
  void add_numbers_areTheirBytesInOrder(int count) {
    double[] values = new double[count + 5];
    Arrays.setAll(values, i -> i * 0.1 - 3);
    ByteBuffer bytes = ByteBuffer.allocate(count * Double.BYTES);
    for (int i = 0; i < count; i++) {
      bytes.putDouble(values[i + 2]);
    }
    assertThat(new Sha256().add(values, 2, count).bytes()).isEqualTo(Sha256.of(bytes.array()));
  }
}
