package ngd.studies;

import java.util.List;
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

  /** How its page begins, a paragraph each: what is studied, and by which method. */
  default List<String> opening() {
    return List.of(
        "Network gradient descent (NGD): M clients, no server; in every round each client averages the estimates of the clients it hears and takes a gradient step of size α on its own data. The figures show the natural logarithm of the mean squared error over clients, MSE = ‖θ* − θ0*‖²/M, against the true parameter.",
        "Section numbers and quotations are those of the paper (Wu, Huang and Wang, Network Gradient Descent Algorithm for Decentralized Federated Learning).");
  }

  /** Writes tables and figures, and gives this study's part of the report. */
  Section report(Results results, Output output);

  /** What a person should know of the replicates, a line each. */
  default List<String> warnings(Results results) {
    return List.of();
  }

  /** Writes every replicate's numbers as a table, where they have names; says whether they have. */
  default boolean replicateTable(Results results, Output output) {
    return false;
  }

  @Override
  default StudyWork in(Workplace place) {
    return new ReplicatedWork(this, place);
  }

  /** R in a workplace. */
  default int replicates(Workplace place) {
    return place.replicates().orElse(defaultReplicates());
  }
}
