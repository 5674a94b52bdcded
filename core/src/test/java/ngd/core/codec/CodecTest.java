package ngd.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: the codecs' definitions, by hand and in plain loops. */
class CodecTest {
  private static final List<String> ALL =
      List.of(
          "none",
          "top:1",
          "top:3",
          "random:2",
          "sign",
          "qsgd:2",
          "qsgd:5",
          "qsgd:32",
          "round:0.125",
          "noise:0.5");

  private static UniformRandomProvider draw(long... path) {
    return Streams.of(7).stream(Streams.Purpose.CODEC, path);
  }

  private static double[] sent(String codec, double... row) throws Malformed {
    Codec one = Codec.parse(codec);
    return one.decode(one.encode(row, draw(1)), row.length);
  }

  private static double[] random(int width, long seed) {
    UniformRandomProvider draw = draw(99, seed, width);
    double[] row = new double[width];
    Arrays.setAll(row, j -> draw.nextDouble() - 0.5);
    return row;
  }

  @Test
  void spec_everyCodec_isReadBackAlike() {
    for (String word : ALL) {
      assertThat(Codec.parse(word).spec()).isEqualTo(word);
    }
    assertThat(Codec.parse(" error-feedback:top:3 "))
        .isEqualTo(new Codec.ErrorFeedback(new Codec.Top(3)));
  }

  @Test
  void parse_badWords_saysWhatIsAllowed() {
    String[][] bad = {
      {"topp:3", "codec: `topp:3` is unknown; did you mean `top:K`?"},
      {"top", "codec: the form is `top:K`; got `top`"},
      {"top:0", "codec top:K: K, the entries to send, must be at least 1; got 0"},
      {"random:x", "codec random:K: must have a whole number; got `x`"},
      {"qsgd:1", "codec qsgd:B: B, the bits of an entry, must lie in [2, 32]; got 1"},
      {"qsgd:33", "must lie in [2, 32]; got 33"},
      {"round:0", "STEP, the distance of two values, must be positive; got 0.0"},
      {"noise:-1", "SD, the noise's standard deviation, must be positive; got -1.0"},
      {"noise:x", "codec noise:SD: must have a number; got `x`"},
      {"error-feedback:noise:1", "must leave something out"},
      {"error-feedback:none", "CODEC must leave something out, such as top:10; got `none`"},
      {"error-feedback:error-feedback:sign", "must leave something out"},
    };
    for (String[] one : bad) {
      assertThatThrownBy(() -> Codec.parse(one[0]))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining(one[1]);
    }
  }

  @Test
  void top_equalMagnitudes_takesThoseThatStandFirst() throws Malformed {
    assertThat(sent("top:3", 1, -2, 2, 0, -2, 2)).containsExactly(0, -2, 2, 0, -2, 0);
    assertThat(sent("top:2", 0, 0, 0)).containsExactly(0, 0, 0);
    assertThat(sent("top:9", 4, -0.5)).containsExactly(4, -0.5);
  }

  /** Ten places, two sent: each of the 45 pairs about as often; what is sent is as it was. */
  @Test
  void random_manyDraws_takesEveryPairAboutAsOften() throws Malformed {
    double[] row = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    Codec codec = new Codec.RandomEntries(2);
    int[][] seen = new int[10][10];
    int draws = 9000;
    for (int i = 0; i < draws; i++) {
      double[] read = codec.decode(codec.encode(row, draw(2, i)), 10);
      int[] places = java.util.stream.IntStream.range(0, 10).filter(j -> read[j] != 0).toArray();
      assertThat(places).hasSize(2);
      for (int j : places) {
        assertThat(read[j]).isEqualTo(row[j]);
      }
      seen[places[0]][places[1]]++;
    }
    double expected = draws / 45.0;
    for (int j = 0; j < 10; j++) {
      for (int k = j + 1; k < 10; k++) {
        // Five standard deviations.
        assertThat((double) seen[j][k]).isCloseTo(expected, within(5 * Math.sqrt(expected)));
      }
    }
  }

  @Test
  void sign_anyRow_isTheMeanMagnitudeWithSigns() throws Malformed {
    assertThat(sent("sign", 1, -2, 3, -4, 0)).containsExactly(2, -2, 2, -2, 0);
    assertThat(sent("sign", 0, 0)).containsExactly(0, 0);
    // Nine entries: the signs take two bytes; the place of a 0 takes one, where not all are 0.
    assertThat(new Codec.Sign().encode(new double[9], draw(1))).hasSize(10);
    assertThat(new Codec.Sign().encode(new double[] {1, 0, 1, 0, 1, 1, 1, 1, 1}, draw(1)))
        .hasSize(12);
  }

  /** Each entry is one of the two levels next to it, and their mean over draws is the entry. */
  @Test
  void qsgd_manyDraws_isOneOfTwoLevelsAndWithoutBias() throws Malformed {
    double[] row = random(5, 3);
    row[2] = 0;
    double norm = Math.sqrt(Arrays.stream(row).map(x -> x * x).sum());
    for (int bits : new int[] {2, 4}) {
      Codec codec = new Codec.Qsgd(bits);
      int levels = (1 << (bits - 1)) - 1;
      double[] mean = new double[5];
      int draws = 20_000;
      for (int i = 0; i < draws; i++) {
        double[] read = codec.decode(codec.encode(row, draw(3, i)), 5);
        for (int j = 0; j < 5; j++) {
          double level = read[j] / norm * levels;
          assertThat(level).isCloseTo(Math.rint(level), within(1e-12));
          assertThat(Math.abs(read[j] - row[j])).isLessThan(norm / levels);
          mean[j] += read[j] / draws;
        }
      }
      double fiveDeviations = 5 * norm / levels / 2 / Math.sqrt(draws);
      assertThat(mean).containsExactly(row, within(fiveDeviations));
    }
  }

