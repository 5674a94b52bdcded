package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.reduced.GtVr;
import ngd.core.network.Network;

class GtVrTest extends AlgorithmContract<GtVr.State> {
  @Override
  protected Algorithm.Rounds<GtVr.State> algorithm(double alpha) {
    return new GtVr(StepSize.constant(alpha), 0.3, 2, GradientScales.NONE);
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
