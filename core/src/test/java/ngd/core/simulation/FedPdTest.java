package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.FedPd;

class FedPdTest extends RoundsContract<FedPd.State> {
  private static final LocalDescent TWO = new LocalDescent(0, 2, GradientScales.NONE);

  @Override
  protected Algorithm.Rounds<FedPd.State> algorithm(double alpha) {
    return new FedPd(StepSize.constant(alpha), 1, 0.3, TWO);
  }

  /** Clients that average in every round are alike. */
  @Override
  protected Algorithm.Rounds<FedPd.State> withoutDraws(double alpha) {
    return new FedPd(StepSize.constant(alpha), 1, 0, TWO);
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
