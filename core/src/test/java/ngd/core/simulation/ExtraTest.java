package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.exact.Extra;
import ngd.core.network.Network;

class ExtraTest extends AlgorithmContract<Extra.State> {
  @Override
  protected Algorithm.Rounds<Extra.State> algorithm(double alpha) {
    return new Extra(StepSize.constant(alpha), GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }
}
