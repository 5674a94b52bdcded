package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.pushing.PushDiging;

class PushDigingTest extends AlgorithmContract<PushDiging.State> {
  @Override
  protected Algorithm.Rounds<PushDiging.State> algorithm(double alpha) {
    return new PushDiging(StepSize.constant(alpha), GradientScales.NONE);
  }
}
