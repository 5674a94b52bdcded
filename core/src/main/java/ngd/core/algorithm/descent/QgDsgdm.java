package ngd.core.algorithm.descent;

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
 * Quasi-global momentum: the momentum of each client follows the steps of the averaged model, which
 * differ less between clients than their gradients do (Lin, Karimireddy, Stich and Jaggi 2021,
 * Algorithm 1):
 *
 * <pre>
 * m = β m̂ + g(x),  x ← W (x₋ − α m),  m̂ ← μ m̂ + (1 − μ)(x₋ − x) / α,
 * </pre>
 *
 * m̂ being 0 at first. It wants a symmetric W with eigenvalues above −1/3.
 *
 * @param beta the momentum β, in [0, 1)
 * @param mu how slowly m̂ follows, in [0, 1)
 */
public record QgDsgdm(StepSize alpha, double beta, double mu, int batch, GradientScales scales)
    implements Algorithm.Rounds<QgDsgdm.State> {
  public QgDsgdm {
    HeavyBall.requireMomentum("qg-dsgdm", beta);
    HeavyBall.requireMomentum("qg-dsgdm", mu);
  }

  /**
   * Where each client stands.
   *
   * @param momentum m̂; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows momentum) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return momentum == null ? List.of(theta) : List.of(theta, momentum);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double step = alpha.at(s.round());
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows descended = s.theta().minus(step, scales.times(data.gradient(s.theta())));
    Rows momentum = s.momentum();
    Rows theta =
        exchange.mix(momentum == null ? descended : descended.minus(step * beta, momentum));
    Rows moved = s.theta().minus(theta).times((1 - mu) / step);
    return new State(s.round() + 1, theta, momentum == null ? moved : moved.plus(mu, momentum));
  }

  /** {@code --algorithm qg-dsgdm}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "qg-dsgdm",
          "momentum of the averaged model's steps (Lin et al. 2021)",
          request ->
              new QgDsgdm(
                  request.step(),
                  request.parameter(0, 0.9),
                  request.parameter(1, 0.9),
                  request.batch(),
                  request.scales()));
      parameters("BETA", "MU");
      needs(Need.STRONGLY_CONNECTED, Need.SYMMETRIC, Need.EIGENVALUES_ABOVE_MINUS_A_THIRD);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
    }

    /**
     * For clients with one Hessian no root lies outside the unit circle while s &lt; 2 and −1/3
     * &lt; λ (Jury); for others, no problem of oracles/step_oracle.py needed less.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return StepLimit.TWO;
    }
  }
}
