package ngd.core.algorithm;

import java.util.List;
import java.util.Set;

/**
 * An algorithm by name: what it needs, and how it is made from what a person asks for.
 *
 * <p>Each stands in its algorithm's own file and is named in {@code
 * META-INF/services/ngd.core.algorithm.AlgorithmDescriptor}, those of the library and your own
 * alike; then {@code ngd fit --algorithm} knows it.
 */
public interface AlgorithmDescriptor {
  /** The word on the command line. */
  String name();

  /** What it is, in half a line. */
  String summary();

  /** What it may be followed by after a colon, such as {@code E}; empty for nothing. */
  default List<String> parameters() {
    return List.of();
  }

  /** What must hold of the network, the mixing and the loss. */
  default Set<Need> needs() {
    return Set.of();
  }

  default Weighting weighting() {
    return Weighting.NONE;
  }

  /** Whether it must be given a step size. */
  default boolean takesStepSize() {
    return true;
  }

  /** Whether its clients talk through sums over all of them alone, so that no network matters. */
  default boolean central() {
    return false;
  }

  /** Whether it is written as events: each client on its own clock. */
  default boolean asynchronous() {
    return false;
  }

  /**
   * How large a step it bears, derived for quadratic losses; by default that of {@link
   * StepLimit#TWO}. An automatic step size begins at half of it.
   */
  default StepLimit limit(NetworkFacts network) {
    return StepLimit.TWO;
  }

  /**
   * Whether it comes to its target at a constant step size. Where not, it stays away from it by a
   * bias of order α, and an automatic step size falls.
   */
  default boolean exact(AlgorithmChoice choice) {
    return false;
  }

  /** An option of a run that only some algorithms have. */
  enum Option {
    /** The rows of a mini-batch. */
    BATCH,
    /** The gradient steps between two messages. */
    LOCAL_STEPS
  }

  /** The options it has; the others are refused, not ignored. */
  default Set<Option> options() {
    return Set.of();
  }

  /** The rows of a mini-batch where none are asked for, or 0 for all of them. */
  default int usualBatch() {
    return 0;
  }

  /**
   * Whether all it shows of a client's data is one gradient a round, at a point that is known: what
   * a privacy budget can account for.
   */
  default boolean showsGradientsOnly() {
    return false;
  }

  Algorithm<?> make(Request request);

  /**
   * What an algorithm is made from.
   *
   * @param choice what a person asked for
   * @param scales the factors that {@link #weighting} asks for
   * @param linear whether the model is the linear one, half the mean squared error
   */
  record Request(AlgorithmChoice choice, GradientScales scales, boolean linear) {
    /** The step size, which must be there. */
    public StepSize step() {
      return choice.step().given();
    }

    /** The rows of a mini-batch, or 0 for all. */
    public int batch() {
      return choice.batch() == 0 ? choice.descriptor().usualBatch() : choice.batch();
    }

    /** The gradient steps between two messages. */
    public int localSteps() {
      return choice.localSteps();
    }

    /** The i-th number after the colon, or this one where it was left out. */
    public double parameter(int i, double otherwise) {
      return i < choice.parameters().size() ? choice.parameters().get(i) : otherwise;
    }
  }
}
