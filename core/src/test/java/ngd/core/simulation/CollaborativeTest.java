package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.personal.Collaborative;
import ngd.core.network.Network;

class CollaborativeTest extends AlgorithmContract<Collaborative.State> {
  @Override
  protected Algorithm.Rounds<Collaborative.State> algorithm(double alpha) {
    return new Collaborative(1, Math.max(1, alpha), GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }

  @Override
  protected int manyClients() {
    return 2000;
  }
}
