package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracles: whole numbers of any size, and matrices whose rank is known by how they are made. */
class RowSpaceTest {
  private static final BigInteger PRIME = BigInteger.valueOf(PrimeField.PRIME);
  private static final PrimeField FIELD = PrimeField.INSTANCE;

  private static double modulo(BigInteger number) {
    return number.mod(PRIME).doubleValue();
  }

  @Test
  void prime_itIs() {
    assertThat(PRIME.isProbablePrime(100)).isTrue();
  }

  @Test
  void times_andAddTimes_areThoseOfWholeNumbers() {
    UniformRandomProvider draws = Streams.of(1).stream(Streams.Purpose.EXAMPLES, 1);
    for (int k = 0; k < 20_000; k++) {
      // The largest and the smallest numbers are where a quotient is off by one.
      long a = k % 3 == 0 ? PrimeField.PRIME - 1 - k : draws.nextLong(PrimeField.PRIME);
      long b = k % 5 == 0 ? k : draws.nextLong(PrimeField.PRIME);
      long c = draws.nextLong(PrimeField.PRIME);
      BigInteger product = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
      assertThat(FIELD.times((double) a, (double) b)).isEqualTo(modulo(product));
      double[] to = {c, c - PrimeField.PRIME};
      FIELD.addTimes(to, (double) a, new double[] {b, b});
      double sum = modulo(product.add(BigInteger.valueOf(c)));
      assertThat(PrimeField.canonical(to[0])).isEqualTo(sum);
      assertThat(PrimeField.canonical(to[1])).isEqualTo(sum);
    }
    assertThat(FIELD.times(FIELD.inverse(12345), 12345)).isEqualTo(1);
  }

  @Test
  void of_fractionsAndDoubles_areExact() {
    assertThat(FIELD.times(FIELD.of(1.0 / 3), 3)).isEqualTo(1);
    assertThat(FIELD.times(FIELD.of(-2.0 / 7), 7)).isEqualTo(PrimeField.PRIME - 2.0);
    double root = Math.sqrt(2);
    double whole = Math.scalb(root, 52);
    assertThat(FIELD.times(FIELD.of(root), FIELD.of(0x1p30 * 0x1p22)))
        .isEqualTo(modulo(new BigInteger(Long.toString((long) whole))));
  }

  /**
   * Rows that are combinations of the first few: what they span, since when, and what they miss.
   */
  @Test
  void rank_ofProductsOfRandomMatrices_isTheInnerSize() {
    UniformRandomProvider draws = Streams.of(2).stream(Streams.Purpose.EXAMPLES, 2);
    int columns = 23;
    for (int rank = 0; rank <= columns; rank += 4) {
      List<double[]> base = new ArrayList<>();
      RowSpace space = new RowSpace(columns);
      for (int k = 0; k < rank; k++) {
        base.add(random(columns, draws));
        assertThat(space.add(base.getLast(), 10 * k)).isTrue();
      }
      for (int k = 0; k < 5; k++) {
        double[] combined = new double[columns];
        for (double[] row : base) {
          FIELD.addTimes(combined, (double) draws.nextLong(PrimeField.PRIME), row);
        }
        assertThat(space.add(combined, 1000)).isFalse();
      }
      assertThat(space.rank()).isEqualTo(rank);
      if (rank > 2) {
        assertThat(space.since(base.get(1))).hasValue(10);
        double[] sum = base.get(0).clone();
        FIELD.addTimes(sum, 7, base.get(2));
        assertThat(space.since(sum)).hasValue(20);
      }
      assertThat(space.since(random(columns, draws)).isPresent()).isEqualTo(rank == columns);
      List<double[]> hidden = space.nullSpace();
      assertThat(hidden).hasSize(columns - rank);
      for (double[] vector : hidden) {
        for (double[] row : base) {
          double dot = 0;
          for (int j = 0; j < columns; j++) {
            dot = FIELD.plus(dot, FIELD.times(row[j], vector[j]));
          }
          assertThat(dot).isZero();
        }
      }
    }
  }

  private static double[] random(int columns, UniformRandomProvider draws) {
    double[] row = new double[columns];
    Arrays.setAll(row, j -> draws.nextLong(PrimeField.PRIME));
    return row;
  }
}
