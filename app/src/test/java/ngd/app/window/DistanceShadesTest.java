package ngd.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Oracle: the place of a logarithm between those of the ends. */
class DistanceShadesTest {
  private static int[] shades(DistanceShades shades) {
    byte[] bytes = Base64.getDecoder().decode(shades.text());
    int[] found = new int[bytes.length];
    for (int m = 0; m < found.length; m++) {
      found[m] = bytes[m] & 0xFF;
    }
    return found;
  }

  @Test
  void take_distancesThatShrink_followsTheRangeOfNow() {
    DistanceShades shades = new DistanceShades();
    // Powers of two, so that the places are a third and two thirds of the way.
    shades.take(new double[] {1, 2, 4, 8});
    assertThat(shades(shades)).containsExactly(0, 85, 170, 255);
    shades.take(new double[] {0.01, 0.0001});
    assertThat(shades(shades)).containsExactly(255, 0);
    assertThat(shades.nearest()).isEqualTo(0.0001);
    assertThat(shades.farthest()).isEqualTo(0.01);
    shades.take(new double[] {0, Double.NaN, 1e-9});
    assertThat(shades(shades)).containsExactly(0, 255, 0);
  }
}
