package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.personal.ModelPropagation;

class ModelPropagationTest extends RoundsContract<ModelPropagation.State> {
  @Override
  protected Algorithm.Rounds<ModelPropagation.State> algorithm(double alpha) {
    return new ModelPropagation(Math.max(alpha, 0.5), 0.01);
  }

  @Override
  protected int manyClients() {
    return 2000;
  }
}
