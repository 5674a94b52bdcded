package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.local.Led;
import ngd.core.network.Network;

class LedTest extends AlgorithmContract<Led.State> {
  @Override
  protected Algorithm.Rounds<Led.State> algorithm(double alpha) {
    return new Led(StepSize.constant(alpha), 0, new LocalDescent(0, 2, GradientScales.NONE));
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
