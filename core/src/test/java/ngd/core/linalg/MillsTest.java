package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;
import org.junit.jupiter.api.Test;

/** Oracle: the library's error functions, and the asymptotic series far in the tail. */
class MillsTest {
  @Test
  void ratio_everyScale_isTheDensityOverTheDistribution() {
    for (double z = -40; z <= 30; z += 0.0137) {
      double u = z / Math.sqrt(2);
      double truth =
          z < 0
              ? Math.sqrt(2 / Math.PI) / Erfcx.value(-u)
              : Math.exp(-u * u) / Math.sqrt(2 * Math.PI) / (0.5 * Erfc.value(-u));
      // The library's exp(−u²) itself loses digits as z grows.
      double tolerance = 2e-15 * (1 + z * z);
      assertThat(Math.abs(Mills.ratio(z) - truth)).as("z = %s", z).isLessThan(tolerance * truth);
    }
  }

  @Test
  void ratio_farInATail_isLinearOrNothing() {
    for (double z : new double[] {-1e3, -1e8, -1e150, -1e300}) {
      double series = -z * (1 + 1 / z / z);
      assertThat(Mills.ratio(z) / series).isBetween(1 - 1e-11, 1 + 1e-11);
    }
    assertThat(Mills.ratio(1e300)).isBetween(0.0, 1e-300);
    assertThat(Mills.ratio(-0.0)).isEqualTo(Mills.ratio(0.0));
  }
}
