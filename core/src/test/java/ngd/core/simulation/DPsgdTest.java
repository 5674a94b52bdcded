package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.DPsgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.network.Network;

class DPsgdTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new DPsgd(StepSize.constant(alpha), 4, GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return lazy(network);
  }
}
