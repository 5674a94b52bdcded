package ngd.core.question;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;

/**
 * Which step sizes are tried for a method that tunes its own.
 *
 * @param given exactly these; empty where they are found around the method's safe limit
 */
public record StepSearch(List<Double> given) {
  public StepSearch {
    given = List.copyOf(given);
  }

  static StepSearch parse(List<String> words) {
    if (words.equals(List.of("auto"))) {
      return new StepSearch(List.of());
    }
    return new StepSearch(words.stream().map(StepSearch::step).toList());
  }

  private static double step(String word) {
    try {
      if (StepSize.parse(word) instanceof StepSize.Constant(double alpha)) {
        return alpha;
      }
    } catch (InvalidInput e) {
      // Said below, in the words of this key.
    }
    throw new InvalidInput(
        "tune: must be auto, or positive step sizes such as 0.1,0.05,0.01; got `%s`"
            .formatted(word));
  }

  List<String> words() {
    return given.isEmpty() ? List.of("auto") : given.stream().map(StepSize::plain).toList();
  }
}
