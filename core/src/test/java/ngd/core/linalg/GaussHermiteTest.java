package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: the moments of the standard normal distribution. */
class GaussHermiteTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 10, 25, 60, 100})
  void rule_polynomialsUpToTwiceItsPoints_isExact(int count) {
    GaussHermite rule = GaussHermite.of(count);
    assertThat(rule.count()).isEqualTo(count);
    double expected = 1;
    for (int power = 0; power < Math.min(2 * count, 40); power += 2) {
      expected *= power == 0 ? 1 : power - 1;
      double even = 0;
      double odd = 0;
      for (int k = 0; k < count; k++) {
        double weight = Math.exp(rule.logWeight(k));
        even += weight * Math.pow(rule.point(k), power);
        odd += weight * Math.pow(rule.point(k), power + 1);
      }
      assertThat(even).as("power %d", power).isCloseTo(expected, within(1e-12 * expected));
      assertThat(odd).as("power %d", power + 1).isCloseTo(0, within(1e-11 * expected * count));
    }
  }

  @Test
  void of_noneOrTooManyPoints_isRefused() {
    assertThatThrownBy(() -> GaussHermite.of(0))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("from 1 to 100; got 0");
    assertThatThrownBy(() -> GaussHermite.of(101)).isInstanceOf(InvalidInput.class);
  }
}
