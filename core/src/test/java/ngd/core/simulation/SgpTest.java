package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.pushing.Sgp;

class SgpTest extends AlgorithmContract<Sgp.State> {
  @Override
  protected Algorithm.Rounds<Sgp.State> algorithm(double alpha) {
    return new Sgp(StepSize.constant(alpha), 0, GradientScales.NONE);
  }
}
