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
import ngd.studies.grid.Grid;
import ngd.studies.grid.GridStudy;

/**
 * Figures 2 to 5 of the paper, with exactly its sizes.
 *
 * <p>The paper does not say how many iterations it takes. Here a step size α gets c/α rounds, c
 * being 20 for the linear, 44 for the logistic and 1.1 for the Poisson model: the error left by the
 * start shrinks by the same factor in all of them, and the curves are flat at their end.
 */
public final class PaperFigures implements StudyKind {
  static final int ROWS = 10_000;
  static final int CLIENTS = 200;
  static final int REPLICATES = 500;

  static final List<Arrangement> ARRANGEMENTS =
      List.of(Arrangement.RANDOM, Arrangement.SORTED, Arrangement.SORTED_DEALT);

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
        new Grid.ModelAxis(
            PaperModel.LINEAR,
            List.of(
                new Grid.Step("0.005", 4000, 50),
                new Grid.Step("0.01", 2000, 25),
                new Grid.Step("0.02", 1000, 10),
                new Grid.Step("0.05", 400, 5))));
  }

  static GridStudy figure3() {
    return curves(
        "figure3",
        "Figure 3: logistic regression",
        new Grid.ModelAxis(
            PaperModel.LOGISTIC,
            List.of(
                new Grid.Step("0.02", 2200, 40),
                new Grid.Step("0.05", 880, 16),
                new Grid.Step("0.1", 440, 8),
                new Grid.Step("0.2", 220, 4))));
  }

  static GridStudy figure4() {
    return curves(
        "figure4",
        "Figure 4: Poisson regression",
        new Grid.ModelAxis(
            PaperModel.POISSON,
            List.of(
                new Grid.Step("0.0002", 5500, 100),
                new Grid.Step("0.0003", 3700, 50),
                new Grid.Step("0.0005", 2200, 40),
                new Grid.Step("0.0008", 1400, 25))));
  }

  private static GridStudy curves(String name, String title, Grid.ModelAxis model) {
    return new GridStudy(
        name,
        title,
        new Grid(
            List.of(model),
            List.of(ROWS),
            List.of(CLIENTS),
            ARRANGEMENTS,
            List.of("circle:1", "fixed:2", "central"),
            List.of("uniform"),
            List.of("ngd")),
        new PaperCurves(),
        REPLICATES);
  }

  static GridStudy figure5() {
    return new GridStudy(
        "figure5",
        "Figure 5: the degree of fixed-degree networks",
        new Grid(
            List.of(
                last(PaperModel.LINEAR, "0.002", 10_000),
                last(PaperModel.LOGISTIC, "0.02", 2200),
                last(PaperModel.POISSON, "0.0002", 5500)),
            List.of(ROWS),
            List.of(CLIENTS),
            List.of(Arrangement.RANDOM),
            IntStream.rangeClosed(1, 10).mapToObj(d -> "fixed:" + d).toList(),
            List.of("uniform"),
            List.of("ngd")),
        new PaperDegrees(),
        REPLICATES);
  }

  /** A model of which only the end is wanted. */
  static Grid.ModelAxis last(PaperModel model, String alpha, int rounds) {
    return new Grid.ModelAxis(model, List.of(new Grid.Step(alpha, rounds, rounds)));
  }
}
