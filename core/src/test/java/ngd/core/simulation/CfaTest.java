package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Cfa;
import ngd.core.algorithm.descent.Ngd;

class CfaTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new Cfa(StepSize.constant(alpha), 0.5, 0, GradientScales.NONE);
  }
}
