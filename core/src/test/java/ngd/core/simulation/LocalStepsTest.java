package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.LocalSteps;
import ngd.core.algorithm.Ngd;
import ngd.core.algorithm.StepSize;

class LocalStepsTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new LocalSteps(StepSize.constant(alpha), 0, 3);
  }
}
