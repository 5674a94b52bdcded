package ngd.studies.grid;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import ngd.core.data.PaperModel;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.simulation.Quartiles;
import ngd.studies.figure.CurveFigure;
import ngd.studies.report.Html;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Tables, figures and words for curves over iterations: the paper's figures 2 to 4. */
public final class CurvesReport {
  private static final String GLOBAL = "global";

  /** The most letters of a file's name that say what own data are and their model. */
  private static final int LONGEST = 100;

  /** What the global estimator does not depend on. */
  private static final List<Key<?>> OF_NETWORKS =
      Stream.concat(
              Stream.of(ClientKeys.NETWORK, ClientKeys.WEIGHTS, MethodKeys.ALGORITHM),
              GridKeys.FURTHER.stream().filter(key -> key != ModelKeys.LOSS))
          .toList();

  /** Cells that share a figure. */
  private record Page(Optional<PaperModel> model, String data, int rows, int clients) {}

  private final GridStudy study;
  private final Medians medians;
  private final boolean own;
  private final CurveLabels labels;

  /**
   * A report.
   *
   * @param own whether the table names every axis, as for a user's grid
   */
  public CurvesReport(GridStudy study, Medians medians, boolean own) {
    this.study = study;
    this.medians = medians;
    this.own = own;
    labels = new CurveLabels(medians.cells());
  }

  /** A user's grid: the same in a table that names every axis. */
  static final class Own implements Presentation {
    @java.io.Serial private static final long serialVersionUID = 1L;

    @Override
    public boolean own() {
      return true;
    }

    @Override
    public Section of(GridStudy study, Results results, Output output) {
      Medians medians = Medians.of(study.layout(), results);
      return new Section(study.title(), new CurvesReport(study, medians, true).write(output));
    }
  }

  /** Writes table and figures, and says what they show. */
  public Html write(Output output) {
    output.csv(study.name() + ".csv", header(), this::rows);
    Html html = new Html();
    Map<Page, List<Cell>> pages = new LinkedHashMap<>();
    for (Cell cell : medians.cells()) {
      pages
          .computeIfAbsent(
              new Page(cell.simulated(), cell.data(), cell.rows(), cell.clients()),
              page -> new ArrayList<>())
          .add(cell);
    }
    Set<String> names = new HashSet<>();
    for (Map.Entry<Page, List<Cell>> page : pages.entrySet()) {
      String name =
          fresh(pages.size() == 1 ? study.name() : fileName(page.getValue().getFirst()), names);
      html.figure(
          output.figure(name, figure(page.getValue()).figure(caption(page.getKey()))),
          caption(page.getKey()));
      new CurveWords(medians, page.getValue(), labels, own).describe(html);
    }
    return html;
  }

  /** A figure's file by what its cells share. */
  private String fileName(Cell cell) {
    return "%s-%s-N%d-M%d"
        .formatted(
            study.name(),
            cell.simulated().map(PaperModel::spec).orElseGet(() -> ownName(cell)),
            cell.rows(),
            cell.clients());
  }

  /** Own data by the name of their file and what their models differ in. */
  private String ownName(Cell cell) {
    List<String> words = new ArrayList<>();
    words.add(cell.word(DataKeys.DATA).replaceFirst(".*[/\\\\]", ""));
    words.addAll(labels.model(cell));
    String name = String.join("-", words).replaceAll("[^A-Za-z0-9._-]+", "-");
    return name.substring(0, Math.min(LONGEST, name.length())).replaceFirst("-+$", "");
  }

  /** The same with a number where another figure has that name, also where case does not count. */
  private static String fresh(String name, Set<String> names) {
    String fresh = name;
    for (int i = 2; !names.add(fresh.toLowerCase(Locale.ROOT)); i++) {
      fresh = "%s-%d".formatted(name, i);
    }
    return fresh;
  }

  private String caption(Page page) {
    return ("The median log(MSE)%s over %d replicates by iteration for different step sizes (columns),"
            + " distributions of the data (rows) and networks, %s, N = %s rows on M = %d"
            + " clients. Shaded: the middle half of the replicates.%s")
        .formatted(
            own ? " of " + methods() : "",
            medians.replicates(),
            page.model().map(model -> Titles.title(model) + " regression").orElse(page.data()),
            NumberWords.count(page.rows()),
            page.clients(),
            page.model().isPresent() ? " The dotted line is the global estimator." : "");
  }

