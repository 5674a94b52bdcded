package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.bayesian.MeanField;

class MeanFieldTest extends RoundsContract<MeanField.State> {
  @Override
  protected Algorithm.Rounds<MeanField.State> algorithm(double alpha) {
    return new MeanField(StepSize.constant(alpha), 1, 0.01, GradientScales.NONE);
  }

  @Override
  protected int manyClients() {
    return 2000;
  }
}
