package ngd.studies;

import java.io.Serializable;
import java.util.Map;
import ngd.core.random.Streams;

/**
 * An experiment that is repeated with new random numbers: what one replicate computes, and what all
 * of them say.
 *
 * <p>A replicate is a pure function of the study, the seed and its index. Its result is a fixed
 * number of doubles, so that it can be computed anywhere, stored as it finishes, and found again. A
 * study travels to other processes, hence serializable.
 */
public sealed interface Study extends Serializable
    permits GridStudy, NetworkStudy, OverparameterisedStudy, CoverageStudy {

  /** The stem of its files. */
  String name();

  /** Everything that determines a replicate, in words and numbers, for the manifest. */
  Map<String, Object> settings();

  /** R where nobody asks for another number. */
  int defaultReplicates();

  /** The doubles in a replicate's result. */
  int width();

  /** The rounds of algorithms in one replicate, for the speed that a manifest states. */
  long rounds();

  /** The cost of one replicate in some unit common to all studies, for the time that is left. */
  double cost();

  /** One replicate, on the calling thread. */
  double[] replicate(Streams streams);

  /** Writes tables and figures, and gives this study's part of the report. */
  Section report(Results results, Output output);
}