  /** The methods of a grid by their names; curves say which is whose where there are several. */
  private String methods() {
    return medians.cells().stream()
        .map(Cell::algorithm)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private CurveFigure figure(List<Cell> cells) {
    CurveFigure figure =
        new CurveFigure(
            cells.stream().map(CurvesReport::column).distinct().toList(),
            cells.stream().map(cell -> cell.arrangement().title()).distinct().toList(),
            cells.stream().map(labels::varied).distinct().toList(),
            cells.stream().anyMatch(cell -> cell.simulated().isPresent()) ? "global estimator" : "",
            "iteration (each column has its own scale)",
            "median log(MSE), middle half shaded",
            false);
    for (Cell cell : cells) {
      List<Quartiles> curve = medians.curve(cell);
      double[] x = new double[curve.size()];
      double[] y = new double[curve.size()];
      double[] low = new double[curve.size()];
      double[] high = new double[curve.size()];
      for (int i = 0; i < x.length; i++) {
        x[i] = cell.round(i);
        y[i] = curve.get(i).median();
        low[i] = curve.get(i).low();
        high[i] = curve.get(i).high();
      }
      figure.band(cell.arrangement().title(), column(cell), labels.varied(cell), x, low, high);
      figure.curve(cell.arrangement().title(), column(cell), labels.varied(cell), x, y);
      if (cell.simulated().isPresent()) {
        figure.reference(cell.arrangement().title(), column(cell), medians.global(cell).median());
      }
    }
    return figure;
  }

  private static String column(Cell cell) {
    return "α = " + cell.alpha();
  }

  private List<String> header() {
    List<String> header = new ArrayList<>(List.of("model"));
    if (own) {
      header.addAll(List.of("rows", "clients"));
    }
    header.add("network");
    if (own) {
      header.addAll(List.of("weights", "algorithm"));
    }
    header.addAll(List.of("partition", "placement"));
    labels.further().forEach(key -> header.add(key.name()));
    header.addAll(List.of("alpha", "iteration", "median_log_mse", "q25", "q75", "replicates"));
    return header;
  }

  private void rows(Output.Rows rows) {
    for (Cell cell : medians.cells()) {
      List<Quartiles> curve = medians.curve(cell);
      for (int i = 0; i < curve.size(); i++) {
        rows.add(row(cell, cell.network(), cell.round(i), curve.get(i)));
      }
    }
    // The global estimator as one more network, the same at every iteration.
    List<Cell> seen = new ArrayList<>();
    for (Cell cell : medians.cells(cell -> cell.simulated().isPresent())) {
      if (seen.stream().noneMatch(other -> other.sameBut(cell, OF_NETWORKS))) {
        seen.add(cell);
        Quartiles global = medians.global(cell);
        for (int i = 0; i < cell.points(); i++) {
          rows.add(row(cell, GLOBAL, cell.round(i), global));
        }
      }
    }
  }

  private List<String> row(Cell cell, String network, int iteration, Quartiles q) {
    boolean global = network.equals(GLOBAL);
    List<String> row = new ArrayList<>();
    row.add(cell.data());
    if (own) {
      row.add(String.valueOf(cell.rows()));
      row.add(String.valueOf(cell.clients()));
    }
    row.add(network);
    if (own) {
      row.add(global ? "" : cell.weights());
      row.add(global ? "" : cell.algorithm());
    }
    row.add(cell.arrangement().partition().spec());
    row.add(cell.arrangement().placement().spec());
    labels
        .further()
        .forEach(key -> row.add(global && OF_NETWORKS.contains(key) ? "" : cell.word(key)));
    row.add(cell.alpha());
    row.add(String.valueOf(iteration));
    row.add(String.valueOf(q.median()));
    row.add(String.valueOf(q.low()));
    row.add(String.valueOf(q.high()));
    row.add(String.valueOf(medians.replicates()));
    return row;
  }
}
