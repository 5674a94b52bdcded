package ngd.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The oracle is what a person would write. */
class NumberTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1, 1",
    "0.25, 0.25",
    "-2.5, -2.5",
    "200000, 200000",
    "123456.7, 123460",
    "1.23e-5, 1.23e-05",
    "0.00012345678, 0.00012346",
    "9.999999, 10",
    "12345678, 1.2346e+07",
    "1e-300, 1e-300",
    "-1.5e+100, -1.5e+100",
    "Infinity, ∞",
    "NaN, not a number"
  })
  void text_number_asPeopleWriteIt(double value, String text) {
    assertThat(NumberText.text(value)).isEqualTo(text);
  }
}
