package ngd.studies.grid;

import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** A user's grid: medians over iterations, in a table that names every axis. */
public record OwnCurves() implements Presentation {
  @Override
  public Section of(GridStudy study, Results results, Output output) {
    Medians medians = Medians.of(study.layout(), results);
    return new Section(study.title(), new CurvesReport(study, medians, true).write(output));
  }
}
