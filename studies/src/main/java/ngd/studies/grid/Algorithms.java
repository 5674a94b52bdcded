package ngd.studies.grid;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;

/** The algorithms that a study can name: all that run in rounds. */
final class Algorithms {
  private Algorithms() {}

  static void require(String words) {
    AlgorithmDescriptor method = ngd.core.algorithm.Algorithms.parse(words).descriptor();
    if (method.asynchronous()) {
      throw new InvalidInput(
          "algorithm `%s`: has no rounds, which a study's curves are drawn over"
              .formatted(method.name()));
    }
  }

  /** The algorithm for a step size; refuses a network or loss that it cannot work on. */
  static Algorithm.Rounds<?> of(
      String words, StepSize alpha, Network network, Objective objective) {
    AlgorithmChoice choice = AlgorithmChoice.of(words, new StepChoice.Given(alpha));
    Suitability suitability = new Suitability(network, objective.loss(), new Mixing.Mean());
    suitability.require(choice);
    return choice.rounds(
        suitability.scales(choice.descriptor(), objective.shards().rowsArray()),
        objective.loss() instanceof Linear);
  }
}
