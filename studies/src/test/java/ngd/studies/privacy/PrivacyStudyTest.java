package ngd.studies.privacy;

import static ngd.studies.report.Verdict.IN_PART;
import static ngd.studies.report.Verdict.NOT_SUPPORTED;
import static ngd.studies.report.Verdict.NO_CASES;
import static ngd.studies.report.Verdict.SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import ngd.core.random.Streams;
import ngd.studies.privacy.PrivacyClaims.Cell;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;
import org.junit.jupiter.api.Test;

/** The oracle is order: less noise, less error, where noise is all that differs. */
class PrivacyStudyTest {
  private static List<Verdict> verdicts(Cell... cells) {
    return PrivacyClaims.of(List.of(cells)).stream().map(Claim::verdict).toList();
  }

  @Test
  void of_cells_areSupportedInPartOrNot() {
    Cell good = new Cell(3, 2, 1);
    Cell bad = new Cell(1, 2, 3);
    assertThat(verdicts(good, good)).containsExactly(SUPPORTED, SUPPORTED);
    assertThat(verdicts(good, good, bad)).containsExactly(SUPPORTED, SUPPORTED);
    assertThat(verdicts(good, bad)).containsExactly(IN_PART, IN_PART);
    assertThat(verdicts(bad)).containsExactly(NOT_SUPPORTED, NOT_SUPPORTED);
    assertThat(verdicts()).containsExactly(NO_CASES, NO_CASES);
  }

  @Test
  void replicate_reduced_isDeterministicAndErrorsFallFromLocalToCentral() {
    PrivacyStudy study = new PrivacyStudy(1500, 6, List.of("complete"), List.of(1.0, 30.0), 1);
    double[] values = study.replicate(Streams.of(1).replicate(1));
    assertThat(values).hasSize(study.width());
    assertThat(Arrays.stream(values).allMatch(v -> v > 0 && v < 1e6)).isTrue();
    double local = values[study.cell(0, 0, PrivacyStudy.KINDS.indexOf(PrivacyStudy.Kind.LOCAL))];
    double correlated =
        values[study.cell(0, 0, PrivacyStudy.KINDS.indexOf(PrivacyStudy.Kind.CORRELATED))];
    double central =
        values[study.cell(0, 0, PrivacyStudy.KINDS.indexOf(PrivacyStudy.Kind.CENTRAL))];
    assertThat(correlated).isLessThan(local);
    assertThat(values[0]).isLessThan(Math.min(correlated, central));
    for (PrivacyStudy.Kind kind : PrivacyStudy.KINDS) {
      assertThat(values[study.cell(0, 1, PrivacyStudy.KINDS.indexOf(kind))])
          .isLessThan(values[study.cell(0, 0, PrivacyStudy.KINDS.indexOf(kind))]);
    }
    assertThat(study.replicate(Streams.of(1).replicate(1))).isEqualTo(values);
  }
}