  @Test
  void qsgd_manyBits_isTheRowItself() throws Malformed {
    double[] row = random(40, 1);
    assertThat(sent("qsgd:32", row)).containsExactly(row, within(4e-9));
  }

  @Test
  void encode_widthsOfEveryKind_hasTheBytesThatTheDocsSay() {
    int[] widths = {1, 8, 9, 256, 257, 70_000};
    for (int p : widths) {
      double[] row = random(p, 2);
      int place = p <= 256 ? 1 : p <= 65_536 ? 2 : 3;
      assertThat(new Codec.Full().encode(row, draw(1))).hasSize(8 * p);
      assertThat(new Codec.Top(5).encode(row, draw(1))).hasSize(p < 5 ? 8 * p : 5 * (8 + place));
      assertThat(new Codec.RandomEntries(5).encode(row, draw(1)))
          .hasSize(p < 5 ? 8 * p : 5 * (8 + place));
      assertThat(new Codec.Sign().encode(row, draw(1))).hasSize(8 + (p + 7) / 8);
      assertThat(new Codec.Qsgd(3).encode(row, draw(1))).hasSize(8 + (3 * p + 7) / 8);
    }
  }

  @Test
  void encode_numbersThatAreNotFinite_areRefused() {
    for (String word : ALL.subList(1, ALL.size())) {
      for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
        assertThatThrownBy(() -> Codec.parse(word).encode(new double[] {1, bad, 2, 3}, draw(1)))
            .as(word)
            .isInstanceOf(ArithmeticException.class);
      }
    }
  }

  /** Every byte changed to anything: refused, or a row of that width; nothing else happens. */
  @Test
  void decode_anyBytes_areARowOrRefused() {
    UniformRandomProvider draw = draw(5);
    for (String word : ALL) {
      Codec codec = Codec.parse(word);
      for (int i = 0; i < 400; i++) {
        int p = 1 + draw.nextInt(20);
        byte[] message = codec.encode(random(p, i), draw);
        if (i % 4 == 0) {
          message = Arrays.copyOf(message, draw.nextInt(2 * message.length + 1));
        }
        for (int k = draw.nextInt(3); k >= 0 && message.length > 0; k--) {
          message[draw.nextInt(message.length)] = (byte) draw.nextInt(256);
        }
        try {
          assertThat(codec.decode(message, p)).hasSize(p);
        } catch (Malformed refused) {
          assertThat(refused).hasMessageContaining("must");
        }
      }
    }
  }

  @Test
  void decode_hostileBytes_areRefusedByName() {
    Codec top = new Codec.Top(2);
    byte[] fair = top.encode(new double[] {0, 3, 0, 4}, draw(1));
    assertThat(fair).startsWith(1, 3);
    for (byte[] places : new byte[][] {{3, 1}, {1, 1}, {1, 4}, {-1, 1}}) {
      byte[] bad = fair.clone();
      System.arraycopy(places, 0, bad, 0, 2);
      assertThatThrownBy(() -> top.decode(bad, 4))
          .isInstanceOf(Malformed.class)
          .hasMessageContaining("must ascend and lie below 4");
    }
    assertThatThrownBy(() -> top.decode(Arrays.copyOf(fair, 17), 4))
        .hasMessage("a row must have 18 bytes; got 17 bytes");
    Codec sign = new Codec.Sign();
    byte[] signs = sign.encode(new double[] {1, -1, 1}, draw(1));
    byte[] negative = signs.clone();
    negative[7] |= (byte) 0x80;
    assertThatThrownBy(() -> sign.decode(negative, 3)).hasMessageContaining("must not be negative");
    byte[] padded = signs.clone();
    padded[8] |= (byte) 0x80;
    assertThatThrownBy(() -> sign.decode(padded, 3))
        .hasMessageContaining("bits after the last number must be 0");
  }

  /** Bytes by hand: zigzag codes 2, 3, 0, 127 · 2 = 254 (0xfe 0x01) and 1. */
  @Test
  void rounded_row_isTheNearestMultiplesInFewBytes() throws Malformed {
    Codec codec = new Codec.Rounded(0.5);
    byte[] message = codec.encode(new double[] {0.6, -1.1, 0.25, 63.4, -0.3}, draw(1));
    assertThat(message).containsExactly(2, 3, 0, 0xfe, 0x01, 1);
    assertThat(codec.decode(message, 5)).containsExactly(0.5, -1, 0, 63.5, -0.5);
    assertThat(sent("round:" + 0x1p-30, 4e6)).containsExactly(4e6);
    assertThatThrownBy(() -> codec.encode(new double[] {1e300}, draw(1)))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void rounded_strangersBytes_areRefused() {
    Codec codec = new Codec.Rounded(1);
    byte[][] bad = {
      {}, {(byte) 0x80}, {2, 2}, {(byte) 0x80, 0}, {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1}
    };
    for (byte[] message : bad) {
      assertThatThrownBy(() -> codec.decode(message, 1)).isInstanceOf(Malformed.class);
    }
  }

  /** Mean and variance of 20,000 draws, within four standard errors. */
  @Test
  void noisy_manyEntries_haveNormalNoise() throws Malformed {
    double[] row = new double[20_000];
    Arrays.fill(row, 3);
    double[] heard = sent("noise:0.5", row);
    double mean = Arrays.stream(heard).average().orElseThrow();
    double variance = Arrays.stream(heard).map(x -> (x - 3) * (x - 3)).average().orElseThrow();
    assertThat(mean).isCloseTo(3, within(4 * 0.5 / Math.sqrt(20_000)));
    assertThat(variance).isCloseTo(0.25, within(4 * 0.25 * Math.sqrt(2.0 / 20_000)));
  }
}
