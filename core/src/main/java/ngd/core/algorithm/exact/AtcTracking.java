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
import ngd.core.linalg.Eigenvalues;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Gradient tracking that adapts and then combines its estimate alone (NEXT of Di Lorenzo and
 * Scutari 2016 and SONATA of Scutari and Sun 2019, with the loss itself linearised): x ← W (x − α
 * y); y ← W y + g − g₋, y being g in the first round. {@link AugDgm} combines the new gradients
 * too, {@link Diging} neither. It wants a doubly stochastic W.
 */
public record AtcTracking(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<Diging.State> {

  @Override
  public Diging.State start(Rows theta) {
    return new Diging.State(0, theta, null, null);
  }

  @Override
  public Diging.State step(Diging.State s, Exchange exchange, Local local, Draws draws) {
    Rows last = s.gradient() == null ? scales.times(local.gradient(s.theta())) : s.gradient();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta = exchange.mix(s.theta().minus(alpha.at(s.round()), tracker));
    Rows gradient = scales.times(local.gradient(theta));
    return new Diging.State(
        s.round() + 1, theta, exchange.mix(tracker).plus(gradient).minus(last), gradient);
  }

  /** {@code --algorithm atc-tracking}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "atc-tracking",
          "gradient tracking, adapt then combine the estimate alone (NEXT, SONATA)",
          request -> new AtcTracking(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.DOUBLY_STOCHASTIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * Without y it is x ← 2W x − W² x₋ − W αB (x − x₋). For an eigenvalue z with the unit vector v,
     * a = ⟨v, W⁻¹ v⟩, w = ⟨v, W v⟩ and s = α ⟨v, B v⟩, a z² − (2 − s) z + w − s = 0 where W is
     * symmetric. With no eigenvalue of W below 0, a is at least 1 and a + w at least 2, so that no
     * root lies outside the unit circle while s &lt; 2 (Jury); a singular W is the limit of others.
     * Otherwise this is half of what clients with one common Hessian bear, s &lt; (1 − λ²)/|λ|.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      Eigenvalues w = network.mixing();
      if (!w.real()) {
        return new StepLimit(
            w.least(AtcTracking::limit) / 2,
            "c / L",
            "c is half of what the eigenvalues of W allow clients with one common Hessian");
      }
      double smallest = w.smallest();
      return smallest >= 0 || (1 - smallest * smallest) / -2 / smallest >= 2
          ? StepLimit.TWO
          : new StepLimit(
              (1 - smallest * smallest) / -2 / smallest, "(1 − λ²) / 2|λ|L", StepLimit.SMALLEST);
    }
  }

  /** (z − λ)² + αh λ (z − 1): a factor λ of what {@link Diging} has. */
  private static double limit(Eigenvalues.Value lambda) {
    return Tracking.limit(lambda, lambda.real(), lambda.imaginary());
  }
}
