package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowPartsTest {
  private static final int[] ROWS = {50, 1, 7, 23};

  @ParameterizedTest
  @CsvSource({"1", "3", "7", "10", "60"})
  void first_anyNumberOfParts_areAllRowsNearlyEqually(int of) {
    RowParts parts = new RowParts(ROWS, of);
    for (int m = 0; m < ROWS.length; m++) {
      assertThat(parts.first(m, 0)).isZero();
      assertThat(parts.first(m, of)).isEqualTo(ROWS[m]);
      double share = 0;
      for (int part = 0; part < of; part++) {
        assertThat(parts.count(m, part)).isBetween(ROWS[m] / of, Math.ceilDiv(ROWS[m], of));
        assertThat(parts.count(m, part)).isEqualTo(parts.first(m, part + 1) - parts.first(m, part));
        share += parts.factor(m, part) / of;
      }
      assertThat(share).isCloseTo(1, within(1e-14));
    }
  }

  @Test
  void requireChosen_noPartOfAClient_isRefused() {
    RowParts parts = new RowParts(ROWS, 5);
    parts.requireChosen(new int[] {0, 4, 2, 1});
    for (int[] chosen : new int[][] {{0, 4, 2}, {0, 5, 2, 1}, {0, 4, -1, 1}}) {
      assertThatThrownBy(() -> parts.requireChosen(chosen)).hasMessageContaining("one of 5");
    }
  }
}
