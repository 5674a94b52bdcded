package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepSize;
import ngd.core.network.Network;
import ngd.library.HeavyBall;

/** The worked example of {@code docs/algorithms.md} passes the contract like the others. */
class OwnMethodTest extends AlgorithmContract<HeavyBall.Momentum> {
  @Override
  protected Algorithm.Rounds<HeavyBall.Momentum> algorithm(double alpha) {
    return new HeavyBall.Rounds(StepSize.constant(alpha), 0.3);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }
}
