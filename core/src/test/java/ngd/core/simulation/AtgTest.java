package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.admm.Atg;
import ngd.core.network.Network;

class AtgTest extends AlgorithmContract<Atg.State> {
  @Override
  protected Algorithm.Rounds<Atg.State> algorithm(double alpha) {
    return new Atg(StepSize.constant(alpha), 0.3, 0.6, 1, GradientScales.NONE);
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
