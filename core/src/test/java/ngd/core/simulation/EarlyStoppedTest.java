package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.EarlyStopped;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Ngd;
import ngd.core.algorithm.StepSize;

class EarlyStoppedTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new EarlyStopped(StepSize.constant(alpha), Integer.MAX_VALUE, GradientScales.NONE);
  }
}
