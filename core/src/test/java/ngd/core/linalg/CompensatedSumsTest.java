package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
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

  /** Oracle: the definition, row by row. */
  @Test
  void add_columnByColumn_areTheSumsRowByRowToTheBit() {
    Random random = new Random(11);
    for (int width = 1; width <= 9; width++) {
      CompensatedSums byRow = new CompensatedSums(2 + width);
      CompensatedSums byColumn = new CompensatedSums(2 + width);
      int rows = 300;
      double[] factors = random.doubles(rows, -1e8, 1e8).toArray();
      // Columns follow each other in the groups of eight rows; every third number is zero.
      double[] x = new double[(rows + 7) / 8 * 8 * width];
      int[] places = new int[rows];
      for (int i = 0; i < rows; i++) {
        places[i] = i / 8 * 8 * width + i % 8;
        double[] row = new double[width];
        for (int k = 0; k < width; k++) {
          row[k] = (i + k) % 3 == 0 ? 0 : random.nextGaussian();
          x[places[i] + 8 * k] = row[k];
        }
        byRow.add(2, factors[i], row, width);
      }
      byColumn.add(2, width, factors, 200, x, places, 8);
      byColumn.add(
          2,
          width,
          Arrays.copyOfRange(factors, 200, rows),
          rows - 200,
          x,
          Arrays.copyOfRange(places, 200, rows),
          8);
      for (int k = 0; k < 2 + width; k++) {
        assertThat(byColumn.value(k)).isEqualTo(byRow.value(k));
      }
    }
  }

  @Test
  void value_outOfBounds_isNotFinite() {
    CompensatedSums sums = new CompensatedSums(1);
    sums.add(1e200, new double[] {1e200});
    sums.add(1, new double[] {1});
    assertThat(sums.value(0)).isInfinite();
  }
}
