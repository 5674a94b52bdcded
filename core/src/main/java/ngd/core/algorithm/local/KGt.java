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
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * K-GT, gradient tracking with K steps between two messages (Liu, Lin, Koloskova and Stich 2024):
 *
 * <pre>
 * φ ← φ − α (g(φ) + c)  K times from x,  z = (x − φ) / (Kα),
 * c ← c − z + W z,  x ← W (x − η Kα z).
 * </pre>
 *
 * c begins at 0, for which any start with mean 0 may stand; the paper's own needs a mean over all
 * clients. It wants a doubly stochastic W.
 *
 * @param eta the common step η
 */
public record KGt(StepSize alpha, double eta, LocalDescent descent)
    implements Algorithm.Rounds<KGt.State> {
  public KGt {
    if (!(eta > 0)) {
      throw new InvalidInput("k-gt: the common step must be positive; got " + eta);
    }
  }

  /**
   * Where each client stands.
   *
   * @param correction c; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows correction) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return correction == null ? List.of(theta) : List.of(theta, correction);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double step = alpha.at(s.round());
    Rows correction = s.correction();
    Rows own =
        descent.from(
            s.theta(),
            s.round(),
            local,
            (at, gradient) ->
                correction == null
                    ? at.minus(step, gradient)
                    : at.plus(-step, gradient, -step, correction));
    Rows moved = s.theta().minus(own);
    double each = 1 / (descent.steps() * step);
    Rows apart = exchange.mix(moved).minus(moved).times(each);
    return new State(
        s.round() + 1,
        exchange.mix(s.theta().minus(eta, moved)),
        correction == null ? apart : apart.plus(correction));
  }

  /** {@code --algorithm k-gt}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "k-gt",
          "gradient tracking with local steps (Liu, Lin, Koloskova, Stich 2024)",
          request -> new KGt(request.step(), request.parameter(0, 1), LocalDescent.of(request)));
      parameters("ETA");
      needs(Need.STRONGLY_CONNECTED, Need.SYMMETRIC, Need.EIGENVALUES_ABOVE_MINUS_A_THIRD);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH, Option.LOCAL_STEPS);
      traits(Trait.EXACT);
    }

    /**
     * For K = 1 it is x ← 2W x − W² x₋ − W αB (x − x₋); with r = ⟨v, W⁻¹ v⟩ and w = ⟨v, W v⟩, r z²
     * − (2 − s) z + w − s = 0 for an eigenvalue z with the unit vector v: no root lies outside the
     * unit circle while s &lt; (r + 2 + w)/2, at least 2, where W is positive definite (Jury). For
     * others and for more steps no problem of oracles/step_oracle.py needed less.
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      return choice.parameter(0, 1) <= 1 ? StepLimit.TWO : new StepLimit(0, "unknown", "");
    }
  }
}
