package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.FedAvg;

class FedAvgTest extends RoundsContract<FedAvg.State> {
  @Override
  protected Algorithm.Rounds<FedAvg.State> algorithm(double alpha) {
    return new FedAvg(StepSize.constant(alpha), new LocalDescent(0, 2, GradientScales.NONE));
  }

  @Override
  protected boolean clientsDiffer() {
    return false;
  }
}
