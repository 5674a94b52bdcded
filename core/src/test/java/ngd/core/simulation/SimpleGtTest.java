package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.exact.SimpleGt;
import ngd.core.network.Network;

class SimpleGtTest extends AlgorithmContract<SimpleGt.State> {
  @Override
  protected Algorithm.Rounds<SimpleGt.State> algorithm(double alpha) {
    return new SimpleGt(StepSize.constant(alpha), GradientScales.NONE);
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
