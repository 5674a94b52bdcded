package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.FedAvg;
import ngd.core.algorithm.federated.FedProx;

class FedProxTest extends RoundsContract<FedAvg.State> {
  @Override
  protected Algorithm.Rounds<FedAvg.State> algorithm(double alpha) {
    return new FedProx(StepSize.constant(alpha), 0.2, new LocalDescent(0, 2, GradientScales.NONE));
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
