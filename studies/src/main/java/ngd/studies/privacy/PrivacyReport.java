package ngd.studies.privacy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import ngd.studies.figure.CurveFigure;
import ngd.studies.report.Html;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Table, figure and words for the price of privacy. */
final class PrivacyReport {
  private final PrivacyStudy study;
  private final Results results;

  PrivacyReport(PrivacyStudy study, Results results) {
    this.study = study;
    this.results = results;
  }

  private double median(int column) {
    double[] sorted = results.column(column);
    Arrays.sort(sorted);
    int n = sorted.length;
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  private double median(int network, int epsilon, PrivacyStudy.Kind kind) {
    return median(study.cell(network, epsilon, PrivacyStudy.KINDS.indexOf(kind)));
  }

  Section write(Output output) {
    output.csv(
        "privacy.csv",
        List.of("network", "epsilon", "delta", "noise", "median_error", "median_error_without"),
        rows -> lines().forEach(rows::add));
    Html html = new Html();
    html.paragraph(
        "The paper's linear model, N = %s rows dealt equally to M = %d sites. 85 rounds of network gradient descent with local noise, the same with noise that cancels over neighbours (one curious site), and the pooled fit with noise in its sums; δ = 1e−6. The error is the root mean square distance of a coefficient to the truth, over sites; medians of %d replicates."
            .formatted(NumberWords.count(study.rows()), study.clients(), results.replicates()));
    List<String> labels = PrivacyStudy.KINDS.stream().map(PrivacyStudy.Kind::words).toList();
    CurveFigure figure =
        new CurveFigure(
            study.networks(),
            List.of(""),
            labels,
            "no noise",
            "log of epsilon",
            "log of the error",
            false);
    double[] x = study.epsilons().stream().mapToDouble(Math::log).toArray();
    List<List<String>> table = new ArrayList<>();
    List<PrivacyClaims.Cell> cells = new ArrayList<>();
    for (int n = 0; n < study.networks().size(); n++) {
      String network = study.networks().get(n);
      figure.reference("", network, Math.log(median(0)));
      for (PrivacyStudy.Kind kind : PrivacyStudy.KINDS) {
        double[] y = new double[x.length];
        for (int e = 0; e < y.length; e++) {
          y[e] = Math.log(median(n, e, kind));
        }
        figure.curve("", network, kind.words(), x, y);
      }
      for (int e = 0; e < x.length; e++) {
        PrivacyClaims.Cell cell =
            new PrivacyClaims.Cell(
                median(n, e, PrivacyStudy.Kind.LOCAL),
                median(n, e, PrivacyStudy.Kind.CORRELATED),
                median(n, e, PrivacyStudy.Kind.CENTRAL));
        cells.add(cell);
        table.add(
            List.of(
                network,
                study.epsilons().get(e).toString(),
                number(cell.local()),
                number(cell.correlated()),
                number(cell.central()),
                number(median(0))));
      }
    }
    html.figure(
        output.figure("privacy", figure.figure("Error of the estimate against epsilon")),
        "Error of the estimate against ε for local, correlated and central noise; dotted: the"
            + " pooled estimate without noise.");
    html.table(List.of("network", "ε", "local", "correlated", "central", "no noise"), table);
    PrivacyClaims.of(cells).forEach(html::claim);
    return new Section("What privacy costs", html);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  private List<List<String>> lines() {
    List<List<String>> lines = new ArrayList<>();
    for (int n = 0; n < study.networks().size(); n++) {
      for (int e = 0; e < study.epsilons().size(); e++) {
        for (PrivacyStudy.Kind kind : PrivacyStudy.KINDS) {
          lines.add(
              List.of(
                  study.networks().get(n),
                  study.epsilons().get(e).toString(),
                  Double.toString(PrivacyStudy.DELTA),
                  kind.words(),
                  Double.toString(median(n, e, kind)),
                  Double.toString(median(0))));
        }
      }
    }
    return lines;
  }
}
