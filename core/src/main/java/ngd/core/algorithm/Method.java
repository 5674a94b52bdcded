package ngd.core.algorithm;

import java.util.List;
import java.util.Set;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;

/**
 * A method by name: what it needs, and how it is made from what a person asks for.
 *
 * <p>A method of your own implements this interface and is named in {@code
 * META-INF/services/ngd.core.algorithm.Method}; then {@code ngd fit --algorithm} knows it like the
 * others.
 */
public interface Method {
  /** The word on the command line. */
  String name();

  /** What it is, in half a line. */
  String summary();

  /** What it may be followed by after a colon, such as {@code E}; empty for nothing. */
  default List<String> parameters() {
    return List.of();
  }

  /** What must hold of the network and the loss. */
  default Set<Need> needs() {
    return Set.of();
  }

  default Weighting weighting() {
    return Weighting.NONE;
  }

  /** Whether it must be told a step size. */
  default boolean takesStepSize() {
    return true;
  }

  /** Whether it is written as events: each client on its own clock. */
  default boolean asynchronous() {
    return false;
  }

  /** The share of the safe α, 2 / max c_m λmax(H_m), at which an automatic step size begins. */
  default double shareOfSafeStep() {
    return 0.5;
  }

  /** An option of a run that only some methods have. */
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

  Algorithm<?> make(Request request);

  /**
   * What a person asked for.
   *
   * @param alpha the step size; null where none was given
   * @param batch the rows of a mini-batch, or 0 for all
   * @param localSteps the gradient steps between two messages
   * @param scales the factors that {@link #weighting} asks for
   * @param linear whether the model is the linear one, half the mean squared error
   * @param parameters the numbers after the colon
   */
  record Request(
      @Nullable StepSize alpha,
      int batch,
      int localSteps,
      GradientScales scales,
      boolean linear,
      List<Double> parameters) {
    public Request {
      parameters = List.copyOf(parameters);
    }

    /** The step size, which must be there. */
    public StepSize step() {
      if (alpha == null) {
        throw new InvalidInput("--alpha: the learning rate must be given");
      }
      return alpha;
    }

    /** The same with another step size. */
    public Request with(StepSize other) {
      return new Request(other, batch, localSteps, scales, linear, parameters);
    }

    /** The i-th number after the colon, or this one where it was left out. */
    public double parameter(int i, double otherwise) {
      return i < parameters.size() ? parameters.get(i) : otherwise;
    }
  }
}
