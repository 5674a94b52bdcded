package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.exact.Abm;
import ngd.core.network.Network;

class AbmTest extends AlgorithmContract<Abm.State> {
  @Override
  protected Algorithm.Rounds<Abm.State> algorithm(double alpha) {
    return new Abm(StepSize.constant(alpha), 0.3, GradientScales.NONE);
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
