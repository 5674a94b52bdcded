package ngd.core.algorithm.descent;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Decentralized parallel stochastic gradient descent: {@link Dgd} on mini-batches (Lian, Zhang,
 * Zhang, Hsieh, Zhang and Liu 2017): x ← W x − α ∇L(x; ξ).
 *
 * @param batch the rows of a mini-batch
 */
public record DPsgd(StepSize alpha, int batch, GradientScales scales)
    implements Algorithm.Rounds<Ngd.State> {
  public DPsgd {
    if (batch < 1) {
      throw new InvalidInput("d-psgd: the batch must be at least 1 row; got " + batch);
    }
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Rows gradient = scales.times(local.batch(batch, s.round()).gradient(s.theta()));
    return new Ngd.State(
        s.round() + 1, exchange.mix(s.theta()).minus(alpha.at(s.round()), gradient));
  }

  /** {@code --algorithm d-psgd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "d-psgd",
          "dgd on mini-batches (Lian et al. 2017)",
          request -> new DPsgd(request.step(), request.batch(), request.scales()));
      needs(Need.APERIODIC);
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
      traits(Trait.TIME_VARYING, Trait.AVERAGED_NORMAL);
      options(Option.BATCH);
      usualBatch(10);
    }

    @Override
    public StepLimit limit(NetworkFacts network) {
      return Dgd.limit(network);
    }
  }
}
