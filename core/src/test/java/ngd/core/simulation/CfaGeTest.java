package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.CfaGe;
import ngd.core.network.Network;

class CfaGeTest extends AlgorithmContract<CfaGe.State> {
  @Override
  protected Algorithm.Rounds<CfaGe.State> algorithm(double alpha) {
    return new CfaGe(StepSize.constant(alpha), 0.5, 0.9, 0, GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }
}
