package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.admm.RelaxedAdmm;
import ngd.core.network.Network;

class RelaxedAdmmTest extends AlgorithmContract<RelaxedAdmm.State> {
  @Override
  protected Algorithm.Rounds<RelaxedAdmm.State> algorithm(double alpha) {
    return new RelaxedAdmm(0.4, 0.8, GradientScales.NONE);
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
