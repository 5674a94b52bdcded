package ngd.studies.paper;

import java.util.List;
import ngd.core.data.PaperModel;
import ngd.core.question.Question;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import ngd.studies.grid.Grid;
import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Medians;
import ngd.studies.grid.Presentation;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** docs/theory.md, 3: linear at all of the paper's step sizes, the others at their largest. */
public final class Placements implements StudyKind {
  @Override
  public List<String> names() {
    return List.of("placement");
  }

  @Override
  public StudyRequest request(String name, Question options) {
    return new StudyRequest(name, List.of(study()));
  }

  /** The last medians, arrangements side by side. */
  record SideBySide() implements Presentation {
    @Override
    public Section of(GridStudy study, Results results, Output output) {
      Medians medians = new Medians(study.layout(), results);
      return new PlacementsReport(study, medians).write(output);
    }
  }

  static GridStudy study() {
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
                PaperFigures.last(PaperModel.LOGISTIC, "0.2", 220),
                PaperFigures.last(PaperModel.POISSON, "0.0008", 1400)),
            List.of(PaperFigures.ROWS),
            List.of(PaperFigures.CLIENTS),
            PaperFigures.ARRANGEMENTS,
            List.of("circle:1", "fixed:2", "regular:2", "central"),
            List.of("uniform"),
            List.of("ngd")),
        new SideBySide(),
        PaperFigures.REPLICATES);
  }
}
