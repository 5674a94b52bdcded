package ngd.studies;

import java.util.List;
import java.util.stream.IntStream;
import ngd.core.data.PaperModel;

/**
 * The paper's studies and those of docs/theory.md, with exactly the paper's sizes.
 *
 * <p>The paper does not say how many iterations it takes. Here a step size α gets c/α rounds, c
 * being 20 for the linear, 44 for the logistic and 1.1 for the Poisson model: the error left by the
 * start shrinks by the same factor in all of them, and the curves are flat at their end.
 */
final class NamedStudies {
  private static final int ROWS = 10_000;
  private static final int CLIENTS = 200;
  private static final int REPLICATES = 500;

  private static final List<Arrangement> ARRANGEMENTS =
      List.of(Arrangement.RANDOM, Arrangement.SORTED, Arrangement.SORTED_DEALT);

  private NamedStudies() {}

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
        GridStudy.Presentation.CURVES,
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
        GridStudy.Presentation.DEGREES,
        REPLICATES);
  }

  /** A model of which only the end is wanted. */
  private static Grid.ModelAxis last(PaperModel model, String alpha, int rounds) {
    return new Grid.ModelAxis(model, List.of(new Grid.Step(alpha, rounds, rounds)));
  }

  /** docs/theory.md, 3: linear at all of the paper's step sizes, the others at their largest. */
  static GridStudy placement() {
    return new GridStudy(
        "placement",
        "Placement: who gets which piece of sorted data",
        new Grid(
            List.of(
                new Grid.ModelAxis(
                    PaperModel.LINEAR,
                    List.of(
                        new Grid.Step("0.005", 4000, 4000),
                        new Grid.Step("0.01", 2000, 2000),
                        new Grid.Step("0.02", 1000, 1000),
                        new Grid.Step("0.05", 400, 400))),
                last(PaperModel.LOGISTIC, "0.2", 220),
                last(PaperModel.POISSON, "0.0008", 1400)),
            List.of(ROWS),
            List.of(CLIENTS),
            ARRANGEMENTS,
            List.of("circle:1", "fixed:2", "regular:2", "central"),
            List.of("uniform"),
            List.of("ngd")),
        GridStudy.Presentation.PLACEMENTS,
        REPLICATES);
  }

  /** Sizes around the paper's M; degrees as in its figure 5. */
  static NetworkStudy networks() {
    return new NetworkStudy(List.of(50, 100, 200), List.of(1, 2, 3, 4, 6, 8, 10), 100);
  }

  static OverparameterisedStudy overparameterised() {
    return new OverparameterisedStudy(20, 3, 5000, 3, REPLICATES);
  }

  /** Small enough for many replicates, large enough for the normal approximation. */
  static CoverageStudy coverage() {
    return new CoverageStudy(2000, 20, 200);
  }
}
