package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.compressed.Beer;
import ngd.core.codec.Codec;
import ngd.core.network.Network;

class BeerTest extends AlgorithmContract<Beer.State> {
  @Override
  protected Algorithm.Rounds<Beer.State> algorithm(double alpha) {
    return new Beer(StepSize.constant(alpha), 0.3, new Codec.Top(2), GradientScales.NONE);
  }

  @Override
  protected Network suited(Network network) {
    return symmetric(network);
  }

  @Override
  protected int manyClients() {
    return 20_000;
  }
}
