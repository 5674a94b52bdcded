package ngd.core.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.Oracles;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Oracle: {@code oracles/steps}, limits by an independent program, and the step sizes at which an
 * eigenvalue of the exact iteration leaves the unit circle.
 */
class OracleStepLimitTest {
  /** A name with its parameters, and after a space the local steps. */
  private static AlgorithmChoice choice(String name) {
    String[] words = name.split(" ", -1);
    AlgorithmChoice one = AlgorithmChoice.of(words[0], new StepChoice.Auto());
    return new AlgorithmChoice(
        one.descriptor(),
        one.parameters(),
        one.step(),
        0,
        words.length > 1 ? Integer.parseInt(words[1]) : 1);
  }

  @Test
  void limit_everyProblem_isTheIndependentPrograms() {
    List<Oracles.Case> problems = Oracles.steps().toList();
    assertThat(problems).hasSizeGreaterThan(50);
    for (Oracles.Case problem : problems) {
      JsonNode rows = problem.json().get("w");
      double[][] w = new double[rows.size()][];
      for (int m = 0; m < w.length; m++) {
        w[m] = Oracles.numbers(rows.get(m));
      }
      Suitability suitability = new Suitability(Network.of(w), new Linear(), new Mixing.Mean());
      for (var expected : problem.json().get("limits").properties()) {
        String name = expected.getKey();
        double number = expected.getValue().doubleValue();
        StepLimit found = suitability.limit(choice(name));
        assertThat(found.number()).as(name).isCloseTo(number, within(1e-9));
        assertThat(found.number())
            .as(name)
            .isLessThan(problem.json().get("critical").get(name).doubleValue() * (1 + 1e-5));
      }
    }
  }
}
