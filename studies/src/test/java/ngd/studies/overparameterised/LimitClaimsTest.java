package ngd.studies.overparameterised;

import static ngd.studies.report.Verdict.IN_PART;
import static ngd.studies.report.Verdict.NOT_SUPPORTED;
import static ngd.studies.report.Verdict.NO_CASES;
import static ngd.studies.report.Verdict.SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;
import org.junit.jupiter.api.Test;

/** Certificates, radii and spreads made by hand, three replicates each. */
class LimitClaimsTest {
  private static final double[] YES = {1, 1, 1};
  private static final double[] NO = {0, 0, 0};
  private static final double[] BELOW = {0.9, 0.95, 0.99};
  private static final double[] ONE = {1, 1 - 1e-12, 1};
  private static final double[] MET = {1e-9, 1e-8, 1e-7};
  private static final double[] APART = {0.1, 0.5, 0.002};
  private static final double[] UNDECIDED = {1e-4, 1e-5, 1e-4};

  private static final LimitTally CONVERGES = LimitTally.of("circle:1", YES, BELOW, MET);
  private static final LimitTally SEVERAL = LimitTally.of("counter-example", NO, ONE, APART);

  private static List<Verdict> verdicts(List<LimitTally> networks, LimitTally counterExample) {
    return LimitClaims.of(networks, counterExample).stream().map(Claim::verdict).toList();
  }

  @Test
  void tally_ofThreeReplicates_countsEachWay() {
    LimitTally mixed =
        LimitTally.of(
            "fixed:1",
            new double[] {1, 0, 1},
            new double[] {0.9, 1, 1},
            new double[] {1e-9, 1e-4, 0.5});
    assertThat(mixed).isEqualTo(new LimitTally("fixed:1", 2, 1, 1, 1, 1, 3, 1.0, 1.0));
    assertThat(mixed.decided()).isEqualTo(2);
  }

  @Test
  void of_oneLimitEverywhereButInTheCounterExample_allAreSupported() {
    assertThat(verdicts(List.of(CONVERGES, CONVERGES), SEVERAL))
        .containsExactly(SUPPORTED, SUPPORTED, SUPPORTED);
  }

  @Test
  void of_networksThatFailAndWaysThatDisagree_areSupportedInPart() {
    // Certified, yet the starts stayed apart in two replicates of three.
    LimitTally fails = LimitTally.of("fixed:1", YES, BELOW, new double[] {1e-9, 0.1, 0.2});
    LimitTally sometimes = LimitTally.of("counter", NO, ONE, new double[] {0.1, 1e-9, 0.1});
    assertThat(verdicts(List.of(CONVERGES, fails, fails), sometimes))
        .containsExactly(IN_PART, IN_PART, IN_PART);
  }

  /** The paper's claim is about most structures, not about all. */
  @Test
  void converges_onTwoOfThreeNetworks_isSupported() {
    LimitTally fails = LimitTally.of("fixed:1", YES, BELOW, APART);
    assertThat(verdicts(List.of(CONVERGES, CONVERGES, fails), SEVERAL).getFirst())
        .isEqualTo(SUPPORTED);
  }

  @Test
  void of_nothingAsExpected_noneIsSupported() {
    LimitTally fails = LimitTally.of("circle:1", YES, BELOW, APART);
    LimitTally meets = LimitTally.of("counter-example", NO, ONE, MET);
    assertThat(verdicts(List.of(fails), meets))
        .containsExactly(NOT_SUPPORTED, NOT_SUPPORTED, NOT_SUPPORTED);
  }

  @Test
  void of_iterationsThatDecideNothing_saysThatThereAreNoCases() {
    LimitTally open = LimitTally.of("circle:1", YES, BELOW, UNDECIDED);
    assertThat(verdicts(List.of(open), open)).containsExactly(NO_CASES, NO_CASES, NO_CASES);
  }
}
