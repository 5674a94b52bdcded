package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.compressed.Lead;
import ngd.core.codec.Codec;
import ngd.core.network.Network;

class LeadTest extends AlgorithmContract<Lead.State> {
  @Override
  protected Algorithm.Rounds<Lead.State> algorithm(double alpha) {
    return new Lead(StepSize.constant(alpha), 0.8, 0.5, new Codec.Full(), 0, GradientScales.NONE);
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
