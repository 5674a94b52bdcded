package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.compressed.Choco;
import ngd.core.codec.Codec;
import ngd.core.network.Network;

class ChocoTest extends AlgorithmContract<Choco.State> {
  @Override
  protected Algorithm.Rounds<Choco.State> algorithm(double alpha) {
    return new Choco(StepSize.constant(alpha), 0.4, new Codec.Top(2), 0, GradientScales.NONE);
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
