package ngd.studies.coverage;

import static ngd.studies.report.NumberWords.percent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import ngd.core.data.PaperModel;
import ngd.studies.figure.DotFigure;
import ngd.studies.report.Html;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Table, figure and words for the coverage of intervals. */
record CoverageReport(CoverageStudy study, Results results) {
  /** One coefficient of one model and layout, over all replicates. */
  private record Line(
      PaperModel model,
      CoverageStudy.Layout layout,
      int coefficient,
      double coverage,
      double bias,
      double spread,
      double meanError) {
    double ratio() {
      return meanError / spread;
    }
  }

  Section write(Output output) {
    List<Line> lines = lines();
    output.csv(
        "coverage.csv",
        List.of(
            "model",
            "layout",
            "network",
            "coefficient",
            "truth",
            "coverage",
            "mean_error",
            "empirical_sd",
            "mean_std_error",
            "ratio"),
        rows -> lines.forEach(line -> rows.add(record(line))));
    Html html = new Html();
    html.paragraph(
        "The pooled answer, as ngd fit finds it with nothing set, on N = %s rows of the paper's three models over M = %d sites: rows dealt at random or in the order of the response, sites of equal size or with sizes as 1 : 2 : … : %d, on circle:1 and on central. Every 95 %% interval is held against the true coefficient, and every standard error against the spread of the estimates over %d replicates."
            .formatted(
                NumberWords.count(study.rows()),
                study.clients(),
                study.clients(),
                results.replicates()));
    List<String> layouts = CoverageStudy.LAYOUTS.stream().map(CoverageStudy.Layout::words).toList();
    DotFigure coverage =
        new DotFigure(layouts, List.of("coverage"), "95 %", "sites", "coverage in %", false);
    DotFigure ratios =
        new DotFigure(
            layouts, List.of("ratio"), "equal", "sites", "mean standard error / spread", false);
    List<List<String>> table = new ArrayList<>();
    List<CoverageClaims.Kept> cases = new ArrayList<>();
    for (int m = 0; m < CoverageStudy.MODELS.size(); m++) {
      PaperModel model = CoverageStudy.MODELS.get(m);
      coverage.reference(model.spec(), 95);
      ratios.reference(model.spec(), 1);
      for (int l = 0; l < CoverageStudy.LAYOUTS.size(); l++) {
        CoverageStudy.Layout layout = CoverageStudy.LAYOUTS.get(l);
        List<Line> own =
            lines.stream()
                .filter(line -> line.model() == model && line.layout() == layout)
                .toList();
        double mean = own.stream().mapToDouble(Line::coverage).average().orElse(Double.NaN);
        double least = own.stream().mapToDouble(Line::coverage).min().orElse(Double.NaN);
        double most = own.stream().mapToDouble(Line::coverage).max().orElse(Double.NaN);
        double ratio = own.stream().mapToDouble(Line::ratio).average().orElse(Double.NaN);
        double low = own.stream().mapToDouble(Line::ratio).min().orElse(Double.NaN);
        double high = own.stream().mapToDouble(Line::ratio).max().orElse(Double.NaN);
        coverage.dot(model.spec(), layout.words(), "coverage", 100 * least, 100 * mean, 100 * most);
        ratios.dot(model.spec(), layout.words(), "ratio", low, ratio, high);
        double[] left =
            results.column(CoverageStudy.cell(m, l) + CoverageStudy.WIDEST * CoverageStudy.NUMBERS);
        cases.add(
            new CoverageClaims.Kept(mean, ratio, Arrays.stream(left).max().orElse(Double.NaN)));
        table.add(
            List.of(
                model.spec(),
                layout.words() + ", " + layout.network(),
                percent(mean),
                percent(least),
                percent(most),
                String.format(Locale.ROOT, "%.3f", ratio)));
      }
    }
    html.figure(
        output.figure(
            "coverage", coverage.figure("Coverage of 95 % intervals by model and kind of sites")),
        "How often 95 % intervals cover the truth: the mean over a model's coefficients, with the least and the most of them.");
    html.figure(
        output.figure(
            "coverage-ratio",
            ratios.figure("Mean standard error over empirical spread, by model and kind of sites")),
        "Mean standard error over the estimates' standard deviation: the mean over a model's coefficients, with the least and the most of them.");
    html.table(List.of("model", "sites", "coverage", "least", "most", "mean SE / spread"), table);
    CoverageClaims.of(cases, results.replicates()).forEach(html::claim);
    return new Section("Coverage of the pooled answer's intervals", html);
  }

  private static List<String> record(Line line) {
    return List.of(
        line.model().spec(),
        line.layout().words(),
        line.layout().network(),
        Integer.toString(line.coefficient()),
        Double.toString(line.model().truth()[line.coefficient()]),
        Double.toString(line.coverage()),
        Double.toString(line.bias()),
        Double.toString(line.spread()),
        Double.toString(line.meanError()),
        Double.toString(line.ratio()));
  }

  private List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (int m = 0; m < CoverageStudy.MODELS.size(); m++) {
      PaperModel model = CoverageStudy.MODELS.get(m);
      for (int l = 0; l < CoverageStudy.LAYOUTS.size(); l++) {
        for (int j = 0; j < model.truth().length; j++) {
          int at = CoverageStudy.cell(m, l) + j * CoverageStudy.NUMBERS;
          double[] errors = results.column(at);
          double bias = mean(errors);
          double squares = 0;
          for (double error : errors) {
            squares += (error - bias) * (error - bias);
          }
          lines.add(
              new Line(
                  model,
                  CoverageStudy.LAYOUTS.get(l),
                  j,
                  mean(results.column(at + 2)),
                  bias,
                  Math.sqrt(squares / Math.max(1, errors.length - 1)),
                  mean(results.column(at + 1))));
        }
      }
    }
    return lines;
  }

  static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
