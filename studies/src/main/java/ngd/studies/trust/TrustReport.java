package ngd.studies.trust;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import ngd.core.simulation.Quartiles;
import ngd.studies.figure.CurveFigure;
import ngd.studies.report.Claim;
import ngd.studies.report.Html;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Tables, figure and words on where rules break. */
final class TrustReport {
  /** Errors are drawn up to so many times that of clients alone: beyond it they are broken. */
  private static final double SHOWN = 4;

  private final TrustStudy study;
  private final Results results;

  TrustReport(TrustStudy study, Results results) {
    this.study = study;
    this.results = results;
  }

  private double median(int column) {
    return Quartiles.of(results.column(column)).median();
  }

  private double alone() {
    return median(0);
  }

  private double median(int rule, int attack, int count) {
    return median(study.cell(rule, attack, count));
  }

  /** The fewest attackers with whom clients do worse than each with its own data. */
  private OptionalInt breaking(int rule, int attack) {
    return IntStream.rangeClosed(1, study.attackers())
        .filter(count -> !(median(rule, attack, count) < alone()))
        .findFirst();
  }

  Section write(Output output) {
    output.csv(
        "trust.csv",
        List.of("rule", "attack", "attackers", "heard_at_most", "median_error", "median_alone"),
        rows -> lines().forEach(rows::add));
    Html html = new Html();
    html.paragraph(
        "The paper's linear model, N = %s rows dealt at random to M = %d clients on `%s` with Metropolis weights, 300 rounds of network gradient descent, α = 0.05. Up to %d clients attack, spread evenly, of whom an honest client hears at most %s. The error is the root mean square distance of a coefficient to the truth, over honest clients; medians of %d replicates. A rule breaks where honest clients do worse than each would with its own data alone (%s)."
            .formatted(
                NumberWords.count(TrustStudy.ROWS),
                TrustStudy.CLIENTS,
                TrustStudy.NETWORK,
                study.attackers(),
                IntStream.rangeClosed(1, study.attackers())
                    .mapToObj(count -> Integer.toString(TrustStudy.heard(count)))
                    .reduce((a, b) -> a + ", " + b)
                    .orElse("none"),
                results.replicates(),
                NumberWords.three(alone())));
    html.figure(
        output.figure("trust", figure().figure("Error of honest clients by number of attackers")),
        "Error of honest clients against the number of attackers, a panel for each attack, a curve"
            + " for each rule of mixing, drawn up to four times the error of each client with its"
            + " own data alone (dotted).");
    List<String> head = new ArrayList<>(List.of("rule", "without attackers"));
    head.addAll(study.attacks());
    html.paragraph("With how many attackers each rule breaks:");
    html.table(head, table());
    claims().forEach(html::claim);
    return new Section("Where robust mixing breaks", html);
  }

  private CurveFigure figure() {
    CurveFigure figure =
        new CurveFigure(
            study.attacks(),
            List.of(""),
            study.rules(),
            "alone",
            "attackers",
            "log of the error",
            true);
    double[] x = IntStream.rangeClosed(0, study.attackers()).asDoubleStream().toArray();
    for (int a = 0; a < study.attacks().size(); a++) {
      figure.reference("", study.attacks().get(a), Math.log(alone()));
      for (int r = 0; r < study.rules().size(); r++) {
        double[] y = new double[x.length];
        for (int count = 0; count < y.length; count++) {
          y[count] = Math.log(Math.min(median(r, a, count), SHOWN * alone()));
        }
        figure.curve("", study.attacks().get(a), study.rules().get(r), x, y);
      }
    }
    return figure;
  }

  private List<List<String>> table() {
    List<List<String>> table = new ArrayList<>();
    for (int r = 0; r < study.rules().size(); r++) {
      List<String> line = new ArrayList<>();
      line.add(study.rules().get(r));
      line.add(NumberWords.three(median(r, 0, 0)));
      for (int a = 0; a < study.attacks().size(); a++) {
        OptionalInt count = breaking(r, a);
        line.add(count.isPresent() ? Integer.toString(count.getAsInt()) : "stands");
      }
      table.add(line);
    }
    return table;
  }

  private List<Claim> claims() {
    List<TrustClaims.Case> cases = new ArrayList<>();
    for (int r = 0; r < study.rules().size(); r++) {
      for (int a = 0; a < study.attacks().size(); a++) {
        cases.add(
            new TrustClaims.Case(
                study.rules().get(r),
                study.attacks().get(a),
                breaking(r, a),
                median(r, 0, 0) / median(0, 0, 0)));
      }
    }
    return TrustClaims.of(cases);
  }

  private List<List<String>> lines() {
    List<List<String>> lines = new ArrayList<>();
    for (int r = 0; r < study.rules().size(); r++) {
      for (int a = 0; a < study.attacks().size(); a++) {
        for (int count = 0; count <= study.attackers(); count++) {
          lines.add(
              List.of(
                  study.rules().get(r),
                  study.attacks().get(a),
                  Integer.toString(count),
                  Integer.toString(count == 0 ? 0 : TrustStudy.heard(count)),
                  Double.toString(median(r, a, count)),
                  Double.toString(alone())));
        }
      }
    }
    return lines;
  }
}
