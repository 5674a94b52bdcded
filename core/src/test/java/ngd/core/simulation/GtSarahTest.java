package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.reduced.Anchored;
import ngd.core.network.Network;

class GtSarahTest extends AlgorithmContract<Anchored.State> {
  @Override
  protected Algorithm.Rounds<Anchored.State> algorithm(double alpha) {
    return new Anchored(StepSize.constant(alpha), true, 4, 2, GradientScales.NONE);
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
