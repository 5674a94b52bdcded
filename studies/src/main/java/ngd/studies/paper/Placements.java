package ngd.studies.paper;

import java.util.List;
import ngd.core.data.PaperModel;
import ngd.core.question.Question;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import ngd.studies.grid.Grid;
import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Medians;
import ngd.studies.paper.PaperGrids.Step;

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

  static GridStudy study() {
    return new GridStudy(
        "placement",
        "Placement: who gets which piece of sorted data",
        Grid.joined(
            List.of(
                grid(
                    PaperModel.LINEAR,
                    Step.last("0.005", 4000),
                    Step.last("0.01", 2000),
                    Step.last("0.02", 1000),
                    Step.last("0.05", 400)),
                grid(PaperModel.LOGISTIC, Step.last("0.2", 220)),
                grid(PaperModel.POISSON, Step.last("0.0008", 1400)))),
        (study, results, output) ->
            new PlacementsReport(study, Medians.of(study.layout(), results)).write(output),
        PaperGrids.REPLICATES);
  }

  private static Grid grid(PaperModel model, Step... steps) {
    return PaperGrids.of(
        model,
        PaperGrids.ARRANGEMENTS,
        List.of("circle:1", "fixed:2", "regular:2", "central"),
        List.of(steps));
  }
}
