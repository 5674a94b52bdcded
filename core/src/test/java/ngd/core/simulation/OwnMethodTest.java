package ngd.core.simulation;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepSize;
import ngd.library.SmoothedNgd;

/** The worked example of {@code docs/algorithms.md} passes the contract like the others. */
class OwnMethodTest extends AlgorithmContract<SmoothedNgd.Smoothed> {
  @Override
  protected Algorithm.Rounds<SmoothedNgd.Smoothed> algorithm(double alpha) {
    return new SmoothedNgd.Rounds(StepSize.constant(alpha), 0, 0.2);
  }
}
