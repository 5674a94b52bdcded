package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.LocalSteps;
import ngd.core.algorithm.descent.Ngd;

class LocalStepsTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new LocalSteps(StepSize.constant(alpha), new LocalDescent(0, 3, GradientScales.NONE));
  }
}
