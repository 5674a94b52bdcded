package ngd.core.algorithm.exact;

import java.util.List;
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
import org.jspecify.annotations.Nullable;

/**
 * ABm, gradient tracking with heavy-ball momentum (Xin and Khan 2020), W standing for both of its
 * matrices: x ← W x − α y + β (x − x₋); y ← W y + g − g₋, y being g in the first round. It wants a
 * symmetric W.
 *
 * @param beta the momentum β, in [0, 1)
 */
public record Abm(StepSize alpha, double beta, GradientScales scales)
    implements Algorithm.Rounds<Abm.State> {
  /** The momentum where none is given. */
  static final double BETA = 0.5;

  public Abm {
    HeavyBall.requireMomentum("abm", beta);
  }

  /**
   * Where each client stands.
   *
   * @param before where it came from: x₋, or the s of {@link Abn}
   * @param tracker y; null before the first round, where it is the gradient itself
   * @param gradient the gradient at theta; null before the first round
   */
  public record State(
      int round, Rows theta, Rows before, @Nullable Rows tracker, @Nullable Rows gradient)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return tracker == null || gradient == null
          ? List.of(theta, before)
          : List.of(theta, before, tracker, gradient);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, theta, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows last = s.gradient() == null ? scales.times(local.gradient(s.theta())) : s.gradient();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta =
        exchange
            .mix(s.theta())
            .minus(alpha.at(s.round()), tracker)
            .plus(beta, s.theta(), -beta, s.before());
    Rows gradient = scales.times(local.gradient(theta));
    return new State(
        s.round() + 1,
        theta,
        s.theta(),
        exchange.mix(tracker).plus(gradient).minus(last),
        gradient);
  }

  /** {@code --algorithm abm}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "abm",
          "gradient tracking with heavy-ball momentum (Xin, Khan 2020)",
          request -> new Abm(request.step(), request.parameter(0, BETA), request.scales()));
      parameters("BETA");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * At z = −1, as in {@link Tracking}, momentum allows more than tracking alone; a strong one
     * oscillates by itself. No bound is known for all Hessians: in oracles/step_oracle.py no
     * problem needed less.
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      double tracking = Tracking.limit(network.mixing().smallest());
      double momentum = 2 * (1 - choice.parameter(0, BETA));
      return new StepLimit(
          Math.min(tracking, momentum),
          tracking < momentum ? "(1 + λ)² / 2L" : "2 (1 − BETA) / L",
          tracking < momentum ? StepLimit.SMALLEST : "");
    }
  }
}
