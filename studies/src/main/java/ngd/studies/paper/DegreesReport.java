package ngd.studies.paper;

import static ngd.studies.report.NumberWords.number;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.data.PaperModel;
import ngd.studies.figure.BoxFigure;
import ngd.studies.grid.Cell;
import ngd.studies.grid.Grid;
import ngd.studies.grid.GridLayout;
import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Titles;
import ngd.studies.report.Claim;
import ngd.studies.report.Html;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Output;
import ngd.studies.report.Quartiles;
import ngd.studies.report.Section;
import ngd.studies.report.Verdict;
import ngd.studies.store.Results;

/** Table, figure and words for the last log(MSE) over degrees: the paper's figure 5. */
final class DegreesReport {
  /** A gap in median log(MSE) below this, a quarter more MSE, counts as comparable. */
  private static final double COMPARABLE = 0.25;

  /** Medians this near count as equal. */
  private static final double EQUAL = 0.05;

  /** The degree from which on the paper finds nothing left to gain. */
  private static final int ENOUGH = 6;

  private final GridStudy study;
  private final GridLayout layout;
  private final Results results;

  DegreesReport(GridStudy study, Results results) {
    this.study = study;
    layout = study.layout();
    this.results = results;
  }

  Section write(Output output) {
    output.csv(
        study.name() + ".csv", List.of("model", "degree", "replicate", "log_mse"), this::rows);
    Html html = new Html();
    BoxFigure figure = new BoxFigure("in-degree D", "log(MSE)");
    List<String> header = new ArrayList<>(List.of("model", "α", "rounds", "global"));
    List<List<String>> table = new ArrayList<>();
    List<Summary> summaries = new ArrayList<>();
    for (Grid.ModelAxis axis : study.grid().models()) {
      Summary summary = summary(axis, figure);
      summaries.add(summary);
      table.add(summary.row());
    }
    degreesOf(PaperModel.LINEAR).forEach(d -> header.add("D = " + d));
    String caption =
        "The log(MSE) of %d replicates for fixed-degree networks by in-degree D, random data. The dark grey box is the global estimator."
            .formatted(results.replicates());
    html.figure(output.figure(study.name(), figure.figure(caption)), caption);
    html.paragraph(
        "The data are distributed at random (the paper does not say which distribution it used here) and every run starts at 0; the medians:");
    html.table(header, table);
    html.heading("The claims of the paper");
    claims(html, summaries);
    return new Section(study.title(), html);
  }

  private List<Integer> degreesOf(PaperModel model) {
    return layout.cells().stream()
        .filter(cell -> cell.model() == model)
        .map(DegreesReport::degree)
        .toList();
  }

  private static int degree(Cell cell) {
    return Integer.parseInt(cell.network().substring(cell.network().indexOf(':') + 1));
  }

  /** The medians of one model, the global estimator's apart. */
  private record Summary(Grid.ModelAxis axis, double global, List<Double> medians) {
    String model() {
      return Titles.title(axis.model());
    }

    List<String> row() {
      List<String> row = new ArrayList<>();
      row.add(model());
      row.add(axis.steps().getFirst().alpha());
      row.add(NumberWords.count(axis.steps().getFirst().rounds()));
      row.add(number(global));
      medians.forEach(median -> row.add(number(median)));
      return row;
    }

    /** How much lower the median is at degree D than at D − 1. */
    double drop(int degree) {
      return medians.get(degree - 2) - medians.get(degree - 1);
    }
  }

  private Summary summary(Grid.ModelAxis axis, BoxFigure figure) {
    List<BoxFigure.Box> boxes = new ArrayList<>();
    List<Double> medians = new ArrayList<>();
    double global = 0;
    for (int c = 0; c < layout.cells().size(); c++) {
      Cell cell = layout.cells().get(c);
      if (cell.model() == axis.model()) {
        BoxFigure.Box box =
            box(String.valueOf(degree(cell)), results.column(layout.last(c)), false);
        boxes.add(box);
        medians.add(box.median());
        global = layout.global(cell);
      }
    }
    BoxFigure.Box reference = box("global", results.column((int) global), true);
    boxes.add(reference);
    figure.panel(
        "%s, α = %s".formatted(Titles.title(axis.model()), axis.steps().getFirst().alpha()), boxes);
    return new Summary(axis, reference.median(), medians);
  }

