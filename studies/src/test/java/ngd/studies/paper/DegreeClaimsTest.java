package ngd.studies.paper;

import static ngd.studies.report.Verdict.IN_PART;
import static ngd.studies.report.Verdict.NOT_SUPPORTED;
import static ngd.studies.report.Verdict.NO_CASES;
import static ngd.studies.report.Verdict.SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import ngd.studies.paper.DegreeClaims.Degrees;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;
import org.junit.jupiter.api.Test;

/** Medians made by hand; the oracle is the paper's sentence. */
class DegreeClaimsTest {
  /** Falls, at first steeply, and comes to 0.1 above the global estimator at D = 6. */
  private static final Degrees AS_IN_THE_PAPER =
      new Degrees("linear", -8, List.of(-5.0, -7.0, -7.5, -7.7, -7.8, -7.9, -7.95));

  /** Rises, and stays far above. */
  private static final Degrees CONTRARY =
      new Degrees("poisson", -8, List.of(-5.0, -4.9, -4.8, -4.7, -4.6, -4.5));

  private static List<Verdict> verdicts(Degrees... models) {
    return DegreeClaims.of(List.of(models)).stream().map(Claim::verdict).toList();
  }

  @Test
  void of_medians_areSupportedInPartOrNot() {
    assertThat(verdicts(AS_IN_THE_PAPER)).containsExactly(SUPPORTED, SUPPORTED, SUPPORTED);
    assertThat(verdicts(AS_IN_THE_PAPER, CONTRARY)).containsExactly(IN_PART, IN_PART, IN_PART);
    assertThat(verdicts(CONTRARY)).containsExactly(NOT_SUPPORTED, NOT_SUPPORTED, NOT_SUPPORTED);
  }

  @Test
  void of_aRiseWithinRounding_countsAsNone() {
    Degrees flat = new Degrees("flat", -8, List.of(-7.0, -6.96, -6.92));
    assertThat(verdicts(flat).getFirst()).isEqualTo(SUPPORTED);
    Degrees rising = new Degrees("rising", -8, List.of(-7.0, -6.94, -6.88));
    assertThat(verdicts(rising).getFirst()).isEqualTo(NOT_SUPPORTED);
  }

  /** A rise that is less steep than the next is no fall, however they compare. */
  @Test
  void greatly_whereTheMedianRises_isNotSupported() {
    Degrees rises = new Degrees("rises", -8, List.of(-7.0, -6.9, -6.0));
    assertThat(verdicts(rises).get(1)).isEqualTo(NOT_SUPPORTED);
  }

  @Test
  void of_tooFewDegrees_saysThatThereAreNoCases() {
    assertThat(verdicts(new Degrees("one", -8, List.of(-5.0))))
        .containsExactly(NO_CASES, NO_CASES, NO_CASES);
    assertThat(verdicts(new Degrees("three", -8, List.of(-5.0, -7.0, -7.5))))
        .containsExactly(SUPPORTED, SUPPORTED, NO_CASES);
  }

  @Test
  void comparable_atTheSixthDegree_isSaidWithItsFactor() {
    Claim claim = DegreeClaims.of(List.of(AS_IN_THE_PAPER)).get(2);
    // exp(0.1) = 1.105.
    assertThat(claim.numbers()).contains("linear 0.10 at D = 6 (a factor of 1.11 in MSE)");
  }
}
