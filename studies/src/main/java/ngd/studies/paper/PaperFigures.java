package ngd.studies.paper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import ngd.core.data.PaperModel;
import ngd.core.question.Question;
import ngd.studies.Study;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import ngd.studies.grid.Arrangement;
import ngd.studies.grid.CurvesReport;
import ngd.studies.grid.Grid;
import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Medians;
import ngd.studies.paper.PaperGrids.Step;
import ngd.studies.report.Html;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * Figures 2 to 5 of the paper, with exactly its sizes.
 *
 * <p>The paper does not say how many iterations it takes. Here a step size α gets c/α rounds, c
 * being 20 for the linear, 44 for the logistic and 1.1 for the Poisson model: the error left by the
 * start shrinks by the same factor in all of them, and the curves are flat at their end.
 */
public final class PaperFigures implements StudyKind {
  private static final Map<String, Supplier<Study>> STUDIES = new LinkedHashMap<>();

  static {
    STUDIES.put("figure2", PaperFigures::figure2);
    STUDIES.put("figure3", PaperFigures::figure3);
    STUDIES.put("figure4", PaperFigures::figure4);
    STUDIES.put("figure5", PaperFigures::figure5);
  }

  @Override
  public List<String> names() {
    return List.copyOf(STUDIES.keySet());
  }

  @Override
  public StudyRequest request(String name, Question options) {
    return new StudyRequest(name, List.of(Objects.requireNonNull(STUDIES.get(name)).get()));
  }

  static GridStudy figure2() {
    return curves(
        "figure2",
        "Figure 2: linear regression",
        PaperModel.LINEAR,
        List.of(
            new Step("0.005", 4000, 50),
            new Step("0.01", 2000, 25),
            new Step("0.02", 1000, 10),
            new Step("0.05", 400, 5)));
  }

  static GridStudy figure3() {
    return curves(
        "figure3",
        "Figure 3: logistic regression",
        PaperModel.LOGISTIC,
        List.of(
            new Step("0.02", 2200, 40),
            new Step("0.05", 880, 16),
            new Step("0.1", 440, 8),
            new Step("0.2", 220, 4)));
  }

  static GridStudy figure4() {
    return curves(
        "figure4",
        "Figure 4: Poisson regression",
        PaperModel.POISSON,
        List.of(
            new Step("0.0002", 5500, 100),
            new Step("0.0003", 3700, 50),
            new Step("0.0005", 2200, 40),
            new Step("0.0008", 1400, 25)));
  }

  private static GridStudy curves(String name, String title, PaperModel model, List<Step> steps) {
    return new GridStudy(
        name,
        title,
        PaperGrids.of(
            model, PaperGrids.ARRANGEMENTS, List.of("circle:1", "fixed:2", "central"), steps),
        PaperFigures::curves,
        PaperGrids.REPLICATES);
  }

  /** Medians over iterations, and the claims of the paper about them. */
  static Section curves(GridStudy study, Results results, Output output) {
    Medians medians = Medians.of(study.layout(), results);
    Html html = new CurvesReport(study, medians, false).write(output);
    html.heading("The claims of the paper");
    CurveClaims.of(medians).forEach(html::claim);
    return new Section(study.title(), html);
  }

  static GridStudy figure5() {
    return new GridStudy(
        "figure5",
        "Figure 5: the degree of fixed-degree networks",
        Grid.joined(
            List.of(
                degrees(PaperModel.LINEAR, Step.last("0.002", 10_000)),
                degrees(PaperModel.LOGISTIC, Step.last("0.02", 2200)),
                degrees(PaperModel.POISSON, Step.last("0.0002", 5500)))),
        (study, results, output) -> new DegreesReport(study, results).write(output),
        PaperGrids.REPLICATES);
  }

  private static Grid degrees(PaperModel model, Step step) {
    return PaperGrids.of(
        model,
        List.of(Arrangement.RANDOM),
        IntStream.rangeClosed(1, 10).mapToObj(d -> "fixed:" + d).toList(),
        List.of(step));
  }
}
