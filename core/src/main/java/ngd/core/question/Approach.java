package ngd.core.question;

import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.StepChoice;

/** The answer that is wanted: {@code --algorithm}. */
public sealed interface Approach {
  /** The word for the pooled answer. */
  String POOLED = "pooled";

  /** The word for the pooled answer by rounds. */
  String POOLED_ROUNDS = "pooled-rounds";

  /** The words on the command line. */
  String spec();

  /**
   * What the pooled data would give, with standard errors.
   *
   * @param rounds whether clients share their models on the way, and not sums alone
   */
  record Pooled(boolean rounds) implements Approach {
    @Override
    public String spec() {
      return rounds ? POOLED_ROUNDS : POOLED;
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
    return switch (spec.strip()) {
      case POOLED -> new Pooled(false);
      case POOLED_ROUNDS -> new Pooled(true);
      default -> new Method(Algorithms.parse(spec));
    };
  }
}
