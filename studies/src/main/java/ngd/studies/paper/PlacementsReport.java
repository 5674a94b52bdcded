package ngd.studies.paper;

import static ngd.studies.report.NumberWords.number;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import ngd.core.data.PaperModel;
import ngd.core.simulation.Quartiles;
import ngd.studies.figure.DotFigure;
import ngd.studies.grid.Arrangement;
import ngd.studies.grid.Cell;
import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Medians;
import ngd.studies.grid.Titles;
import ngd.studies.report.Html;
import ngd.studies.report.Output;
import ngd.studies.report.Section;

/** Table, figures and words for what placement does to sorted data (docs/theory.md, 3). */
record PlacementsReport(GridStudy study, Medians medians) {
  Section write(Output output) {
    output.csv(
        study.name() + ".csv",
        List.of(
            "model",
            "network",
            "partition",
            "placement",
            "alpha",
            "iteration",
            "median_log_mse",
            "q25",
            "q75",
            "replicates"),
        this::rows);
    Html html = new Html();
    html.paragraph(
        "Sorting the rows by response gives each client a piece of alike rows. Laid along the clients in order, neighbours on a circle hold neighbouring pieces and a gradient walks through one end of the data before it meets the other; dealt out at random, every stretch of the network holds a sample of all. The partition is the same, the answer is not.");
    for (boolean linear : new boolean[] {true, false}) {
      List<Cell> cells = medians.cells(cell -> (cell.model() == PaperModel.LINEAR) == linear);
      String caption =
          "The last median log(MSE) of %d replicates with its middle half, by network and distribution of the data, %s."
              .formatted(
                  medians.replicates(),
                  linear ? "linear regression" : "logistic and Poisson regression");
      html.figure(
          output.figure(
              linear ? study.name() : study.name() + "-other-models",
              figure(cells, linear).figure(caption)),
          caption);
    }
    html.table(header(), table());
    words(html);
    html.heading("Claims");
    PlacementClaims.of(medians).forEach(html::claim);
    return new Section(study.title(), html);
  }

  private List<Arrangement> arrangements() {
    return medians.cells().stream().map(Cell::arrangement).distinct().toList();
  }

  private static String kind(Cell cell) {
    return cell.network().replaceFirst(":.*", "");
  }

  private DotFigure figure(List<Cell> cells, boolean linear) {
    DotFigure figure =
        new DotFigure(
            cells.stream().map(PlacementsReport::kind).distinct().toList(),
            arrangements().stream().map(Arrangement::title).toList(),
            "global estimator",
            "network (circle: D = 1; fixed-degree and regular: D = 2)",
            "median log(MSE)",
            !linear);
    for (Cell cell : cells) {
      String panel = (linear ? "" : Titles.title(cell.model()) + ", ") + "α = " + cell.alpha();
      Quartiles q = medians.last(cell);
      figure.dot(panel, kind(cell), cell.arrangement().title(), q.low(), q.median(), q.high());
      figure.reference(panel, medians.global(cell).median());
    }
    return figure;
  }

  private List<String> header() {
    List<String> header = new ArrayList<>(List.of("model", "α", "network"));
    arrangements().forEach(arrangement -> header.add(arrangement.title()));
    return header;
  }

  private List<List<String>> table() {
    List<List<String>> rows = new ArrayList<>();
    for (Cell cell : medians.cells(c -> c.arrangement().equals(arrangements().getFirst()))) {
      List<String> row = new ArrayList<>();
      row.add(Titles.title(cell.model()));
      row.add(cell.alpha());
      row.add(Titles.title(cell.network()));
      for (Arrangement arrangement : arrangements()) {
        row.add(number(medians.last(at(cell, arrangement)).median()));
      }
      rows.add(row);
    }
    return rows;
  }

  private Cell at(Cell like, Arrangement arrangement) {
    return medians
        .cells(
            cell ->
                cell.model() == like.model()
                    && cell.alpha().equals(like.alpha())
                    && cell.network().equals(like.network())
                    && cell.arrangement().equals(arrangement))
        .getFirst();
  }

  private void words(Html html) {
    Cell circle =
        medians
            .cells(c -> c.model() == PaperModel.LINEAR && c.network().equals("circle:1"))
            .getLast();
    html.paragraph(
        "On the circle at α = %s the linear model ends at %s with sorted data in order, at %s with the same pieces dealt out at random, and at %s with random data."
            .formatted(
                circle.alpha(),
                number(medians.last(at(circle, Arrangement.SORTED)).median()),
                number(medians.last(at(circle, Arrangement.SORTED_DEALT)).median()),
                number(medians.last(at(circle, Arrangement.RANDOM)).median())));
    List<String> best = new ArrayList<>();
    for (Arrangement arrangement : arrangements()) {
      Cell lowest =
          medians
              .cells(
                  cell ->
                      cell.model() == PaperModel.LINEAR
                          && cell.alpha().equals(circle.alpha())
                          && cell.arrangement().equals(arrangement)
                          && !cell.network().startsWith("regular"))
              .stream()
              .min(Comparator.comparingDouble(cell -> medians.last(cell).median()))
              .orElseThrow();
      best.add(
          "%s (%s) with data %s"
              .formatted(
                  Titles.title(lowest.network()),
                  number(medians.last(lowest).median()),
                  arrangement.title()));
    }
    html.paragraph(
        "The best of the paper's three networks there is %s.".formatted(String.join(", ", best)));
    List<String> smallest = new ArrayList<>();
    Cell slow =
        medians
            .cells(c -> c.model() == PaperModel.LINEAR && c.network().equals("circle:1"))
            .getFirst();
    for (Arrangement arrangement : arrangements()) {
      smallest.add(
          "%s (%s)"
              .formatted(
                  number(medians.last(at(slow, arrangement)).median()), arrangement.title()));
    }
    html.paragraph(
        "At α = %s the circle ends at %s. The bias that placement leaves shrinks with α."
            .formatted(slow.alpha(), String.join(", ", smallest)));
  }

  private void rows(Output.Rows rows) {
    for (Cell cell : medians.cells()) {
      rows.add(row(cell, cell.network(), medians.last(cell)));
      if (cell.network().equals(medians.cells().getLast().network())) {
        rows.add(row(cell, "global", medians.global(cell)));
      }
    }
  }

  private List<String> row(Cell cell, String network, Quartiles q) {
    return List.of(
        cell.model().spec(),
        network,
        cell.arrangement().partition().spec(),
        cell.arrangement().placement().spec(),
        cell.alpha(),
        String.valueOf(cell.rounds()),
        String.valueOf(q.median()),
        String.valueOf(q.low()),
        String.valueOf(q.high()),
        String.valueOf(medians.replicates()));
  }
}
