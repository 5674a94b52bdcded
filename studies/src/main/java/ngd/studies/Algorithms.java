package ngd.studies;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.world.Suitability;

/** The algorithms that a study can name: all that run in rounds. */
final class Algorithms {
  private Algorithms() {}

  static void require(String words) {
    Method method = ngd.core.algorithm.Algorithms.parse(words).method();
    if (method.asynchronous()) {
      throw new InvalidInput(
          "algorithm `%s`: has no rounds, which a study's curves are drawn over"
              .formatted(method.name()));
    }
  }

  /** The algorithm for a step size; refuses a network or loss that it cannot work on. */
  static Algorithm.Rounds<?> of(
      String words, StepSize alpha, Network network, Objective objective) {
    require(words);
    ngd.core.algorithm.Algorithms.Named named = ngd.core.algorithm.Algorithms.parse(words);
    Suitability suitability = new Suitability(network, objective.loss());
    suitability.require(named.method());
    return ngd.core.algorithm.Algorithms.rounds(
        named.method(),
        new Method.Request(
            alpha,
            0,
            1,
            suitability.scales(named.method(), objective.shards().rowsArray()),
            objective.loss() instanceof Linear,
            named.parameters()));
  }
}
