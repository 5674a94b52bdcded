package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.Scaffold;

class ScaffoldTest extends RoundsContract<Scaffold.State> {
  @Override
  protected Algorithm.Rounds<Scaffold.State> algorithm(double alpha) {
    return new Scaffold(StepSize.constant(alpha), 1, new LocalDescent(0, 2, GradientScales.NONE));
  }

  @Override
  protected boolean clientsDiffer() {
    return false;
  }
}
