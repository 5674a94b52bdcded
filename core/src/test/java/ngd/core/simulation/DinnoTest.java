package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.admm.Dinno;
import ngd.core.algorithm.admm.DualState;
import ngd.core.network.Network;

class DinnoTest extends AlgorithmContract<DualState> {
  @Override
  protected Algorithm.Rounds<DualState> algorithm(double alpha) {
    return new Dinno(StepSize.constant(alpha), 0.3, new LocalDescent(0, 2, GradientScales.NONE));
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
