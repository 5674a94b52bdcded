package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Counts without small ones. Oracle: the definition, bin by bin and limit by limit. */
class CoarseTableTest {
  private static double[] table(SplittableRandom random, int bins) {
    double[] table = new double[2 * bins];
    int most = 1 + random.nextInt(12);
    for (int bin = 0; bin < bins; bin++) {
      int rows = random.nextInt(3) == 0 ? random.nextInt(most) : 0;
      table[2 * bin] = rows;
      for (int row = 0; row < rows; row++) {
        table[2 * bin + 1] += 0.5 + random.nextDouble();
      }
    }
    return table;
  }

  @Test
  void of_anyTable_hasNoneOrEnoughRowsInABinAndLosesNone() {
    SplittableRandom random = new SplittableRandom(1);
    for (int attempt = 0; attempt < 2000; attempt++) {
      int bins = 1 << random.nextInt(8);
      int fewest = 1 + random.nextInt(6);
      double[] table = table(random, bins);
      CoarseTable coarse = CoarseTable.of(table, 2, fewest);
      double[] rows = new double[bins];
      double weight = 0;
      double all = 0;
      double most = 0;
      double gap = 0;
      for (int bin = 0; bin < bins; bin++) {
        rows[bin] = coarse.at(bin, 0);
        all += table[2 * bin];
        weight += table[2 * bin + 1];
        gap += table[2 * bin + 1] - coarse.at(bin, 1);
        most = Math.max(most, Math.abs(gap));
      }
      assertThat(Arrays.stream(rows).boxed()).allMatch(count -> count == 0 || count >= fewest);
      assertThat(Arrays.stream(rows).sum()).isEqualTo(all < fewest ? 0 : all);
      assertThat(gap).isCloseTo(all < fewest ? weight : 0, within(1e-9));
      assertThat(coarse.moved()).isCloseTo(most, within(1e-9));
    }
  }

  @Test
  void of_aMinimumOfOne_changesNothing() {
    double[] table = table(new SplittableRandom(2), 64);
    CoarseTable same = CoarseTable.of(table, 2, 1);
    for (int at = 0; at < table.length; at++) {
      assertThat(same.at(at / 2, at % 2)).isEqualTo(table[at]);
    }
    assertThat(same.moved()).isZero();
  }

  /** Two rows beside three go to the three; three rows far apart to their middle. */
  @Test
  void of_fewRows_goWhereEnoughAre() {
    CoarseTable coarse = CoarseTable.of(new double[] {1, 1, 3, 0, 1, 0, 1, 1, 2}, 1, 3);
    double[] rows = new double[9];
    Arrays.setAll(rows, bin -> coarse.at(bin, 0));
    assertThat(rows).containsExactly(0, 0, 5, 0, 0, 0, 5, 0, 0);
    assertThat(coarse.moved()).isEqualTo(3);
  }
}
