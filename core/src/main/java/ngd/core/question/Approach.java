package ngd.core.question;

import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.StepChoice;

/** The answer that is wanted: {@code --algorithm}. */
public sealed interface Approach {
  /** The word for the pooled answer. */
  String POOLED = "pooled";

  /** The words on the command line. */
  String spec();

  /** What the pooled data would give, with standard errors. */
  record Pooled() implements Approach {
    @Override
    public String spec() {
      return POOLED;
    }
  }

  /** What an algorithm comes to. */
  record Method(Algorithms.Named algorithm) implements Approach {
    @Override
    public String spec() {
      return new AlgorithmChoice(
              algorithm.descriptor(), algorithm.parameters(), new StepChoice.None(), 0, 1)
          .spec();
    }
  }

  static Approach parse(String spec) {
    return spec.strip().equals(POOLED) ? new Pooled() : new Method(Algorithms.parse(spec));
  }
}
