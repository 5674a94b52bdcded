package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.exact.WangElia;
import ngd.core.network.Network;

class WangEliaTest extends AlgorithmContract<WangElia.State> {
  @Override
  protected Algorithm.Rounds<WangElia.State> algorithm(double alpha) {
    return new WangElia(StepSize.constant(alpha), 0.4, GradientScales.NONE);
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
