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
 * Aug-DGM, gradient tracking that adapts and then combines (Xu, Zhu, Soh and Xie 2015, with one
 * step size for all): x ← W (x − α y); y ← W (y + g − g₋), y being g in the first round. It wants a
 * doubly stochastic W.
 */
public record AugDgm(StepSize alpha, GradientScales scales)
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
        s.round() + 1, theta, exchange.mix(tracker.plus(gradient).minus(last)), gradient);
  }

  /** {@code --algorithm aug-dgm}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "aug-dgm",
          "gradient tracking, adapt then combine (Xu, Zhu, Soh, Xie 2015)",
          request -> new AugDgm(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.DOUBLY_STOCHASTIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * Without y it is x ← 2W x − W² x₋ − W² αB (x − x₋). For an eigenvalue z with the unit vector
     * v, a = ‖W⁻¹ v‖², b = ⟨v, W⁻¹ v⟩ and s = α ⟨v, B v⟩, a z² − (2b − s) z + 1 − s = 0 where W is
     * symmetric: no root lies outside the unit circle while s &lt; ‖(I + W⁻¹) v‖² / 2 and s &lt; 1
     * + a (Jury). The first is at least (1 + 1/λ)²/2 for the smallest eigenvalue λ where that is
     * negative, and both are at least 2 where none is below −1/3. A singular W is the limit of
     * others.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      Eigenvalues w = network.mixing();
      if (!w.real()) {
        return new StepLimit(
            w.least(AugDgm::limit) / 2,
            "c / L",
            "c is half of what the eigenvalues of W allow clients with one common Hessian");
      }
      double smallest = w.smallest();
      return smallest >= -1.0 / 3
          ? StepLimit.TWO
          : new StepLimit(
              (1 + 1 / smallest) * (1 + 1 / smallest) / 2, "(1 + 1/λ)² / 2L", StepLimit.SMALLEST);
    }
  }

  /** (z − λ)² + αh λ² (z − 1): a factor λ² of what {@link Diging} has. */
  private static double limit(Eigenvalues.Value lambda) {
    double re = lambda.real();
    double im = lambda.imaginary();
    return Tracking.limit(lambda, re * re - im * im, 2 * re * im);
  }
}
