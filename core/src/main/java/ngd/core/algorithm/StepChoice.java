package ngd.core.algorithm;

import ngd.core.InvalidInput;

/** The learning rate as it is asked for: given, found by the run itself, or none. */
public sealed interface StepChoice {
  /** The words on the command line. */
  String spec();

  /** A step size, or a schedule of them. */
  record Given(StepSize alpha) implements StepChoice {
    @Override
    public String spec() {
      return alpha.toString();
    }
  }

  /** Found by the run; see {@link AutoStep}. */
  record Auto() implements StepChoice {
    @Override
    public String spec() {
      return "auto";
    }
  }

  /** For algorithms that take none. */
  record None() implements StepChoice {
    @Override
    public String spec() {
      return "none";
    }
  }

  /** Reads {@code auto}, or what {@link StepSize#parse} reads. */
  static StepChoice parse(String text) {
    return text.strip().equals("auto") ? new Auto() : new Given(StepSize.parse(text));
  }

  /** The step size, which must have been given. */
  default StepSize given() {
    if (this instanceof Given(StepSize alpha)) {
      return alpha;
    }
    throw new InvalidInput("alpha: must be given as a number or a schedule; it is " + spec());
  }
}
