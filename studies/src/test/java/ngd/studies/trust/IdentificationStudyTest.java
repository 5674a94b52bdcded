package ngd.studies.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import ngd.core.inference.LiarIdentification;
import ngd.core.random.Streams;
import ngd.studies.trust.IdentificationReport.Estimate;
import org.junit.jupiter.api.Test;

/** Oracle: shares counted by hand, and what must be so of a lie that nobody could miss. */
class IdentificationStudyTest {
  private static LiarIdentification.Verdict verdict(int client, boolean second, boolean third) {
    return new LiarIdentification.Verdict(
        client,
        0.5,
        Optional.empty(),
        List.of(
            new LiarIdentification.Heard(8, 0.5, second),
            new LiarIdentification.Heard(9, 0.5, third)));
  }

  /** Client 9 lies: one names both, one nobody, one cannot tell, and the liar does not count. */
  @Test
  void shares_ofHonestClients_areMeansOverThem() {
    LiarIdentification.Verdict silent =
        new LiarIdentification.Verdict(
            3,
            0.01,
            Optional.of("cannot tell"),
            List.of(new LiarIdentification.Heard(8, 0.5, false)));
    double[] shares =
        IdentificationStudy.shares(
            new LiarIdentification(
                0.1,
                List.of(
                    verdict(1, true, true),
                    verdict(2, false, false),
                    silent,
                    verdict(9, true, true))),
            List.of(9));
    assertThat(shares).containsExactly(0.5 / 3, 0.5, 1.0 / 3);
  }

  @Test
  void replicate_loudLies_areFound() {
    IdentificationStudy study = new IdentificationStudy(0.1, 3, 1);
    double[] values = study.replicate(Streams.of(1).replicate(1));
    assertThat(values).hasSize(study.width());
    for (int c = 0; c < IdentificationStudy.CASES.size(); c++) {
      IdentificationStudy.Case one = IdentificationStudy.CASES.get(c);
      double found = values[c * IdentificationStudy.NUMBERS + 1];
      if (one.attack().isEmpty()) {
        assertThat(found).isNaN();
      } else if (one.equals(
          new IdentificationStudy.Case("trimmed:2", Optional.of("constant:50.0"), "random"))) {
        assertThat(found).isGreaterThan(0.8);
      }
    }
  }

  @Test
  void holds_withinTwoErrors() {
    assertThat(IdentificationReport.holds(new Estimate(0.12, 0.011), 0.1)).isTrue();
    assertThat(IdentificationReport.holds(new Estimate(0.12, 0.009), 0.1)).isFalse();
    assertThat(IdentificationReport.holds(new Estimate(Double.NaN, 0), 0.1)).isFalse();
    assertThat(Estimate.of(new double[] {1, 3})).isEqualTo(new Estimate(2, 1));
  }
}
