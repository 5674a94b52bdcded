package ngd.studies.overparameterised;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import ngd.core.simulation.Quartiles;
import ngd.studies.figure.DotFigure;
import ngd.studies.report.Html;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Table, figure and words for over-parameterised clients. */
record OverparameterisedReport(OverparameterisedStudy study, Results results) {
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
            "log of the value",
            true);
    List<LimitTally> tallies = new ArrayList<>();
    for (int i = 0; i < OverparameterisedStudy.NETWORKS.size(); i++) {
      tallies.add(
          LimitTally.of(
              OverparameterisedStudy.NETWORKS.get(i), column(i, 1), column(i, 2), column(i, 3)));
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
        tallies.stream().map(OverparameterisedReport::row).toList());
    // The counter-example stands last.
    LimitClaims.of(tallies.subList(0, tallies.size() - 1), tallies.getLast()).forEach(html::claim);
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
                .map(radius -> Math.log(Math.max(1 - radius, 1e-16)))
                .toArray());
    figure.dot("1 − spectral radius", name, "spread", gap.low(), gap.median(), gap.high());
    Quartiles spread =
        Quartiles.of(
            Arrays.stream(column(network, 3))
                .map(ratio -> Math.log(Math.max(ratio, 1e-16)))
                .toArray());
    figure.dot(
        "distance of the runs, after over before",
        name,
        "spread",
        spread.low(),
        spread.median(),
        spread.high());
  }

  private static List<String> row(LimitTally tally) {
    String of = " of " + tally.replicates();
    return List.of(
        tally.network(),
        tally.certified() + of,
        tally.below() + of,
        tally.met() + of,
        tally.apart() + of,
        "%d of %d".formatted(tally.agreeing(), tally.decided()),
        String.format(Locale.ROOT, "%.6f", tally.medianRadius()),
        String.format(Locale.ROOT, "%.6f", tally.largestRadius()));
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
