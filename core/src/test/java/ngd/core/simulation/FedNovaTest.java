package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.FedNova;

class FedNovaTest extends RoundsContract<FedNova.State> {
  @Override
  protected Algorithm.Rounds<FedNova.State> algorithm(double alpha) {
    return new FedNova(StepSize.constant(alpha), 2, new LocalDescent(3, 1, GradientScales.NONE));
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
