package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.FedAvg;

class FedAvgTest extends RoundsContract<FedAvg.State> {
  @Override
  protected Algorithm.Rounds<FedAvg.State> algorithm(double alpha) {
    return new FedAvg(StepSize.constant(alpha), 0, 2);
  }

  @Override
  protected boolean clientsDiffer() {
    return false;
  }
}
