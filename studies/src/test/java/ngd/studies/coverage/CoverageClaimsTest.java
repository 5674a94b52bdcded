package ngd.studies.coverage;

import static ngd.studies.report.Verdict.IN_PART;
import static ngd.studies.report.Verdict.NOT_SUPPORTED;
import static ngd.studies.report.Verdict.NO_CASES;
import static ngd.studies.report.Verdict.SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import ngd.studies.coverage.CoverageClaims.Kept;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;
import org.junit.jupiter.api.Test;

class CoverageClaimsTest {
  private static List<Verdict> verdicts(Kept... cases) {
    return CoverageClaims.of(List.of(cases), 200).stream().map(Claim::verdict).toList();
  }

  @Test
  void of_cases_areSupportedInPartOrNot() {
    Kept good = new Kept(0.95, 1.02, 1e-7);
    assertThat(verdicts(good, new Kept(0.931, 0.91, 1e-9))).containsExactly(SUPPORTED, SUPPORTED);
    assertThat(verdicts(good, new Kept(0.92, 1.0, 0))).containsExactly(IN_PART, SUPPORTED);
    assertThat(verdicts(good, new Kept(0.95, 1.2, 0))).containsExactly(SUPPORTED, IN_PART);
    assertThat(verdicts(new Kept(0.99, 0.8, 0))).containsExactly(NOT_SUPPORTED, NOT_SUPPORTED);
    assertThat(verdicts()).containsExactly(NO_CASES, NO_CASES);
  }

  /** One replicate has no spread: the ratio is no number, and supports nothing. */
  @Test
  void of_aRatioThatIsNoNumber_isNotSupported() {
    assertThat(verdicts(new Kept(0.95, Double.NaN, 0)).getLast()).isEqualTo(NOT_SUPPORTED);
    assertThat(verdicts(new Kept(0.95, Double.POSITIVE_INFINITY, 0)).getLast())
        .isEqualTo(NOT_SUPPORTED);
  }

  /** √(0.95 · 0.05 / 200) = 1.54 %. */
  @Test
  void of_twoHundredReplicates_saysTheSamplingErrorAndWhatRemained() {
    List<Claim> claims = CoverageClaims.of(List.of(new Kept(0.95, 1, 0.00031)), 200);
    assertThat(claims.getFirst().numbers()).contains("200 replicates", "1.5 %");
    assertThat(claims.getLast().numbers()).contains("0.00031 standard errors");
  }
}
