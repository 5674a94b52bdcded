package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.exact.AtcTracking;
import ngd.core.algorithm.exact.Diging;
import ngd.core.network.Network;

class AtcTrackingTest extends AlgorithmContract<Diging.State> {
  @Override
  protected Algorithm.Rounds<Diging.State> algorithm(double alpha) {
    return new AtcTracking(StepSize.constant(alpha), GradientScales.NONE);
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
