package ngd.core.algorithm.exact;

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
import ngd.core.algorithm.descent.Dgd;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * EXTRA, the exact first-order algorithm (Shi, Ling, Wu and Yin 2015): the difference of two rounds
 * of {@link Dgd}, the older with W̃ = (I + W) / 2: x ← x + W x − W̃ x₋ − α g + α₋ g₋, and W x − α g
 * in the first round. A state keeps W̃ x₋ − α₋ g₋. It wants a symmetric W.
 */
public record Extra(StepSize alpha, GradientScales scales) implements Algorithm.Rounds<D2.State> {

  @Override
  public D2.State start(Rows theta) {
    return new D2.State(0, theta, null);
  }

  @Override
  public D2.State step(D2.State s, Exchange exchange, Local local, Draws draws) {
    Rows gradient = scales.times(local.gradient(s.theta()));
    Rows mixed = exchange.mix(s.theta());
    Rows descended = mixed.minus(alpha.at(s.round()), gradient);
    Rows next = s.before() == null ? descended : descended.plus(s.theta()).minus(s.before());
    Rows before = descended.plus(0.5, s.theta().minus(mixed));
    return new D2.State(s.round() + 1, next, before);
  }

  /** {@code --algorithm extra}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "extra",
          "exact first-order algorithm (Shi, Ling, Wu, Yin 2015)",
          request -> new Extra(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * For an eigenvalue z with the unit vector v, w = ⟨v, W v⟩ and s = α ⟨v, B v⟩, z² − (1 + w − s)
     * z + (1 + w)/2 − s = 0: no root lies outside the unit circle while s &lt; (5 + 3w)/4 (Jury),
     * and w is at least the smallest eigenvalue. Shi et al. prove 1 + w for all convex losses.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return new StepLimit(
          (5 + 3 * network.mixing().smallest()) / 4, "(5 + 3λ) / 4L", StepLimit.SMALLEST);
    }
  }
}
