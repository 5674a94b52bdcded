package ngd.studies.grid;

import java.io.Serializable;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** What is made of a grid's curves. It travels with its study, hence serializable. */
public interface Presentation extends Serializable {
  /** Whether the grid is a user's, and not the paper's. */
  default boolean own() {
    return false;
  }

  /** Writes tables and figures, and gives the study's part of the report. */
  Section of(GridStudy study, Results results, Output output);
}
