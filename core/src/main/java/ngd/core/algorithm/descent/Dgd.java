package ngd.core.algorithm.descent;

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
 * Decentralized gradient descent: average what you hear, and descend along the gradient at your own
 * point (Yuan, Ling and Yin 2016): x ← W x − α ∇L(x).
 */
public record Dgd(StepSize alpha, GradientScales scales) implements Algorithm.Rounds<Ngd.State> {

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Rows gradient = scales.times(local.gradient(s.theta()));
    return new Ngd.State(
        s.round() + 1, exchange.mix(s.theta()).minus(alpha.at(s.round()), gradient));
  }

  /**
   * An eigenvalue of W − αB with the unit vector v is ⟨v, W v⟩ − α ⟨v, B v⟩, B holding the scaled
   * Hessians. With detailed balance ⟨v, W v⟩ is real (in the inner product by the stationary
   * distribution), at least the smallest eigenvalue of W, and at most 1. Of any W, Gershgorin's
   * circles give twice the smallest weight on oneself. Otherwise |λ − αL| &lt; 1 must hold for each
   * eigenvalue λ, which is enough where W and its transpose commute; for the others it is halved:
   * in oracles/step_oracle.py no problem needed less.
   */
  static StepLimit limit(NetworkFacts network) {
    Eigenvalues w = network.mixing();
    if (w.real()) {
      return new StepLimit(1 + w.smallest(), "(1 + λ) / L", StepLimit.SMALLEST);
    }
    double least = w.least(one -> one.real() + Math.sqrt(1 - square(one.imaginary())));
    double self = network.leastSelfWeight();
    return 4 * self >= Math.min(2, least)
        ? new StepLimit(2 * self, "2w / L", "w is the smallest weight that a client gives itself")
        : new StepLimit(
            Math.min(2, least) / 2,
            "c / L",
            "c is half of the smallest Re λ + √(1 − (Im λ)²) over the eigenvalues λ of W");
  }

  private static double square(double x) {
    return Math.min(1, x * x);
  }

  /** {@code --algorithm dgd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "dgd",
          "average what you hear, descend at your own point (Yuan, Ling, Yin 2016)",
          request -> new Dgd(request.step(), request.scales()));
      needs(Need.APERIODIC);
      weighting(Weighting.BY_SIZE_AND_WEIGHT);
      traits(Trait.GRADIENTS_ONLY, Trait.TIME_VARYING);
    }

    @Override
    public StepLimit limit(NetworkFacts network) {
      return Dgd.limit(network);
    }
  }
}
