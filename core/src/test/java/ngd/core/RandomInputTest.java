package ngd.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** As few seeds as any test has reach the edges of its ranges. */
class RandomInputTest {
  private static <T> List<T> draws(int seeds, Function<RandomInput, T> draw) {
    return LongStream.range(0, seeds).mapToObj(RandomInput::of).map(draw).toList();
  }

  @Test
  void between_fiftySeeds_givesBothEndsAndMuchBetween() {
    List<Integer> whole = draws(50, input -> input.between(5, 40));
    assertThat(whole).contains(5, 40).allMatch(value -> 5 <= value && value <= 40);
    assertThat(whole.stream().distinct()).hasSizeGreaterThan(20);
    List<Double> real = draws(200, input -> input.between(-20.0, 20.0));
    assertThat(real)
        .contains(-20.0, 20.0, 0.0, -0.0, 1.0, -1.0, Double.MIN_VALUE)
        .allMatch(value -> -20 <= value && value <= 20);
    assertThat(draws(50, input -> input.between(3, 3))).containsOnly(3);
  }

  @Test
  void anyDouble_aThousandSeeds_givesTheEdgesOfTheFormatAndAllSizes() {
    List<Double> any = draws(1000, RandomInput::anyDouble);
    assertThat(any)
        .contains(0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY)
        .contains(Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE);
    assertThat(any.stream().filter(Double::isFinite).map(Math::getExponent).distinct())
        .hasSizeGreaterThan(500);
    assertThat(draws(1000, RandomInput::anyFinite)).allMatch(Double::isFinite);
    assertThat(draws(100, RandomInput::anyLong)).contains(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** The same seed is the same test. */
  @Test
  void of_aSeedAgain_givesTheSame() {
    assertThat(draws(20, RandomInput::anyLong)).isEqualTo(draws(20, RandomInput::anyLong));
    assertThat(RandomInput.of(1).listOf(0, () -> 1)).isEmpty();
  }
}
