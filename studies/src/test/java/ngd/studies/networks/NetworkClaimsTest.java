package ngd.studies.networks;

import static ngd.studies.report.Verdict.IN_PART;
import static ngd.studies.report.Verdict.NOT_SUPPORTED;
import static ngd.studies.report.Verdict.NO_CASES;
import static ngd.studies.report.Verdict.SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import ngd.studies.networks.NetworkStudy.Measure;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;
import org.junit.jupiter.api.Test;

/** Numbers made by hand; the oracles are the closed forms of section 2.4 and docs/theory.md, 1. */
class NetworkClaimsTest {
  private static final int M = 101;

  /** The same numbers in four draws. */
  private static NetworkSummary network(
      String words,
      int degree,
      double expected,
      double se2,
      double unheard,
      double irreducible,
      double second) {
    return NetworkSummary.of(
        new NetworkStudy.Case(words, M, degree),
        OptionalDouble.of(expected),
        measure -> {
          double value =
              switch (measure) {
                case SE2 -> se2;
                case UNHEARD, TRANSIENT -> unheard;
                case CLOSED_CLASSES -> 1;
                case IRREDUCIBLE -> irreducible;
                case SECOND_EIGENVALUE, SIGMA_MIN_PLUS -> second;
              };
          return new double[] {value, value, value, value};
        },
        4);
  }

  private static NetworkSummary central(double se2) {
    return network("central", M - 1, 99.0 * 99 / 100, se2, 0, 1, 1);
  }

  private static NetworkSummary circle(int d, double se2) {
    return network("circle:" + d, d, 0, se2, 0, 1, 0.9);
  }

  private static NetworkSummary fixed(int d, double more) {
    double expected = 1.0 / d - 1.0 / (M - 1);
    return network("fixed:" + d, d, expected, expected + more, Math.exp(-d) + more, 0, 0.5);
  }

  private static NetworkSummary regular(int d, double se2, double irreducible, double second) {
    return network("regular:" + d, d, 0, se2, 0, irreducible, second);
  }

  private static List<Verdict> verdicts(List<NetworkSummary> networks) {
    return NetworkClaims.of(networks).stream().map(Claim::verdict).toList();
  }

  private static final List<NetworkSummary> AS_EXPECTED =
      List.of(
          central(99.0 * 99 / 100),
          circle(1, 0),
          circle(2, 1e-16),
          fixed(1, 0),
          fixed(2, 0.005),
          regular(1, 0, 1, 1),
          regular(2, 0, 1, 0.7));

  /** Nothing is as it should be. */
  private static final List<NetworkSummary> CONTRARY =
      List.of(central(0.5), circle(3, 0.1), fixed(3, 0.2), regular(3, 0.1, 0.75, 0.95));

  @Test
  void of_networksAsExpected_allAreSupported() {
    assertThat(verdicts(AS_EXPECTED)).containsOnly(SUPPORTED).hasSize(6);
  }

  @Test
  void of_someContrary_allAreSupportedInPart() {
    List<NetworkSummary> both = new ArrayList<>(AS_EXPECTED);
    both.addAll(CONTRARY);
    assertThat(verdicts(both)).containsOnly(IN_PART);
    assertThat(NetworkClaims.of(both).get(4).numbers())
        .contains("2 of 3 networks")
        .contains("regular:3, M = 101: SE² 0.100, irreducible 75.0 %");
  }

  @Test
  void of_allContrary_noneIsSupported() {
    assertThat(verdicts(CONTRARY)).containsOnly(NOT_SUPPORTED);
  }

  /** Of degree 1 a regular network is one cycle, as the circle is. */
  @Test
  void mixing_ofDegreeOneOrWhereTheSpectrumIsUnknown_isNotJudged() {
    List<NetworkSummary> one = List.of(circle(1, 0), regular(1, 0, 1, 1));
    assertThat(verdicts(one).getLast()).isEqualTo(NO_CASES);
    List<NetworkSummary> unknown = List.of(circle(2, 0), regular(2, 0, 1, Double.NaN));
    assertThat(verdicts(unknown).getLast()).isEqualTo(NO_CASES);
  }

  /** SE² of 0.30, 0.34, 0.36, 0.40 spread so far that 0.05 is within four standard errors. */
  @Test
  void fixed_ofFewDrawsThatSpread_isJudgedByTheirStandardError() {
    NetworkSummary spread =
        NetworkSummary.of(
            new NetworkStudy.Case("fixed:3", M, 3),
            OptionalDouble.of(0.3),
            measure ->
                measure == Measure.SE2
                    ? new double[] {0.30, 0.34, 0.36, 0.40}
                    : new double[] {0, 0, 0, 0},
            4);
    assertThat(verdicts(List.of(spread)).get(2)).isEqualTo(SUPPORTED);
  }
}
