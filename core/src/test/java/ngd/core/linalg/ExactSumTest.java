package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import org.junit.jupiter.api.Test;

/** Oracle: the sum in BigDecimal, which rounds nothing, converted once. */
class ExactSumTest {
  private static double exact(List<Double> terms) {
    BigDecimal sum = BigDecimal.ZERO;
    for (double term : terms) {
      sum = sum.add(new BigDecimal(term));
    }
    return sum.doubleValue();
  }

  private static ExactSum sum(List<Double> terms) {
    ExactSum sum = new ExactSum();
    terms.forEach(sum::add);
    return sum;
  }

  /** Any finite bit pattern, so that all exponents come up, and numbers that cancel. */
  private static List<Double> terms(RandomInput input) {
    return input.listOf(
        input.between(0, 60),
        () ->
            switch (input.between(0, 4)) {
              case 0 -> input.anyFinite();
              case 1 -> input.random().nextInt() * Double.MIN_VALUE;
              case 2 -> input.between(-1e6, 1e6);
              case 3 -> Math.scalb(1.0, input.between(-1074, 1020));
              default -> -Math.scalb(1.0, input.between(-1074, 1020));
            });
  }

  @Seeds(400)
  void value_anyTerms_isTheExactSumRoundedOnce(RandomInput input) {
    List<Double> terms = terms(input);
    assertThat(sum(terms).value()).isEqualTo(exact(terms) + 0.0);
  }

  @Seeds(200)
  void value_anyOrderAndGrouping_hasTheSameBits(RandomInput input) {
    List<Double> terms = terms(input);
    Random random = new Random(input.seed());
    long expected = Double.doubleToRawLongBits(sum(terms).value());
    List<Double> shuffled = new ArrayList<>(terms);
    Collections.shuffle(shuffled, random);
    int cut = random.nextInt(terms.size() + 1);
    ExactSum merged = sum(shuffled.subList(0, cut));
    ExactSum rest = sum(shuffled.subList(cut, shuffled.size()));
    merged.add(rest);
    assertThat(Double.doubleToRawLongBits(merged.value())).isEqualTo(expected);
    // Looking changes nothing, and a sum goes on after it.
    assertThat(Double.doubleToRawLongBits(merged.value())).isEqualTo(expected);
    terms.forEach(term -> merged.add(-term));
    assertThat(Double.doubleToRawLongBits(merged.value())).isZero();
  }

  @Test
  void value_largeTermsThatCancel_keepsTheSmallOne() {
    assertThat(sum(List.of(1e300, 1.0, -1e300)).value()).isEqualTo(1);
    assertThat(sum(List.of(Double.MAX_VALUE, Double.MIN_VALUE, -Double.MAX_VALUE)).value())
        .isEqualTo(Double.MIN_VALUE);
    assertThat(sum(List.of(Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE)).value())
        .isEqualTo(Double.MAX_VALUE);
  }

  @Test
  void value_halfwayBetweenTwoDoubles_roundsToEven() {
    double half = Math.scalb(1.0, -53);
    assertThat(sum(List.of(1.0, half)).value()).isEqualTo(1);
    assertThat(sum(List.of(1.0, half, Double.MIN_VALUE)).value()).isEqualTo(Math.nextUp(1.0));
    assertThat(sum(List.of(-1.0, -half, -Double.MIN_VALUE)).value()).isEqualTo(-Math.nextUp(1.0));
    assertThat(sum(List.of(Math.nextUp(1.0), half)).value()).isEqualTo(1 + 4 * half);
  }

  @Test
  void value_noTermsOrZeros_isPositiveZero() {
    assertThat(Double.doubleToRawLongBits(new ExactSum().value())).isZero();
    assertThat(Double.doubleToRawLongBits(sum(List.of(-0.0, -0.0)).value())).isZero();
  }

  @Test
  void value_manyMerges_staysExact() {
    ExactSum sum = sum(List.of(-1.0, Math.PI));
    // Doubling a sum seventy times multiplies it by 2^70.
    for (int i = 0; i < 70; i++) {
      ExactSum copy = new ExactSum();
      copy.add(sum);
      sum.add(copy);
    }
    assertThat(sum.value())
        .isEqualTo(
            new BigDecimal(Math.PI)
                .subtract(BigDecimal.ONE)
                .multiply(BigDecimal.TWO.pow(70))
                .doubleValue());
  }

  @Test
  void value_aTermThatIsNotFinite_isNotANumberWhateverElseIsAdded() {
    for (double term :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      ExactSum sum = new ExactSum();
      ExactSum other = new ExactSum();
      for (int i = 0; i < 1000; i++) {
        other.add(-Double.MAX_VALUE);
      }
      sum.add(1);
      sum.add(term);
      assertThat(sum.value()).isNaN();
      sum.add(other);
      sum.add(term);
      assertThat(sum.value()).isNaN();
      int[] words = new int[ExactSum.WORDS];
      int[] more = new int[ExactSum.WORDS];
      sum.words(words, 0);
      other.words(more, 0);
      ExactSum.addWords(words, 0, more, 0);
      assertThat(ExactSum.ofWords(words, 0).value()).isNaN();
      assertThat(ExactSum.ofWords(more, 0).value()).isEqualTo(Double.NEGATIVE_INFINITY);
    }
  }

  /** Words of parts add up to the words of the whole, also under masks that cancel. */
  @Seeds(200)
  void words_addedModulo_areTheSum(RandomInput input) {
    List<Double> one = terms(input);
    List<Double> other = terms(input);
    int[] words = new int[2 * ExactSum.WORDS];
    sum(one).words(words, ExactSum.WORDS);
    int[] others = new int[ExactSum.WORDS];
    sum(other).words(others, 0);
    int[] mask = new int[ExactSum.WORDS];
    int[] opposite = new int[ExactSum.WORDS];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = input.random().nextInt();
      opposite[i] = ~mask[i];
    }
    int[] unit = new int[ExactSum.WORDS];
    unit[0] = 1;
    ExactSum.addWords(opposite, 0, unit, 0);
    ExactSum.addWords(words, ExactSum.WORDS, mask, 0);
    ExactSum.addWords(others, 0, opposite, 0);
    ExactSum.addWords(words, ExactSum.WORDS, others, 0);
    List<Double> all = new ArrayList<>(one);
    all.addAll(other);
    assertThat(ExactSum.ofWords(words, ExactSum.WORDS).value()).isEqualTo(exact(all));
  }
}
