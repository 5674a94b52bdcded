package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.FedLt;

class FedLtTest extends RoundsContract<FedLt.State> {
  private static final LocalDescent TWO = new LocalDescent(0, 2, GradientScales.NONE);

  @Override
  protected Algorithm.Rounds<FedLt.State> algorithm(double alpha) {
    return new FedLt(StepSize.constant(alpha), 1, TWO, new ClientSelection.All());
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
