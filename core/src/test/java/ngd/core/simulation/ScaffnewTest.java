package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.federated.Scaffnew;
import ngd.core.algorithm.local.ProxSkip;

class ScaffnewTest extends RoundsContract<ProxSkip.State> {
  @Override
  protected Algorithm.Rounds<ProxSkip.State> algorithm(double alpha) {
    return new Scaffnew(StepSize.constant(alpha), 0.5, GradientScales.NONE);
  }

  @Override
  protected int manyClients() {
    return FEW_CLIENTS;
  }
}
