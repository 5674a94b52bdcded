package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.local.ProxSkip;
import ngd.core.network.Network;

class ProxSkipTest extends AlgorithmContract<ProxSkip.State> {
  @Override
  protected Algorithm.Rounds<ProxSkip.State> algorithm(double alpha) {
    return new ProxSkip(StepSize.constant(alpha), 0.5, 0.5, GradientScales.NONE);
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
