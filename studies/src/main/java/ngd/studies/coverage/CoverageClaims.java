package ngd.studies.coverage;

import static ngd.studies.report.NumberWords.percent;

import java.util.List;
import java.util.Locale;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;

/** What intervals and standard errors promise, held against how often they kept it. */
final class CoverageClaims {
  private static final double LEAST = 0.93;
  private static final double MOST = 0.97;

  /** Mean standard error and empirical spread may differ by this share. */
  private static final double NEAR = 0.1;

  private CoverageClaims() {}

  /**
   * A model and a kind of sites, on average over the coefficients.
   *
   * @param coverage how often 95 % intervals covered the truth
   * @param ratio the mean standard error over the estimates' standard deviation
   * @param remaining the largest distance that remained to the pooled estimate, in standard errors
   */
  record Kept(double coverage, double ratio, double remaining) {}

  /**
   * That of intervals around averages over rounds.
   *
   * @param coverage of each model and kind of interval, on average over the coefficients
   */
  static Claim averaged(List<Double> coverage, int replicates) {
    int covered = (int) coverage.stream().filter(one -> one >= LEAST && one <= MOST).count();
    return new Claim(
        "Intervals around averages over rounds cover the truth between 93 % and 97 % of the time for 95 % (Gu and Chen 2024; Lee and others 2022)",
        Verdict.of(covered, coverage.size()),
        "%d of %d models and kinds of interval lie there on average over the coefficients; with %d replicates the sampling error of one coefficient's coverage is %s."
            .formatted(
                covered,
                coverage.size(),
                replicates,
                percent(Math.sqrt(0.95 * 0.05 / replicates))));
  }

  static List<Claim> of(List<Kept> cases, int replicates) {
    int covered =
        (int)
            cases.stream().filter(one -> one.coverage() >= LEAST && one.coverage() <= MOST).count();
    int near = (int) cases.stream().filter(one -> Math.abs(one.ratio() - 1) <= NEAR).count();
    double remaining = cases.stream().mapToDouble(Kept::remaining).max().orElse(0);
    return List.of(
        new Claim(
            "The intervals cover the truth as often as they say, between 93 % and 97 % for 95 %",
            Verdict.of(covered, cases.size()),
            "%d of %d models and kinds of sites lie there on average over the coefficients; with %d replicates the sampling error of one coefficient's coverage is %s."
                .formatted(
                    covered,
                    cases.size(),
                    replicates,
                    percent(Math.sqrt(0.95 * 0.05 / replicates)))),
        new Claim(
            "The standard errors are as large as the estimates' spread, within 10 %",
            Verdict.of(near, cases.size()),
            "%d of %d; what remained between the result and the pooled estimate was %s standard errors at most."
                .formatted(near, cases.size(), String.format(Locale.ROOT, "%.2g", remaining))));
  }
}
