package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberParserTest {
  /** Oracle: the JDK's own reading of what it wrote; what is not finite is no number. */
  @Seeds(1000)
  void parseOrNaN_anyDouble_isReadBackToTheLastBit(RandomInput input) {
    double value = input.anyDouble();
    double expected = Double.isFinite(value) ? value : Double.NaN;
    assertThat(bits(NumberParser.parseOrNaN(" " + value + "\t"))).isEqualTo(bits(expected));
    if (Double.isFinite(value)) {
      String rounded = String.format(Locale.ROOT, "%.6e", value);
      double read = Double.parseDouble(rounded);
      assertThat(bits(NumberParser.parseOrNaN(rounded)))
          .isEqualTo(bits(Double.isFinite(read) ? read : Double.NaN));
    }
  }

  private static long bits(double value) {
    return Double.doubleToLongBits(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "x",
        "1x",
        "NaN",
        "Infinity",
        "-Infinity",
        "1d",
        "1f",
        "0x1p3",
        "1,5",
        "1e",
        "e5",
        "--1",
        "1 2",
        "1e400",
        "."
      })
  void parseOrNaN_noFiniteDecimal_isNaN(String text) {
    assertThat(NumberParser.parseOrNaN(text)).isNaN();
  }
}
