package ngd.core.algorithm.exact;

import java.util.List;
import ngd.core.InvalidInput;
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
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * The method of Wang and Elia (2010, 2011), gradient descent under integral control of the
 * differences between clients, in discrete time:
 *
 * <pre>
 * x ← x − β (I − W)(x + z) − α g(x),  z ← z + β (I − W) x,
 * </pre>
 *
 * z being 0 at first. It wants a symmetric W.
 *
 * @param beta the gain β of the control, in (0, 1/2]
 */
public record WangElia(StepSize alpha, double beta, GradientScales scales)
    implements Algorithm.Rounds<WangElia.State> {
  public WangElia {
    if (!(beta > 0 && beta <= 0.5)) {
      throw new InvalidInput(
          "wang-elia: the gain must lie in (0, 0.5], or the control oscillates; got " + beta);
    }
  }

  /**
   * Where each client stands.
   *
   * @param integral z; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows integral) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return integral == null ? List.of(theta) : List.of(theta, integral);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows x = s.theta();
    Rows apart = x.minus(exchange.mix(x)).times(beta);
    Rows descended = x.minus(alpha.at(s.round()), scales.times(local.gradient(x))).minus(apart);
    if (s.integral() == null) {
      return new State(s.round() + 1, descended, apart);
    }
    Rows z = s.integral();
    return new State(s.round() + 1, descended.plus(-beta, z, beta, exchange.mix(z)), z.plus(apart));
  }

  /** {@code --algorithm wang-elia}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    /** The gain where none is given. */
    private static final double GAIN = 0.5;

    public Descriptor() {
      super(
          "wang-elia",
          "descent under integral control of differences (Wang, Elia 2010)",
          request -> new WangElia(request.step(), request.parameter(0, GAIN), request.scales()));
      parameters("BETA");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * With K = β (I − W), x ← (2 − K − αB) x − (1 − K − αB + K²) x₋. For an eigenvalue z with the
     * unit vector v, a = ⟨v, K v⟩, q = ‖K v‖² ≥ a² and s = α ⟨v, B v⟩, z² − (2 − a − s) z + 1 − a −
     * s + q = 0: no root lies outside the unit circle while q ≤ a, as eigenvalues of K below 1 have
     * it, and s &lt; 2 − a + q/2 (Jury), which falls in a up to k = β (1 − λ), the largest
     * eigenvalue of K.
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      double k = choice.parameter(0, GAIN) * (1 - network.mixing().smallest());
      return new StepLimit(
          2 - k + k * k / 2,
          "(2 − k + k²/2) / L",
          "k = BETA (1 − λ), λ is the smallest eigenvalue of W");
    }
  }
}
