package ngd.studies.trust;

import static ngd.studies.report.Verdict.IN_PART;
import static ngd.studies.report.Verdict.NOT_SUPPORTED;
import static ngd.studies.report.Verdict.SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import ngd.core.random.Streams;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;
import ngd.studies.trust.TrustClaims.Case;
import org.junit.jupiter.api.Test;

/** The oracle is what the rules promise: one liar moves a mean anywhere, and no median. */
class TrustStudyTest {
  private static Case of(String rule, int breaking) {
    OptionalInt count = breaking == 0 ? OptionalInt.empty() : OptionalInt.of(breaking);
    return new Case(rule, "constant:50.0", count, 1);
  }

  private static List<Verdict> verdicts(Case... cases) {
    return TrustClaims.of(List.of(cases)).stream().map(Claim::verdict).toList();
  }

  /** Of four attackers a client hears two, of five three. */
  @Test
  void claims_cases_areSupportedInPartOrNot() {
    assertThat(TrustStudy.heard(4)).isEqualTo(2);
    assertThat(TrustStudy.heard(5)).isEqualTo(3);
    assertThat(verdicts(of("mean", 1), of("median", 0), of("krum:2", 5)))
        .containsExactly(SUPPORTED, SUPPORTED);
    assertThat(verdicts(of("mean", 2), of("median", 4), of("krum:2", 5)))
        .containsExactly(NOT_SUPPORTED, IN_PART);
  }

  @Test
  void replicate_reduced_theMeanBreaksAndTheMedianStands() {
    TrustStudy study =
        new TrustStudy(List.of("mean", "median"), List.of("constant:50.0", "label-flip"), 2, 1);
    double[] values = study.replicate(Streams.of(1).replicate(1));
    assertThat(values).hasSize(study.width());
    double alone = values[0];
    for (int count = 1; count <= 2; count++) {
      assertThat(values[study.cell(0, 0, count)]).isGreaterThan(10 * alone);
      assertThat(values[study.cell(1, 0, count)]).isLessThan(alone);
      assertThat(values[study.cell(1, 1, count)]).isLessThan(values[study.cell(0, 1, count)]);
    }
    for (int rule = 0; rule < 2; rule++) {
      assertThat(values[study.cell(rule, 0, 0)]).isLessThan(alone);
    }
    assertThat(study.replicate(Streams.of(1).replicate(1))).isEqualTo(values);
  }
}
