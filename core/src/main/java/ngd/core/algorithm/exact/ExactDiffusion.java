package ngd.core.algorithm.exact;

import java.util.List;
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
import org.jspecify.annotations.Nullable;

/**
 * Exact diffusion: adapt, correct, combine (Yuan, Ying, Zhao and Sayed 2018, part I): ψ = x − α g;
 * φ = ψ + x − ψ₋; x ← (I + W) φ / 2. It wants a symmetric W.
 */
public record ExactDiffusion(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<ExactDiffusion.State> {

  /**
   * Where each client stands.
   *
   * @param psi the adapted point of the round before; null in the first round, where it is x itself
   */
  public record State(int round, Rows theta, @Nullable Rows psi) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return psi == null ? List.of(theta) : List.of(theta, psi);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows psi = s.theta().minus(alpha.at(s.round()), scales.times(local.gradient(s.theta())));
    Rows phi = s.psi() == null ? psi : psi.plus(s.theta()).minus(s.psi());
    return new State(s.round() + 1, phi.plus(exchange.mix(phi)).times(0.5), psi);
  }

  /** {@code --algorithm exact-diffusion}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "exact-diffusion",
          "adapt, correct, combine (Yuan, Ying, Zhao, Sayed 2018)",
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
