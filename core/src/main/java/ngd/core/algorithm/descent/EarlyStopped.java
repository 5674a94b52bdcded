package ngd.core.algorithm.descent;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Decentralized gradient descent for non-parametric regression, stopped early (Richards and
 * Rebeschini 2019; with random features, Richards, Rebeschini and Rosasco 2020): x ← W (x − α
 * ∇L(x)). Nothing else penalises: the number of iterations is the regulariser, and later rounds
 * leave everything as it is.
 *
 * @param iterations the rounds after which it stops
 */
public record EarlyStopped(StepSize alpha, int iterations, GradientScales scales)
    implements Algorithm.Rounds<Ngd.State> {
  public EarlyStopped {
    if (iterations < 1) {
      throw new InvalidInput("early-stopped: must run at least 1 iteration; got " + iterations);
    }
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    if (s.round() >= iterations) {
      return new Ngd.State(s.round() + 1, s.theta());
    }
    Rows gradient = scales.times(local.gradient(s.theta()));
    return new Ngd.State(
        s.round() + 1, exchange.mix(s.theta().minus(alpha.at(s.round()), gradient)));
  }

  /** {@code --algorithm early-stopped}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "early-stopped",
          "descend, then average; the number of iterations regularises (Richards, Rebeschini 2019)",
          request ->
              new EarlyStopped(
                  request.step(),
                  (int) Math.min(request.parameter(0, Integer.MAX_VALUE), Integer.MAX_VALUE),
                  request.scales()));
      parameters("T");
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
      traits(Trait.TIME_VARYING);
    }
  }

  /** {@code --algorithm atc}: it does not stop. */
  public static final class AdaptThenCombine extends AlgorithmDescriptor {
    public AdaptThenCombine() {
      super(
          "atc",
          "descend, then average: diffusion, adapt then combine (Chen, Sayed 2012)",
          request -> new EarlyStopped(request.step(), Integer.MAX_VALUE, request.scales()));
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
      traits(Trait.TIME_VARYING);
    }
  }
}
