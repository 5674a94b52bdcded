package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Against hand-made values of the type-7 definition. */
class QuartilesTest {
  private static final double INF = Double.POSITIVE_INFINITY;

  @Test
  void of_evenCount_interpolates() {
    assertThat(Quartiles.of(new double[] {4, 1, 3, 2})).isEqualTo(new Quartiles(1.75, 2.5, 3.25));
  }

  @Test
  void of_oneValue_isThatValue() {
    assertThat(Quartiles.of(new double[] {-7})).isEqualTo(new Quartiles(-7, -7, -7));
  }

  @Test
  void of_someDiverged_staysFiniteBelowThem() {
    assertThat(Quartiles.of(new double[] {1, INF, 0, INF, 2})).isEqualTo(new Quartiles(1, 2, INF));
  }

  @Test
  void of_allDiverged_isInfiniteAndNotNaN() {
    assertThat(Quartiles.of(new double[] {INF, INF})).isEqualTo(new Quartiles(INF, INF, INF));
  }
}
