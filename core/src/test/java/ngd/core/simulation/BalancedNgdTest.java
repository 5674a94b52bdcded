package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Ngd;

class BalancedNgdTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new BalancedNgd(StepSize.constant(alpha), GradientScales.NONE);
  }
}
