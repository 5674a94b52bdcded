package ngd.core.algorithm.exact;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.algorithm.descent.HeavyBall;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * ABN, gradient tracking with Nesterov momentum (Xin, Jakovetić and Khan 2019), W standing for both
 * of its matrices, and β constant:
 *
 * <pre>
 * s = W x − α y,  x ← s + β (s − s₋),  y ← W y + g − g₋,
 * </pre>
 *
 * s₋ being x and y being g in the first round. It wants a symmetric W with eigenvalues above −1/3.
 *
 * @param beta the momentum β, in [0, 1)
 */
public record Abn(StepSize alpha, double beta, GradientScales scales)
    implements Algorithm.Rounds<Abm.State> {
  public Abn {
    HeavyBall.requireMomentum("abn", beta);
  }

  @Override
  public Abm.State start(Rows theta) {
    return new Abm.State(0, theta, theta, null, null);
  }

  @Override
  public Abm.State step(Abm.State s, Exchange exchange, Local local, Draws draws) {
    Rows last = s.gradient() == null ? scales.times(local.gradient(s.theta())) : s.gradient();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows descended = exchange.mix(s.theta()).minus(alpha.at(s.round()), tracker);
    Rows theta = descended.plus(beta, descended, -beta, s.before());
    Rows gradient = scales.times(local.gradient(theta));
    return new Abm.State(
        s.round() + 1,
        theta,
        descended,
        exchange.mix(tracker).plus(gradient).minus(last),
        gradient);
  }

  /** {@code --algorithm abn}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "abn",
          "gradient tracking with Nesterov momentum (Xin, Jakovetić, Khan 2019)",
          request -> new Abn(request.step(), request.parameter(0, Abm.BETA), request.scales()));
      parameters("BETA");
      needs(Need.STRONGLY_CONNECTED, Need.SYMMETRIC, Need.EIGENVALUES_ABOVE_MINUS_A_THIRD);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * Without y it is s ← W x + W s₋ − W² x₋ − αB (x − x₋) with x = (1 + β) s − β s₋. For z = −1
     * with the unit vector v that is 2 (1 + 2β) α ⟨v, B v⟩ = ⟨v, (I + W)(I + (1 + 2β) W) v⟩, whose
     * right-hand side grows with the eigenvalues of W above −1/3; in oracles/step_oracle.py none
     * left the unit circle elsewhere before.
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      double smallest = network.mixing().smallest();
      double b = 1 + 2 * choice.parameter(0, Abm.BETA);
      return new StepLimit(
          (1 + smallest) * (1 + b * smallest) / (2 * b),
          "(1 + λ)(1 + bλ) / 2bL",
          "b = 1 + 2 BETA, " + StepLimit.SMALLEST);
    }
  }
}
