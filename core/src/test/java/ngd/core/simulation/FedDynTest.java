package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.FedDyn;

class FedDynTest extends RoundsContract<FedDyn.State> {
  @Override
  protected Algorithm.Rounds<FedDyn.State> algorithm(double alpha) {
    return new FedDyn(
        StepSize.constant(alpha),
        1,
        new LocalDescent(0, 2, GradientScales.NONE),
        new ClientSelection.All());
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
