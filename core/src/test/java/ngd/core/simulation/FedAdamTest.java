package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.FedAdam;

class FedAdamTest extends RoundsContract<FedAdam.State> {
  @Override
  protected Algorithm.Rounds<FedAdam.State> algorithm(double alpha) {
    return new FedAdam(
        StepSize.constant(alpha),
        FedAdam.Rule.ADAM,
        0.1,
        0.9,
        0.99,
        0.001,
        new LocalDescent(0, 2, GradientScales.NONE));
  }

  @Override
  protected int manyClients() {
    return FEW_CLIENTS;
  }

  @Override
  protected boolean clientsDiffer() {
    return false;
  }
}
