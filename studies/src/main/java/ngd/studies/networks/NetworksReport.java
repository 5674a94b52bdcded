package ngd.studies.networks;

import static ngd.studies.report.NumberWords.number;
import static ngd.studies.report.NumberWords.percent;
import static ngd.studies.report.NumberWords.three;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.studies.figure.CurveFigure;
import ngd.studies.report.Html;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Table, figure and words for networks over M and D. */
final class NetworksReport {
  private final NetworkStudy study;
  private final Results results;
  private final List<NetworkSummary> rows = new ArrayList<>();

  NetworksReport(NetworkStudy study, Results results) {
    this.study = study;
    this.results = results;
    for (NetworkStudy.Case built : study.built()) {
      double[] values = NetworkStudy.measured(built, Streams.of(1));
      rows.add(summary(built, measure -> new double[] {values[NetworkStudy.index(measure)]}, 1));
    }
    List<NetworkStudy.Case> drawn = study.drawn();
    for (int c = 0; c < drawn.size(); c++) {
      int which = c;
      rows.add(
          summary(
              drawn.get(c),
              measure -> results.column(study.place(which, measure)),
              results.replicates()));
    }
  }

  private static NetworkSummary summary(
      NetworkStudy.Case network, Function<NetworkStudy.Measure, double[]> values, int replicates) {
    Topology topology = Topology.parse(network.network(), network.clients(), Streams.of(1));
    return NetworkSummary.of(network, topology.expectedSe2(), values, replicates);
  }

  Section write(Output output) {
    output.csv(
        "networks.csv",
        List.of(
            "network",
            "clients",
            "degree",
            "expected_se2",
            "mean_se2",
            "q25_se2",
            "median_se2",
            "q75_se2",
            "unheard_share",
            "transient_share",
            "closed_classes",
            "irreducible_share",
            "median_second_eigenvalue",
            "median_sigma_min_plus",
            "replicates"),
        this::table);
    Html html = new Html();
    String caption =
        "Networks by in-degree D and number of clients M: balance SE²(W), the share of clients that nobody hears, the share in no closed class, and the second eigenvalue of W; means over %d draws of the random kinds (of the eigenvalue: medians)."
            .formatted(results.replicates());
    html.figure(output.figure("networks", figure().figure(caption)), caption);
    words(html);
    return new Section("Networks: balance, unheard clients and spectrum", html);
  }

  private void table(Output.Rows table) {
    for (NetworkSummary row : rows) {
      table.add(
          List.of(
              row.kind(),
              String.valueOf(row.network().clients()),
              String.valueOf(row.network().degree()),
              row.expectedSe2().isPresent() ? String.valueOf(row.expectedSe2().getAsDouble()) : "",
              String.valueOf(row.mean(NetworkStudy.Measure.SE2)),
              String.valueOf(row.of(NetworkStudy.Measure.SE2).low()),
              String.valueOf(row.of(NetworkStudy.Measure.SE2).median()),
              String.valueOf(row.of(NetworkStudy.Measure.SE2).high()),
              String.valueOf(row.mean(NetworkStudy.Measure.UNHEARD)),
              String.valueOf(row.mean(NetworkStudy.Measure.TRANSIENT)),
              String.valueOf(row.mean(NetworkStudy.Measure.CLOSED_CLASSES)),
              String.valueOf(row.mean(NetworkStudy.Measure.IRREDUCIBLE)),
              String.valueOf(row.of(NetworkStudy.Measure.SECOND_EIGENVALUE).median()),
              String.valueOf(row.of(NetworkStudy.Measure.SIGMA_MIN_PLUS).median()),
              String.valueOf(row.replicates())));
    }
  }

  private CurveFigure figure() {
    List<String> columns = study.clients().stream().map(m -> "M = " + m).toList();
    CurveFigure figure =
        new CurveFigure(
            columns,
            List.of("SE²(W)", "unheard", "in no closed class", "second eigenvalue"),
            List.of("circle", "fixed-degree", "regular"),
            "",
            "in-degree D",
            "",
            true);
    for (String kind : List.of("circle", "fixed", "regular")) {
      for (int m : study.clients()) {
        List<NetworkSummary> own =
            rows.stream()
                .filter(row -> row.kind().equals(kind) && row.network().clients() == m)
                .toList();
        double[] x = own.stream().mapToDouble(row -> row.network().degree()).toArray();
        String label = kind.equals("fixed") ? "fixed-degree" : kind;
        String column = "M = " + m;
        figure.curve("SE²(W)", column, label, x, means(own, NetworkStudy.Measure.SE2));
        figure.curve("unheard", column, label, x, means(own, NetworkStudy.Measure.UNHEARD));
        figure.curve(
            "in no closed class", column, label, x, means(own, NetworkStudy.Measure.TRANSIENT));
        figure.curve(
            "second eigenvalue",
            column,
            label,
            x,
            own.stream()
                .mapToDouble(row -> row.of(NetworkStudy.Measure.SECOND_EIGENVALUE).median())
                .toArray());
      }
    }
    return figure;
  }

  private static double[] means(List<NetworkSummary> rows, NetworkStudy.Measure measure) {
    return rows.stream().mapToDouble(row -> row.mean(measure)).toArray();
  }

  private NetworkSummary at(String network, int clients) {
    return rows.stream()
        .filter(row -> row.network().network().equals(network))
        .filter(row -> row.network().clients() == clients)
        .findFirst()
        .orElseThrow();
  }

  private void words(Html html) {
    int m = study.clients().getLast();
    List<String> central = new ArrayList<>();
    for (int clients : study.clients()) {
      central.add(
          "%s at M = %d"
              .formatted(number(at("central", clients).mean(NetworkStudy.Measure.SE2)), clients));
    }
    html.paragraph(
        "SE²(W) of the central-client network is %s.".formatted(String.join(", ", central)));
    List<List<String>> table = new ArrayList<>();
    for (int d : study.degrees()) {
      NetworkSummary fixed = at("fixed:" + d, m);
      NetworkSummary circle = at("circle:" + d, m);
      NetworkSummary regular = at("regular:" + d, m);
      table.add(
          List.of(
              String.valueOf(d),
              three(fixed.expectedSe2().orElse(Double.NaN)),
              three(fixed.mean(NetworkStudy.Measure.SE2)),
              percent(fixed.mean(NetworkStudy.Measure.UNHEARD)),
              percent(Math.exp(-d)),
              percent(fixed.mean(NetworkStudy.Measure.TRANSIENT)),
              percent(fixed.mean(NetworkStudy.Measure.IRREDUCIBLE)),
              three(fixed.of(NetworkStudy.Measure.SECOND_EIGENVALUE).median()),
              three(regular.of(NetworkStudy.Measure.SECOND_EIGENVALUE).median()),
              three(circle.of(NetworkStudy.Measure.SECOND_EIGENVALUE).median())));
    }
    html.paragraph("At M = %d:".formatted(m));
    html.table(
        List.of(
            "D",
            "1/D − 1/(M−1)",
            "SE² fixed",
            "unheard, fixed",
            "e^−D",
            "in no closed class, fixed",
            "irreducible, fixed",
            "λ₂ fixed",
            "λ₂ regular",
            "λ₂ circle"),
        table);
    html.paragraph(
        "Nothing of the data of clients in no closed class reaches the estimate, and W is reducible, against the paper's own condition (irreducible W).");
    html.heading("Claims");
    NetworkClaims.of(rows).forEach(html::claim);
  }
}
