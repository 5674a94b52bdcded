package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.HeavyBall;
import ngd.core.network.Network;

class HeavyBallTest extends AlgorithmContract<HeavyBall.State> {
  @Override
  protected Algorithm.Rounds<HeavyBall.State> algorithm(double alpha) {
    return new HeavyBall(StepSize.constant(alpha), 0.3, 0, GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }

  @Override
  protected int manyClients() {
    return FEW_CLIENTS;
  }
}
