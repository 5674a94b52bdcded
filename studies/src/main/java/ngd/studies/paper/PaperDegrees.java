package ngd.studies.paper;

import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Presentation;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** The last log(MSE) of every replicate over the networks' degrees: the paper's figure 5. */
record PaperDegrees() implements Presentation {
  @Override
  public Section of(GridStudy study, Results results, Output output) {
    return new DegreesReport(study, results).write(output);
  }
}
