package ngd.core.algorithm.descent;

import java.util.List;
import ngd.core.InvalidInput;
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
 * Network gradient descent with the momentum of a heavy ball (Polyak 1964): θ ← W θ − α g(W θ) + β
 * (θ − θ₋). It wants a symmetric W.
 *
 * @param beta the momentum β, in [0, 1)
 */
public record HeavyBall(StepSize alpha, double beta, int batch, GradientScales scales)
    implements Algorithm.Rounds<HeavyBall.State> {
  public HeavyBall {
    requireMomentum("heavy-ball", beta);
  }

  /** Refuses a momentum that would never fade. */
  public static void requireMomentum(String algorithm, double beta) {
    if (!(beta >= 0 && beta < 1)) {
      throw new InvalidInput(
          "%s: the momentum must lie in [0, 1), or it never fades; got %s"
              .formatted(algorithm, beta));
    }
  }

  /**
   * Where each client stands, and what it remembers.
   *
   * @param before θ₋, or what {@link Nesterov} heard a round ago; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows before) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return before == null ? List.of(theta) : List.of(theta, before);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows mixed = exchange.mix(s.theta());
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows next = mixed.minus(alpha.at(s.round()), scales.times(data.gradient(mixed)));
    return new State(
        s.round() + 1,
        s.before() == null ? next : next.plus(beta, s.theta(), -beta, s.before()),
        s.theta());
  }

  /** {@code --algorithm heavy-ball}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "heavy-ball",
          "ngd with momentum (Polyak 1964)",
          request ->
              new HeavyBall(
                  request.step(), request.parameter(0, 0.5), request.batch(), request.scales()));
      parameters("BETA");
      needs(Need.STRONGLY_CONNECTED, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
    }

    /**
     * z² − (μ + β) z + β = 0 for each eigenvalue μ of (I − αB) W: no root lies outside the unit
     * circle while −1 − 2β &lt; μ ≤ 1 is real (Jury). A product of two symmetric matrices, one of
     * them positive definite, has real eigenvalues, between those of the other and 1 here: W is for
     * λ &gt; 0, and I − αB for α &lt; 1 / L.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return network.mixing().smallest() >= -1e-12 ? StepLimit.TWO : new StepLimit(1, "1 / L", "");
    }
  }
}
