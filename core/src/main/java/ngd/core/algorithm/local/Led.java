package ngd.core.algorithm.local;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.algorithm.exact.D2;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * LED, exact diffusion with K steps between two messages (Alghunaim 2024):
 *
 * <pre>
 * φ ← φ − α g(φ) − β y  K times from x,  x ← W φ,  y ← y + φ − W φ,
 * </pre>
 *
 * y being 0 at first. With K = 1 and β = 1 it is {@link D2}. It wants a symmetric W with
 * eigenvalues above −1/3.
 *
 * @param beta β; 0 for 1/K
 */
public record Led(StepSize alpha, double beta, LocalDescent descent)
    implements Algorithm.Rounds<Led.State> {
  public Led {
    if (!(beta >= 0 && beta <= 1)) {
      throw new InvalidInput(
          "led: BETA must lie in (0, 1], or be 0 for one over the local steps; got " + beta);
    }
  }

  /**
   * Where each client stands.
   *
   * @param dual y; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows dual) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return dual == null ? List.of(theta) : List.of(theta, dual);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double step = alpha.at(s.round());
    double pull = beta == 0 ? 1.0 / descent.steps() : beta;
    Rows dual = s.dual();
    Rows sent =
        descent.from(
            s.theta(),
            s.round(),
            local,
            (at, gradient) ->
                dual == null ? at.minus(step, gradient) : at.plus(-step, gradient, -pull, dual));
    Rows theta = exchange.mix(sent);
    Rows apart = sent.minus(theta);
    return new State(s.round() + 1, theta, dual == null ? apart : dual.plus(apart));
  }

  /** {@code --algorithm led}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "led",
          "exact diffusion with local steps (Alghunaim 2024)",
          request -> new Led(request.step(), request.parameter(0, 0), LocalDescent.of(request)));
      parameters("BETA");
      needs(Need.STRONGLY_CONNECTED, Need.SYMMETRIC, Need.EIGENVALUES_ABOVE_MINUS_A_THIRD);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH, Option.LOCAL_STEPS);
      traits(Trait.EXACT);
    }

    /** That of {@link D2}; for more steps no problem of oracles/step_oracle.py needed less. */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      return choice.parameter(0, 0) * choice.localSteps() <= 1
          ? StepLimit.TWO
          : new StepLimit(0, "unknown", "");
    }
  }
}
