package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.exact.D2;
import ngd.core.algorithm.exact.ExactDiffusion;
import ngd.core.network.Network;

class ExactDiffusionTest extends AlgorithmContract<D2.State> {
  @Override
  protected Algorithm.Rounds<D2.State> algorithm(double alpha) {
    return new ExactDiffusion(StepSize.constant(alpha), GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }
}
