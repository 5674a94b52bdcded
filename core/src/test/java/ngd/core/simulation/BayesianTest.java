package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.bayesian.Bayesian;
import ngd.core.network.Network;

class BayesianTest extends RoundsContract<Bayesian.State> {
  @Override
  protected Algorithm.Rounds<Bayesian.State> algorithm(double alpha) {
    return new Bayesian(1, Math.max(0.01, alpha), GradientScales.NONE);
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
