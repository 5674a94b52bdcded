package ngd.studies;

import ngd.studies.engine.Replicated;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * A study that is repeated with new random numbers: what one replicate computes, and what all of
 * them say. A replicate's result is a fixed number of doubles, so that it can be computed anywhere,
 * stored as it finishes, and found again.
 */
public interface ReplicatedStudy extends Study, Replicated {

  /** R where nobody asks for another number. */
  int defaultReplicates();

  /** The doubles in a replicate's result. */
  int width();

  /** The rounds of algorithms in one replicate, for the speed that a manifest states. */
  long rounds();

  /** The cost of one replicate in about microseconds of a core, for the time that is left. */
  double cost();

  /** Writes tables and figures, and gives this study's part of the report. */
  Section report(Results results, Output output);

  @Override
  default StudyWork in(Workplace place) {
    return new ReplicatedWork(this, place);
  }

  /** R in a workplace. */
  default int replicates(Workplace place) {
    return place.replicates().orElse(defaultReplicates());
  }
}
