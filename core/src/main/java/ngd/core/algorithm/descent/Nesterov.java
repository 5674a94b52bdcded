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
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Network gradient descent with the momentum of Nesterov (1983): v = W θ + β (W θ − (W θ)₋); θ ← v
 * − α g(v), without momentum in the first round. It wants a symmetric W with eigenvalues above
 * −1/3.
 *
 * @param beta the momentum β, in [0, 1)
 */
public record Nesterov(StepSize alpha, double beta, int batch, GradientScales scales)
    implements Algorithm.Rounds<HeavyBall.State> {
  public Nesterov {
    HeavyBall.requireMomentum("nesterov", beta);
  }

  @Override
  public HeavyBall.State start(Rows theta) {
    return new HeavyBall.State(0, theta, null);
  }

  @Override
  public HeavyBall.State step(HeavyBall.State s, Exchange exchange, Local local, Draws draws) {
    Rows mixed = exchange.mix(s.theta());
    Rows ahead = s.before() == null ? mixed : mixed.plus(beta, mixed, -beta, s.before());
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows gradient = scales.times(data.gradient(ahead));
    return new HeavyBall.State(s.round() + 1, ahead.minus(alpha.at(s.round()), gradient), mixed);
  }

  /** {@code --algorithm nesterov}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "nesterov",
          "ngd with the gradient ahead of the average (Nesterov 1983)",
          request ->
              new Nesterov(
                  request.step(), request.parameter(0, 0.5), request.batch(), request.scales()));
      parameters("BETA");
      needs(Need.STRONGLY_CONNECTED, Need.SYMMETRIC, Need.EIGENVALUES_ABOVE_MINUS_A_THIRD);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
    }

    /**
     * z² − (1 + β) μ z + βμ = 0 for each eigenvalue μ of (I − αB) W: no root lies outside the unit
     * circle while −1/3 ≤ μ ≤ 1 is real (Jury), which it is as in {@link HeavyBall}: at least 1 −
     * αL where W is positive definite, and at least λ for α &lt; 1 / L elsewhere.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return network.mixing().smallest() >= -1e-12
          ? new StepLimit(4.0 / 3, "4 / 3L", "")
          : new StepLimit(1, "1 / L", "");
    }
  }
}
