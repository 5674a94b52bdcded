package ngd.studies.coverage;

import static ngd.studies.report.NumberWords.percent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import ngd.core.algorithm.IntervalChoice;
import ngd.studies.figure.DotFigure;
import ngd.studies.report.Html;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Table, figure and words for intervals around averages over rounds. */
record AveragedCoverageReport(AveragedCoverageStudy study, Results results) {
  Section write(Output output) {
    List<String> kinds =
        AveragedCoverageStudy.KINDS.stream().map(IntervalChoice.Kind::word).toList();
    DotFigure figure =
        new DotFigure(kinds, List.of("coverage"), "95 %", "intervals", "coverage in %", false);
    List<List<String>> table = new ArrayList<>();
    List<List<String>> lines = new ArrayList<>();
    List<Double> means = new ArrayList<>();
    for (int s = 0; s < AveragedCoverageStudy.SETTINGS.size(); s++) {
      AveragedCoverageStudy.Setting setting = AveragedCoverageStudy.SETTINGS.get(s);
      int terms = setting.model().truth().length;
      figure.reference(setting.words(), 95);
      double[] widths = new double[kinds.size()];
      for (int k = 0; k < kinds.size(); k++) {
        double[] covered = new double[terms];
        double[] lengths = new double[terms];
        for (int j = 0; j < terms; j++) {
          int at = AveragedCoverageStudy.cell(s, k) + j * CoverageStudy.NUMBERS;
          covered[j] = CoverageReport.mean(results.column(at + 2));
          lengths[j] = CoverageReport.mean(results.column(at + 1));
          lines.add(
              List.of(
                  setting.model().spec(),
                  setting.algorithm(),
                  setting.alpha(),
                  kinds.get(k),
                  Integer.toString(j),
                  Double.toString(covered[j]),
                  Double.toString(CoverageReport.mean(results.column(at))),
                  Double.toString(lengths[j])));
        }
        double mean = CoverageReport.mean(covered);
        double least = Arrays.stream(covered).min().orElse(Double.NaN);
        double most = Arrays.stream(covered).max().orElse(Double.NaN);
        widths[k] = CoverageReport.mean(lengths);
        means.add(mean);
        figure.dot(setting.words(), kinds.get(k), "coverage", 100 * least, 100 * mean, 100 * most);
        table.add(
            List.of(
                setting.words() + ", alpha " + setting.alpha(),
                kinds.get(k),
                percent(mean),
                percent(least),
                percent(most),
                String.format(Locale.ROOT, "%.2f", widths[k] / widths[0])));
      }
    }
    output.csv(
        "coverage-averaged.csv",
        List.of(
            "model",
            "algorithm",
            "alpha",
            "intervals",
            "coefficient",
            "coverage",
            "mean_error",
            "mean_length"),
        rows -> lines.forEach(rows::add));
    Html html = new Html();
    html.paragraph(
        "Averages over %s rounds of decentralized SGD, %d clients on ring:1 with Metropolis weights, %d rows of a client in a round, every row of N = %s used once. Plug-in intervals leave a quarter of the rounds out, random scaling none. Every 95 %% interval is held against the true coefficient."
            .formatted(
                NumberWords.count(study.steps()),
                study.clients(),
                study.batch(),
                NumberWords.count(study.rows())));
    html.figure(
        output.figure(
            "coverage-averaged",
            figure.figure("Coverage of 95 % intervals around averages over rounds")),
        "How often 95 % intervals cover the truth: the mean over a model's coefficients, with the least and the most of them.");
    html.table(
        List.of("model", "intervals", "coverage", "least", "most", "length over plug-in"), table);
    html.claim(CoverageClaims.averaged(means, results.replicates()));
    return new Section("Coverage of intervals around averages over rounds", html);
  }
}