  private static BoxFigure.Box box(String label, double[] values, boolean dark) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    Quartiles q = Quartiles.of(values);
    return BoxFigure.Box.of(label, sorted, q.low(), q.median(), q.high(), dark);
  }

  private void claims(Html html, List<Summary> summaries) {
    int improved = 0;
    int steps = 0;
    int greatly = 0;
    int close = 0;
    List<String> drops = new ArrayList<>();
    List<String> gaps = new ArrayList<>();
    List<String> ends = new ArrayList<>();
    for (Summary s : summaries) {
      int largest = s.medians().size();
      for (int d = 2; d <= largest; d++) {
        steps++;
        improved += s.drop(d) >= -EQUAL ? 1 : 0;
      }
      greatly += largest > 2 && s.drop(2) > 2 * s.drop(3) ? 1 : 0;
      drops.add(
          "%s %s from 1 to 2, then %s from 2 to 3"
              .formatted(s.model(), number(s.drop(2)), number(largest > 2 ? s.drop(3) : 0)));
      double gap = s.medians().get(Math.min(ENOUGH, largest) - 1) - s.global();
      close += gap < COMPARABLE ? 1 : 0;
      gaps.add(
          "%s %s at D = %d (a factor of %s in MSE) and %s at D = %d"
              .formatted(
                  s.model(),
                  number(gap),
                  Math.min(ENOUGH, largest),
                  number(Math.exp(gap)),
                  number(s.medians().getLast() - s.global()),
                  largest));
      ends.add(
          "%s from %s to %s"
              .formatted(s.model(), number(s.medians().getFirst()), number(s.medians().getLast())));
    }
    html.claim(
        new Claim(
            "as the in-degree increases, the statistical efficiency of the resulting estimator improves",
            Verdict.of(improved, steps),
            "The median rose by no more than %s in %d of %d steps from one degree to the next; from D = 1 to the largest: %s."
                .formatted(EQUAL, improved, steps, String.join("; ", ends))));
    html.claim(
        new Claim(
            "the median log(MSE) decreases greatly when the in-degree increases from 1 to 2",
            Verdict.of(greatly, summaries.size()),
            "The fall: %s. It counts as great where it is more than twice the next one."
                .formatted(String.join("; ", drops))));
    html.claim(
        new Claim(
            "when the in-degree is no less than 6, the statistical efficiency of the resulting NGD estimator becomes very comparable with that of the global estimator",
            Verdict.of(close, summaries.size()),
            "Above the global estimator's median: %s. Below %s counts as comparable. What remains is the networks' imbalance: SE²(W) is about 1/D."
                .formatted(String.join("; ", gaps), COMPARABLE)));
  }

  private void rows(Output.Rows rows) {
    for (Grid.ModelAxis axis : study.grid().models()) {
      boolean first = true;
      for (int c = 0; c < layout.cells().size(); c++) {
        Cell cell = layout.cells().get(c);
        if (cell.model() != axis.model()) {
          continue;
        }
        if (first) {
          rows(rows, cell.model(), 0, results.column(layout.global(cell)));
          first = false;
        }
        rows(rows, cell.model(), degree(cell), results.column(layout.last(c)));
      }
    }
  }

  private static void rows(Output.Rows rows, PaperModel model, int degree, double[] values) {
    for (int r = 0; r < values.length; r++) {
      rows.add(
          List.of(
              model.spec(), String.valueOf(degree), String.valueOf(r), String.valueOf(values[r])));
    }
  }
}
