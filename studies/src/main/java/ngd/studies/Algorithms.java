package ngd.studies;

import java.util.List;
import ngd.core.Vocabulary;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Ngd;
import ngd.core.algorithm.StepSize;

/** The algorithms that a study can name. */
final class Algorithms {
  private static final Vocabulary WORDS = new Vocabulary("algorithm", List.of("ngd"));

  private Algorithms() {}

  static void require(String words) {
    WORDS.parameters(words);
  }

  static Algorithm.Rounds<?> of(String words, StepSize alpha) {
    require(words);
    return new Ngd(alpha);
  }
}
