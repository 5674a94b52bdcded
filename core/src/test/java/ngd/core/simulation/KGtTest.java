package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.local.KGt;
import ngd.core.network.Network;

class KGtTest extends AlgorithmContract<KGt.State> {
  @Override
  protected Algorithm.Rounds<KGt.State> algorithm(double alpha) {
    return new KGt(StepSize.constant(alpha), 1, new LocalDescent(0, 2, GradientScales.NONE));
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }
}
