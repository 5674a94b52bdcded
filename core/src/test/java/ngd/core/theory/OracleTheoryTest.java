package ngd.core.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import ngd.core.Oracles;
import ngd.core.data.Shards;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Oracle: {@code oracles/theory}, the same problems judged by an independent program. */
class OracleTheoryTest {
  static Stream<Oracles.Case> cases() {
    return Oracles.problems();
  }

  private static Problem problem(Oracles.Case expected) {
    Shards shards = expected.shards(expected.table());
    return Problem.of(expected.network(), expected.family(), shards, expected.number("alpha"))
        .near(Oracles.numbers(expected.json().get("global")));
  }

  private static Offset<Double> relative(double value, double share) {
    return within(share * Math.max(1, Math.abs(value)));
  }

  private static void assertNear(OptionalDouble found, double expected, double share) {
    assertThat(found.orElse(Double.NaN)).isCloseTo(expected, relative(expected, share));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void check_everyProblem_equalsTheIndependentProgram(Oracles.Case expected) {
    Check check = Check.of(problem(expected), Optional.empty());
    JsonNode json = expected.json();
    assertNear(check.spectralRadius().value(), expected.number("spectralRadius"), 1e-10);
    assertNear(check.safeAlpha(), expected.number("safeAlpha"), 1e-12);
    JsonNode verdict =
        json.get("certificate").isNull() ? json.get("converges") : json.get("certificate");
    assertThat(check.converges()).isEqualTo(verdict.booleanValue());
    assertThat(check.seW()).isCloseTo(expected.number("seW"), within(1e-14));
    assertNear(check.seScore().value(), expected.number("seScore"), 1e-11);
    if (json.has("seSigmaXX")) {
      assertNear(OptionalDouble.of(check.seSigmaXX()), expected.number("seSigmaXX"), 1e-12);
      assertNear(OptionalDouble.of(check.seSigmaXY()), expected.number("seSigmaXY"), 1e-12);
    }
    assertNear(check.bound().product(), expected.number("boundFactor"), 1e-11);
    if (json.get("stableDistanceToGlobal").isNull()) {
      assertThat(check.stableDistanceToGlobal().value()).isEmpty();
    } else {
      assertNear(
          check.stableDistanceToGlobal().value(), expected.number("stableDistanceToGlobal"), 1e-9);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void stableSolution_everyProblem_equalsTheIndependentProgram(Oracles.Case expected) {
    StableSolution found = StableSolution.of(problem(expected));
    if (expected.json().get("stable").isNull()) {
      assertThat(found.exists()).isFalse();
      return;
    }
    double[][] stable = expected.matrix("stable");
    for (int m = 0; m < stable.length; m++) {
      assertThat(found.of(m)).as("client %d", m).containsExactly(stable[m], within(1e-9));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void conditions_everyProblem_equalTheIndependentProgram(Oracles.Case expected) {
    Check check = Check.of(problem(expected), Optional.empty());
    JsonNode second = expected.json().get("theorem2");
    if (second != null) {
      assertThat(condition(check, "theorem 2 (1)").holds())
          .isEqualTo(second.get("irreducible").booleanValue());
      assertNear(
          condition(check, "theorem 2 (2)").value(), second.get("kappa1").doubleValue(), 1e-12);
      assertSides(condition(check, "theorem 2 (3)"), second);
    }
    JsonNode third = expected.json().get("theorem3");
    if (third != null) {
      assertNear(
          condition(check, "theorem 3 (C1')").value(), third.get("kappa3").doubleValue(), 1e-11);
      assertNear(
          condition(check, "theorem 3 (C2): λ").value(), third.get("rho").doubleValue(), 1e-12);
      assertSides(condition(check, "theorem 3 (C2): α"), third);
    }
  }

  /** A limit below 0 is shown as 0: the condition holds for no step size. */
  private static void assertSides(Condition found, JsonNode expected) {
    double left = expected.get("left").doubleValue();
    double right = expected.get("right").doubleValue();
    assertNear(found.value(), left, 1e-11);
    assertNear(found.limit(), Math.max(0, right), 1e-12);
    assertThat(found.holds()).isEqualTo(left < right);
  }

  private static Condition condition(Check check, String start) {
    return check.conditions().stream()
        .filter(condition -> condition.name().startsWith(start))
        .findFirst()
        .orElseThrow();
  }
}
