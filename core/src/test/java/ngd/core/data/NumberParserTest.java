package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberParserTest {
  /** Oracle: the JDK's own reading of what it wrote. */
  @Property(tries = 1000)
  void parseOrNaN_anyDouble_isReadBackToTheLastBit(@ForAll double value) {
    assertThat(NumberParser.parseOrNaN(" " + value + "\t")).isEqualTo(value);
    assertThat(NumberParser.parseOrNaN(String.format(Locale.ROOT, "%.6e", value)))
        .isEqualTo(Double.parseDouble(String.format(Locale.ROOT, "%.6e", value)));
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
