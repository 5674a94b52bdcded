package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.reduced.GtSaga;
import ngd.core.network.Network;

class GtSagaTest extends AlgorithmContract<GtSaga.State> {
  @Override
  protected Algorithm.Rounds<GtSaga.State> algorithm(double alpha) {
    return new GtSaga(StepSize.constant(alpha), 3, GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }

  @Override
  protected Algorithm.Rounds<GtSaga.State> withoutDraws(double alpha) {
    return new GtSaga(StepSize.constant(alpha), 1, GradientScales.NONE);
  }
}
