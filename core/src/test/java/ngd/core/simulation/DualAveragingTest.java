package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.DualAveraging;
import ngd.core.network.Network;

class DualAveragingTest extends RoundsContract<DualAveraging.State> {
  @Override
  protected Algorithm.Rounds<DualAveraging.State> algorithm(double alpha) {
    return new DualAveraging(StepSize.constant(alpha), GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }
}
