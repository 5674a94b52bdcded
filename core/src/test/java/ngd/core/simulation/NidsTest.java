package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.exact.Nids;
import ngd.core.network.Network;

class NidsTest extends AlgorithmContract<Nids.State> {
  @Override
  protected Algorithm.Rounds<Nids.State> algorithm(double alpha) {
    return new Nids(StepSize.constant(alpha), false, GradientScales.NONE);
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
