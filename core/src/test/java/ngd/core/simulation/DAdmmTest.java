package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.admm.DAdmm;
import ngd.core.algorithm.admm.DualState;
import ngd.core.network.Network;

class DAdmmTest extends AlgorithmContract<DualState> {
  @Override
  protected Algorithm.Rounds<DualState> algorithm(double alpha) {
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
