package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What one row may contribute. Oracle: its length, measured in units of its largest number. */
class RowBoundTest {
  private static double length(double[] vector) {
    double most = 0;
    for (double entry : vector) {
      most = Math.max(most, Math.abs(entry));
    }
    double square = 0;
    for (double entry : vector) {
      square += most == 0 ? 0 : (entry / most) * (entry / most);
    }
    return most * Math.sqrt(square);
  }

  @Test
  void shorten_anyRow_isNoLongerThanItsBound() {
    SplittableRandom random = new SplittableRandom(1);
    double[] odd = {
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.MAX_VALUE,
      Double.MIN_VALUE,
      1e154,
      1e-200,
      0
    };
    int shortened = 0;
    for (int attempt = 0; attempt < 20_000; attempt++) {
      double bound = Math.exp(20 * (random.nextDouble() - 0.5));
      double[] row = new double[1 + random.nextInt(9)];
      for (int j = 0; j < row.length; j++) {
        row[j] =
            random.nextInt(8) == 0
                ? odd[random.nextInt(odd.length)]
                : Math.exp(60 * (random.nextDouble() - 0.5)) * (random.nextBoolean() ? 1 : -1);
      }
      double[] before = row.clone();
      GradientNoise.shorten(row, bound);
      assertThat(length(row)).isLessThanOrEqualTo(bound * (1 + 1e-12));
      if (length(before) <= bound * (1 - 1e-12)) {
        assertThat(row).containsExactly(before);
      } else {
        shortened++;
      }
    }
    assertThat(shortened).isGreaterThan(1000);
  }
}
