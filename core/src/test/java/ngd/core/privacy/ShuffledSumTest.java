package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.Oracles;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: {@code oracles/privacy}, every outcome enumerated; and the numbers that were summed. */
class ShuffledSumTest {
  @Test
  void delta_fewBits_isTheIndependentProgramsAndTheBoundIsAbove() {
    List<Oracles.Case> cases = Oracles.privacy("shuffled").toList();
    assertThat(cases).hasSizeGreaterThan(10);
    for (Oracles.Case one : cases) {
      ShuffledSum sum =
          new ShuffledSum((int) one.number("people"), (int) one.number("bits"), one.number("flip"));
      double expected = one.number("delta");
      assertThat(sum.delta(one.number("epsilon"))).isCloseTo(expected, within(1e-12));
      assertThat(sum.bound(one.number("epsilon"))).isGreaterThanOrEqualTo(expected);
    }
  }

  @Test
  void of_aBudget_isMetWithLessNoiseTheMoreRowsThereAre() {
    double before = 0.5;
    for (int rows : new int[] {400, 1600, 6400}) {
      ShuffledSum sum = ShuffledSum.of(rows, 1, 1, 1e-6);
      assertThat(sum.delta(1)).isLessThanOrEqualTo(1e-6);
      assertThat(sum.flip()).isLessThan(before);
      before = sum.flip();
    }
    assertThat(before).isLessThan(0.05);
    // Randomised response hides a bit among none at e^ε : 1, and few others help little.
    assertThat(ShuffledSum.of(3, 1, 0.1, 1e-6).flip()).isBetween(0.4, 1 / (1 + Math.exp(0.1)));
  }

  @Test
  void estimate_manyRuns_hasTheRightMeanAndSpread() {
    ShuffledSum sum = new ShuffledSum(300, 4, 0.1);
    UniformRandomProvider random = Streams.of(9).stream(Streams.Purpose.NOISE);
    int runs = 400;
    double total = 0;
    double squares = 0;
    for (int run = 0; run < runs; run++) {
      int ones = 0;
      double truth = 0;
      for (int i = 0; i < 300; i++) {
        ones += sum.encode(i / 299.0, random);
        truth += i / 299.0;
      }
      double error = sum.estimate(ones) - truth;
      total += error;
      squares += error * error;
    }
    assertThat(total / runs).isCloseTo(0, within(5 * sum.standardDeviation() / Math.sqrt(runs)));
    assertThat(Math.sqrt(squares / runs))
        .isBetween(0.75 * sum.standardDeviation(), 1.1 * sum.standardDeviation());
  }

  @Test
  void encode_numbersOutside_areRefused() {
    ShuffledSum sum = new ShuffledSum(3, 2, 0.25);
    UniformRandomProvider random = Streams.of(9).stream(Streams.Purpose.NOISE);
    assertThatThrownBy(() -> sum.encode(1.5, random)).hasMessageContaining("got 1.5");
    assertThatThrownBy(() -> sum.encode(Double.NaN, random)).hasMessageContaining("got NaN");
    assertThatThrownBy(() -> new ShuffledSum(3, 2, 0.7)).hasMessageContaining("got 0.7");
  }
}
