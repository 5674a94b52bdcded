package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Oracle: {@link ExactSum} of the same products. */
class CompensatedSumsTest {
  @Test
  void add_manyTerms_areTheExactSumsToOneUlp() {
    Random random = new Random(7);
    CompensatedSums sums = new CompensatedSums(2);
    ExactSum[] exact = {new ExactSum(), new ExactSum()};
    double plain = 0;
    for (int i = 0; i < 200_000; i++) {
      double factor = 1e8 * random.nextDouble();
      double[] x = {random.nextDouble(), random.nextGaussian()};
      sums.add(factor, x);
      plain += factor * x[0];
      exact[0].add(factor * x[0]);
      exact[1].add(factor * x[1]);
    }
    for (int k = 0; k < 2; k++) {
      double sum = exact[k].value();
      assertThat(Math.abs(sums.value(k) - sum)).isLessThanOrEqualTo(Math.ulp(sum));
    }
    // Plain summation would not do.
    assertThat(Math.abs(plain - exact[0].value())).isGreaterThan(5 * Math.ulp(plain));
  }

  @Test
  void value_outOfBounds_isNotFinite() {
    CompensatedSums sums = new CompensatedSums(1);
    sums.add(1e200, new double[] {1e200});
    sums.add(1, new double[] {1});
    assertThat(sums.value(0)).isInfinite();
  }
}
