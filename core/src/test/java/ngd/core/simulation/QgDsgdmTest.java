package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.QgDsgdm;
import ngd.core.network.Network;

class QgDsgdmTest extends AlgorithmContract<QgDsgdm.State> {
  @Override
  protected Algorithm.Rounds<QgDsgdm.State> algorithm(double alpha) {
    return new QgDsgdm(StepSize.constant(alpha), 0.8, 0.9, 0, GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }

  @Override
  protected int manyClients() {
    return FEW_CLIENTS;
  }
}
