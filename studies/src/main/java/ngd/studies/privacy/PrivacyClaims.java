package ngd.studies.privacy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;

/** What is said of noise that costs less, held against the errors. */
final class PrivacyClaims {
  private PrivacyClaims() {}

  /** The median errors on one network at one ε. */
  record Cell(double local, double correlated, double central) {}

  static List<Claim> of(List<Cell> cells) {
    int correlated = (int) cells.stream().filter(c -> c.correlated() < c.local()).count();
    int central = (int) cells.stream().filter(c -> c.central() < c.local()).count();
    return List.of(
        new Claim(
            "Noise that cancels over neighbours costs less than local noise of the same ε",
            Verdict.most(correlated, cells.size()),
            "on %d of %d networks and ε; the errors' ratio is %s in the median."
                .formatted(
                    correlated,
                    cells.size(),
                    ratio(cells.stream().mapToDouble(c -> c.correlated() / c.local()).toArray()))),
        new Claim(
            "Noise in sums costs less than local noise of the same ε",
            Verdict.most(central, cells.size()),
            "on %d of %d; its error over that of local noise is %s in the median."
                .formatted(
                    central,
                    cells.size(),
                    ratio(cells.stream().mapToDouble(c -> c.central() / c.local()).toArray()))));
  }

  private static String ratio(double[] ratios) {
    Arrays.sort(ratios);
    return ratios.length == 0
        ? "unknown"
        : String.format(
            Locale.ROOT, "%.2f", (ratios[(ratios.length - 1) / 2] + ratios[ratios.length / 2]) / 2);
  }
}
