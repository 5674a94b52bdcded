package ngd.studies.trust;

import static ngd.studies.report.NumberWords.percent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import ngd.studies.figure.DotFigure;
import ngd.studies.report.Claim;
import ngd.studies.report.Html;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.report.Verdict;
import ngd.studies.store.Results;

/** Table, figure and words on whom clients suspect. */
record IdentificationReport(IdentificationStudy study, Results results) {
  /** Mean and sampling error over replicates. */
  record Estimate(double mean, double error) {
    static Estimate of(double[] values) {
      double mean = Arrays.stream(values).average().orElse(Double.NaN);
      double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
      int n = values.length;
      return new Estimate(mean, n < 2 ? Double.NaN : Math.sqrt(squares / (n - 1) / n));
    }
  }

  private Estimate estimate(int c, int number) {
    return Estimate.of(results.column(c * IdentificationStudy.NUMBERS + number));
  }

  /** Whether the realised rate is the nominal one or less, but for two sampling errors. */
  static boolean holds(Estimate wrong, double rate) {
    return !(wrong.mean() - 2 * wrong.error() > rate) && !Double.isNaN(wrong.mean());
  }

  Section write(Output output) {
    List<IdentificationStudy.Case> cases = IdentificationStudy.CASES;
    List<List<String>> lines = new ArrayList<>();
    List<List<String>> table = new ArrayList<>();
    List<String> quiet = new ArrayList<>();
    int promised = 0;
    int held = 0;
    int lying = 0;
    int found = 0;
    DotFigure figure =
        new DotFigure(
            IntStream.rangeClosed(1, cases.size()).mapToObj(Integer::toString).toList(),
            List.of("honest among suspects", "liars found", "cannot tell"),
            "asked for",
            "case",
            "mean share in %",
            false);
    figure.reference("", 100 * study.rate());
    for (int c = 0; c < cases.size(); c++) {
      IdentificationStudy.Case one = cases.get(c);
      Estimate[] all = {estimate(c, 0), estimate(c, 1), estimate(c, 2)};
      promised += one.beyond() ? 0 : 1;
      held += !one.beyond() && holds(all[0], study.rate()) ? 1 : 0;
      boolean robust = one.attack().isPresent() && !one.mixing().equals("mean") && !one.beyond();
      lying += robust ? 1 : 0;
      found += robust && all[1].mean() >= 0.8 ? 1 : 0;
      if (robust && all[1].mean() < 0.8) {
        quiet.add("%s (%s)".formatted(one.attack().get(), percent(all[1].mean())));
      }
      List<String> line = new ArrayList<>(List.of(one.words()));
      List<String> row = new ArrayList<>(List.of(Integer.toString(c + 1), one.words()));
      List<String> series = List.of("honest among suspects", "liars found", "cannot tell");
      for (int i = 0; i < all.length; i++) {
        line.add(Double.toString(all[i].mean()));
        line.add(Double.toString(all[i].error()));
        row.add(Double.isNaN(all[i].mean()) ? "" : percent(all[i].mean()));
        if (!Double.isNaN(all[i].mean())) {
          double reach = Double.isNaN(all[i].error()) ? 0 : 200 * all[i].error();
          double mean = 100 * all[i].mean();
          figure.dot("", Integer.toString(c + 1), series.get(i), mean - reach, mean, mean + reach);
        }
      }
      lines.add(line);
      table.add(row);
    }
    output.csv(
        "identification.csv",
        List.of(
            "case",
            "false_discovery_rate",
            "fdr_error",
            "power",
            "power_error",
            "withheld",
            "withheld_error"),
        rows -> lines.forEach(rows::add));
    Html html = new Html();
    html.paragraph(
        "The clients of the study of rules above; %d lie. At the end every client names the neighbours whose estimates its own %d rows contradict, at a false-discovery rate of %s. Shares are means over honest clients and %d replicates; liars found are those whom a client hears."
            .formatted(
                study.attackers(),
                TrustStudy.ROWS / TrustStudy.CLIENTS,
                percent(study.rate()),
                results.replicates()));
    html.figure(
        output.figure("identification", figure.figure("Whom clients suspect")),
        "Mean shares with two sampling errors on each side, by the number of the case in the table; dotted, the rate that was asked for.");
    html.table(List.of("", "case", "honest among suspects", "liars found", "cannot tell"), table);
    html.claim(
        new Claim(
            "Of those named, at most %s are honest, while no client hears more liars than its rule of mixing bears, or its own estimate tells it"
                .formatted(percent(study.rate())),
            Verdict.of(held, promised),
            "%d of %d cases, within two sampling errors".formatted(held, promised)));
    html.claim(
        new Claim(
            "Where mixing is robust, at least 80 % of the liars whom a client hears are named",
            Verdict.of(found, lying),
            "%d of %d attacks; evaded by %s"
                .formatted(found, lying, quiet.isEmpty() ? "none" : String.join(", ", quiet))));
    return new Section("Liars named with a false-discovery rate", html);
  }
}
