package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.admm.DAdmm;
import ngd.core.network.Network;

class DAdmmTest extends AlgorithmContract<DAdmm.State> {
  @Override
  protected Algorithm.Rounds<DAdmm.State> algorithm(double alpha) {
    return new DAdmm(0.2, GradientScales.NONE);
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
