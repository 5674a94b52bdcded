package ngd.core.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: scores whose smallest is known. */
class StepTuningTest {
  private final List<Double> tried = new ArrayList<>();

  /** Smallest at a step size, by its logarithm; infinite from another on, as what diverges. */
  private DoubleUnaryOperator valley(double at, double diverges) {
    return step -> {
      tried.add(step);
      return step >= diverges ? Double.POSITIVE_INFINITY : Math.abs(Math.log(step / at));
    };
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.7, 0.031, 1e-4, 40})
  void around_aValley_endsWithinAnEighthOfAFactorOfTwo(double at) {
    int best = new StepTuning(valley(at, Double.POSITIVE_INFINITY)).around(0.1);
    assertThat(Math.abs(Math.log(tried.get(best) / at)))
        .isLessThanOrEqualTo(Math.log(2) * 0.126 + 0.005);
  }

  @Test
  void around_anything_isNeverWorseThanWhatWasTried() {
    DoubleUnaryOperator rough = step -> Math.sin(37 * Math.log(step));
    StepTuning tuning =
        new StepTuning(
            step -> {
              tried.add(step);
              return rough.applyAsDouble(step);
            });
    double found = rough.applyAsDouble(tried.get(tuning.around(0.1)));
    assertThat(tried)
        .allSatisfy(step -> assertThat(rough.applyAsDouble(step)).isGreaterThanOrEqualTo(found));
  }

  @Test
  void around_mostDiverges_goesFurtherDown() {
    int best = new StepTuning(valley(1e-4, 2e-4)).around(0.1);
    assertThat(tried.get(best)).isBetween(0.8e-4, 1.2e-4);
  }

  @Test
  void around_nothingConverges_ends() {
    int best = new StepTuning(valley(1, 0)).around(0.1);
    assertThat(tried).hasSizeBetween(best, 30);
  }

  @Test
  void among_given_triesExactlyThose() {
    int best = new StepTuning(valley(0.04, 1)).among(List.of(0.123456, 0.05, 0.01));
    assertThat(tried).containsExactly(0.123456, 0.05, 0.01);
    assertThat(best).isEqualTo(1);
  }
}
