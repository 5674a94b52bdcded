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
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Exact diffusion: adapt, correct, combine (Yuan, Ying, Zhao and Sayed 2019, part I): ψ = x − α g;
 * φ = ψ + x − ψ₋; x ← (I + W) φ / 2. A state keeps ψ₋. It wants a symmetric W.
 */
public record ExactDiffusion(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<D2.State> {

  @Override
  public D2.State start(Rows theta) {
    return new D2.State(0, theta, null);
  }

  @Override
  public D2.State step(D2.State s, Exchange exchange, Local local, Draws draws) {
    Rows psi = s.theta().minus(alpha.at(s.round()), scales.times(local.gradient(s.theta())));
    Rows phi = s.before() == null ? psi : psi.plus(s.theta()).minus(s.before());
    return new D2.State(s.round() + 1, phi.plus(exchange.mix(phi)).times(0.5), psi);
  }

  /** {@code --algorithm exact-diffusion}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "exact-diffusion",
          "adapt, correct, combine (Yuan, Ying, Zhao, Sayed 2019)",
          request -> new ExactDiffusion(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * For an eigenvalue z with the vector v, m z² − (2 − s) z + 1 − s = 0 with m = ⟨v, W̃⁻¹ v⟩ ≥ 1,
     * W̃ = (I + W)/2, and s = α ⟨v, B v⟩: no root lies outside the unit circle while s &lt; 2.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return StepLimit.TWO;
    }
  }
}
