package ngd.studies.paper;

import ngd.studies.grid.CurvesReport;
import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Medians;
import ngd.studies.grid.Presentation;
import ngd.studies.report.Html;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** Medians over iterations, and the claims of the paper: its figures 2 to 4. */
record PaperCurves() implements Presentation {
  @Override
  public Section of(GridStudy study, Results results, Output output) {
    Medians medians = Medians.of(study.layout(), results);
    Html html = new CurvesReport(study, medians, false).write(output);
    html.heading("The claims of the paper");
    CurveClaims.of(medians).forEach(html::claim);
    return new Section(study.title(), html);
  }
}
