package ngd.core.algorithm.descent;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Balanced network gradient descent: {@link Ngd} with client m's gradient scaled by c_m = (n_m / N)
 * / π_m, π the stationary distribution of W, so that for small α the target is the pooled estimate
 * on every strongly connected network (docs/theory.md, 4).
 */
public record BalancedNgd(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<Ngd.State> {

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Rows mixed = exchange.mix(s.theta());
    Rows gradient = scales.times(local.gradient(mixed));
    return new Ngd.State(s.round() + 1, mixed.minus(alpha.at(s.round()), gradient));
  }

  /** {@code --algorithm balanced-ngd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "balanced-ngd",
          "ngd with gradients scaled by (n/N)/pi; near the pooled estimate",
          request -> new BalancedNgd(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED);
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
      traits(Trait.GRADIENTS_ONLY, Trait.TIME_VARYING);
    }
  }
}
