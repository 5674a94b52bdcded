package ngd.studies.paper;

import static ngd.studies.report.NumberWords.count;
import static ngd.studies.report.NumberWords.number;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.data.PaperModel;
import ngd.core.simulation.Quartiles;
import ngd.studies.figure.BoxFigure;
import ngd.studies.grid.Cell;
import ngd.studies.grid.GridLayout;
import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Titles;
import ngd.studies.report.Html;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Table, figure and words for the last log(MSE) over degrees: the paper's figure 5. */
final class DegreesReport {
  private final GridStudy study;
  private final GridLayout layout;
  private final Results results;

  /** The places of each model's cells, in the order of their degrees. */
  private final Map<PaperModel, List<Integer>> models = new LinkedHashMap<>();

  DegreesReport(GridStudy study, Results results) {
    this.study = study;
    layout = study.layout();
    this.results = results;
    for (int c = 0; c < layout.cells().size(); c++) {
      models.computeIfAbsent(layout.cells().get(c).model(), _ -> new ArrayList<>()).add(c);
    }
  }

  Section write(Output output) {
    output.csv(
        study.name() + ".csv", List.of("model", "degree", "replicate", "log_mse"), this::rows);
    Html html = new Html();
    BoxFigure figure = new BoxFigure("in-degree D", "log(MSE)");
    List<String> header = new ArrayList<>(List.of("model", "α", "rounds", "global"));
    List<List<String>> table = new ArrayList<>();
    List<DegreeClaims.Degrees> medians = new ArrayList<>();
    models.forEach(
        (_, places) -> {
          DegreeClaims.Degrees one = medians(places, figure);
          medians.add(one);
          table.add(row(layout.cells().get(places.getFirst()), one));
        });
    models.values().iterator().next().forEach(c -> header.add("D = " + degree(c)));
    String caption =
        "The log(MSE) of %d replicates for fixed-degree networks by in-degree D, random data. The dark grey box is the global estimator."
            .formatted(results.replicates());
    html.figure(output.figure(study.name(), figure.figure(caption)), caption);
    html.paragraph(
        "The data are distributed at random (the paper does not say which distribution it used here) and every run starts at 0; the medians:");
    html.table(header, table);
    html.heading("The claims of the paper");
    DegreeClaims.of(medians).forEach(html::claim);
    return new Section(study.title(), html);
  }

  private String degree(int place) {
    String network = layout.cells().get(place).network();
    return network.substring(network.indexOf(':') + 1);
  }

  private static List<String> row(Cell first, DegreeClaims.Degrees degrees) {
    List<String> row = new ArrayList<>();
    row.add(degrees.model());
    row.add(first.alpha());
    row.add(count(first.rounds()));
    row.add(number(degrees.global()));
    degrees.medians().forEach(median -> row.add(number(median)));
    return row;
  }

  /** One model's medians, and its panel. */
  private DegreeClaims.Degrees medians(List<Integer> places, BoxFigure figure) {
    List<BoxFigure.Box> boxes = new ArrayList<>();
    for (int c : places) {
      boxes.add(box(degree(c), results.column(layout.last(c)), false));
    }
    List<Double> medians = boxes.stream().map(BoxFigure.Box::median).toList();
    Cell first = layout.cells().get(places.getFirst());
    BoxFigure.Box global = box("global", results.column(layout.global(first)), true);
    boxes.add(global);
    String model = Titles.title(first.model());
    figure.panel("%s, α = %s".formatted(model, first.alpha()), boxes);
    return new DegreeClaims.Degrees(model, global.median(), medians);
  }

  private static BoxFigure.Box box(String label, double[] values, boolean dark) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    Quartiles q = Quartiles.of(values);
    return BoxFigure.Box.of(label, sorted, q.low(), q.median(), q.high(), dark);
  }

  private void rows(Output.Rows rows) {
    models.forEach(
        (model, places) -> {
          int global = layout.global(layout.cells().get(places.getFirst()));
          rows(rows, model, "0", results.column(global));
          places.forEach(c -> rows(rows, model, degree(c), results.column(layout.last(c))));
        });
  }

  private static void rows(Output.Rows rows, PaperModel model, String degree, double[] values) {
    for (int r = 0; r < values.length; r++) {
      rows.add(List.of(model.spec(), degree, String.valueOf(r), String.valueOf(values[r])));
    }
  }
}
