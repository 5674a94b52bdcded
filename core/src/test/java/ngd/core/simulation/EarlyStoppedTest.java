package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.EarlyStopped;
import ngd.core.algorithm.descent.Ngd;

class EarlyStoppedTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new EarlyStopped(StepSize.constant(alpha), Integer.MAX_VALUE, GradientScales.NONE);
  }
}
