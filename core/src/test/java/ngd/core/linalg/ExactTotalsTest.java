package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import ngd.core.rows.Host;
import ngd.core.rows.Workers;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: the sum in BigDecimal, which rounds nothing, converted once. */
class ExactTotalsTest {
  private final Host host = new Host(Kernels.best(), new Workers(1));
  private final Host scalar = new Host(new ScalarKernels(), new Workers(1));

  private void requireExact(double[][] rows) {
    double[] totals = host.of(rows).totals();
    for (int j = 0; j < rows[0].length; j++) {
      BigDecimal sum = BigDecimal.ZERO;
      for (double[] row : rows) {
        sum = sum.add(new BigDecimal(row[j]));
      }
      assertThat(totals[j]).isEqualTo(sum.doubleValue() + 0.0);
    }
    assertThat(scalar.of(rows).totals()).isEqualTo(totals);
  }

  /** From numbers alike, which two cuts finish, to all exponents at once, which they do not. */
  @Seeds(300)
  void totals_anyRows_areTheExactSumsRoundedOnce(RandomInput input) {
    int rows = input.between(1, 70);
    int width = input.between(1, 17);
    int spread = input.between(0, 2000);
    int centre = input.between(-1070, 1010);
    UniformRandomProvider draw = input.random();
    double[][] terms = new double[rows][width];
    for (double[] row : terms) {
      for (int j = 0; j < width; j++) {
        int exponent =
            Math.clamp(centre + (long) (spread * (draw.nextDouble() - 0.5)), -1074, 1010);
        row[j] = Math.scalb(2 * draw.nextDouble() - 1, exponent);
      }
    }
    requireExact(terms);
  }

  @Seeds(100)
  void totals_termsThatCancel_keepWhatIsLeft(RandomInput input) {
    UniformRandomProvider draw = input.random();
    double[][] terms = new double[41][3];
    for (int m = 0; m < 40; m += 2) {
      for (int j = 0; j < 3; j++) {
        terms[m][j] = Math.scalb(draw.nextDouble(), draw.nextInt(40));
        terms[m + 1][j] = -terms[m][j];
      }
    }
    terms[40] = new double[] {draw.nextDouble() * 1e-20, Double.MIN_VALUE, 0};
    requireExact(terms);
  }

  @Test
  void totals_halfwayCases_roundToEvenOnce() {
    double half = Math.scalb(1.0, -53);
    requireExact(new double[][] {{1, 1, 1}, {half, half, -half / 2}, {0, 1e-40, -1e-40}});
  }

  @Test
  void totals_hugeTerms_overflowOnlyWhereTheSumDoes() {
    double max = Double.MAX_VALUE;
    assertThat(host.of(new double[][] {{max, max}, {max, -max}, {-max, 3}}).totals())
        .containsExactly(max, 3);
    assertThat(host.of(new double[][] {{max}, {max}}).totals())
        .containsExactly(Double.POSITIVE_INFINITY);
    assertThat(host.of(new double[][] {{-0.0}, {-0.0}}).totals()).containsExactly(0.0);
  }

  @Test
  void totals_numbersThatAreNotFinite_areNotANumberInTheirColumn() {
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThat(host.of(new double[][] {{1, 2}, {3, bad}}).totals())
          .containsExactly(4, Double.NaN);
    }
  }
}
