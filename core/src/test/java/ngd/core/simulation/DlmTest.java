package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.admm.Dlm;
import ngd.core.algorithm.admm.DualState;
import ngd.core.network.Network;

class DlmTest extends AlgorithmContract<DualState> {
  @Override
  protected Algorithm.Rounds<DualState> algorithm(double alpha) {
    return new Dlm(StepSize.constant(alpha), 0.3, GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }
}
