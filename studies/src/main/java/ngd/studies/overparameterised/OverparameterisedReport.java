package ngd.studies.overparameterised;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import ngd.studies.figure.DotFigure;
import ngd.studies.report.Claim;
import ngd.studies.report.Html;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Output;
import ngd.studies.report.Quartiles;
import ngd.studies.report.Section;
import ngd.studies.report.Verdict;
import ngd.studies.store.Results;

/** Table, figure and words for over-parameterised clients. */
final class OverparameterisedReport {
  /** A radius closer to 1 than this is taken for 1. */
  private static final double ONE = 1e-9;

  /** Starts whose distance shrank below the one have met; above the other they have not. */
  private static final double MET = 1e-6;

  private static final double APART = 1e-3;

  private final OverparameterisedStudy study;
  private final Results results;

  OverparameterisedReport(OverparameterisedStudy study, Results results) {
    this.study = study;
    this.results = results;
  }

  private double[] column(int network, int number) {
    return results.column(network * OverparameterisedStudy.NUMBERS + number);
  }

  Section write(Output output) {
    output.csv(
        "overparameterised.csv",
        List.of(
            "network",
            "replicate",
            "alpha",
            "certified",
            "spectral_radius",
            "spread_after_over_before"),
        this::rows);
    Html html = new Html();
    html.paragraph(
        "Each of %d clients holds %d rows of the linear model with 8 parameters: no client alone determines them, all %d rows together do. α is half the safe limit 2/max λmax. Three ways to ask whether NGD has one limit from every start: the certificate (a rank for each closed class of the network), the spectral radius of Δ*(W⊗I) (eigenvalues), and %d runs of %s rounds from random starts."
            .formatted(
                study.clients(),
                study.rowsEach(),
                study.clients() * study.rowsEach(),
                study.starts(),
                NumberWords.count(study.roundsEach())));
    html.paragraph(
        "In the counter-example two clients hear only each other, and all others hear their two predecessors; the two hold %d rows, fewer than 8 parameters. In fixed:1 the closed classes are the cycles of a random map, which are often that small."
            .formatted(2 * study.rowsEach()));
    DotFigure figure =
        new DotFigure(
            OverparameterisedStudy.NETWORKS.stream()
                .map(OverparameterisedReport::shortened)
                .toList(),
            List.of("spread"),
            "",
            "network",
            "log10 of the value",
            true);
    List<List<String>> table = new ArrayList<>();
    int agreeing = 0;
    int decided = 0;
    for (int i = 0; i < OverparameterisedStudy.NETWORKS.size(); i++) {
      Tally tally = tally(i);
      agreeing += tally.agreeing();
      decided += tally.decided();
      table.add(tally.row(OverparameterisedStudy.NETWORKS.get(i)));
      dots(figure, i);
    }
    String caption =
        "How far from 1 the spectral radius is, and how far apart runs from random starts end, as a share of their distance at the start; medians and middle halves of %d replicates. One limit shows on the right as rounding error, several limits as a value near 0."
            .formatted(results.replicates());
    html.figure(output.figure("overparameterised", figure.figure(caption)), caption);
    html.table(
        List.of(
            "network",
            "certified: one limit",
            "radius below 1",
            "starts met",
            "starts apart",
            "all agree",
            "median radius",
            "largest radius"),
        table);
    html.claim(
        new Claim(
            "in the locally over-parameterized regime, the proposed NGD algorithm could still converge numerically under most of the network structures",
            Verdict.of(agreeing, decided),
            "Certificate, spectral radius and iteration agree in %d of %d cases that iteration decided. NGD has one limit on every network whose closed classes together hold enough rows, the counter-example has none, and fixed:1 fails as often as one of its cycles is too small."
                .formatted(agreeing, decided)));
    return new Section("Over-parameterised clients: n < p < N (section 2.6)", html);
  }

  private static String shortened(String network) {
    return network.equals(OverparameterisedStudy.COUNTER_EXAMPLE) ? "counter" : network;
  }

  private void dots(DotFigure figure, int network) {
    String name = shortened(OverparameterisedStudy.NETWORKS.get(network));
    Quartiles gap =
        Quartiles.of(
            Arrays.stream(column(network, 2))
                .map(radius -> Math.log10(Math.max(1 - radius, 1e-16)))
                .toArray());
    figure.dot("1 − spectral radius", name, "spread", gap.low(), gap.median(), gap.high());
    Quartiles spread =
        Quartiles.of(
            Arrays.stream(column(network, 3))
                .map(ratio -> Math.log10(Math.max(ratio, 1e-16)))
                .toArray());
    figure.dot(
        "distance of the runs, after over before",
        name,
        "spread",
        spread.low(),
        spread.median(),
        spread.high());
  }

  /** How often each of the three said so, for one network. */
  private record Tally(
      int certified,
      int below,
      int met,
      int apart,
      int agreeing,
      int replicates,
      double medianRadius,
      double largestRadius) {
    int decided() {
      return met + apart;
    }

    List<String> row(String network) {
      return List.of(
          network,
          of(certified),
          of(below),
          of(met),
          of(apart),
          "%d of %d".formatted(agreeing, decided()),
          String.format(Locale.ROOT, "%.6f", medianRadius),
          String.format(Locale.ROOT, "%.6f", largestRadius));
    }

    private String of(int count) {
      return "%d of %d".formatted(count, replicates);
    }
  }

  private Tally tally(int network) {
    double[] certified = column(network, 1);
    double[] radius = column(network, 2);
    double[] spread = column(network, 3);
    int yes = 0;
    int below = 0;
    int met = 0;
    int apart = 0;
    int agreeing = 0;
    for (int r = 0; r < radius.length; r++) {
      boolean one = certified[r] == 1;
      boolean contracts = radius[r] < 1 - ONE;
      yes += one ? 1 : 0;
      below += contracts ? 1 : 0;
      met += spread[r] < MET ? 1 : 0;
      apart += spread[r] > APART ? 1 : 0;
      boolean decided = spread[r] < MET || spread[r] > APART;
      agreeing += decided && one == contracts && one == (spread[r] < MET) ? 1 : 0;
    }
    return new Tally(
        yes,
        below,
        met,
        apart,
        agreeing,
        radius.length,
        Quartiles.of(radius).median(),
        Arrays.stream(radius).max().orElse(Double.NaN));
  }

  private void rows(Output.Rows rows) {
    for (int i = 0; i < OverparameterisedStudy.NETWORKS.size(); i++) {
      double[] alpha = column(i, 0);
      double[] certified = column(i, 1);
      double[] radius = column(i, 2);
      double[] spread = column(i, 3);
      for (int r = 0; r < radius.length; r++) {
        rows.add(
            List.of(
                OverparameterisedStudy.NETWORKS.get(i),
                String.valueOf(r),
                String.valueOf(alpha[r]),
                Double.isNaN(certified[r]) ? "" : String.valueOf(certified[r] == 1),
                String.valueOf(radius[r]),
                String.valueOf(spread[r])));
      }
    }
  }
}
