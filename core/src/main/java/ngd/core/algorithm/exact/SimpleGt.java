package ngd.core.algorithm.exact;

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

/**
 * Gradient tracking with one vector a round, {@code SimpleGT} of the bench decent-bench: with ψ = x
 * − α g(x),
 *
 * <pre>
 * x ← W x + ψ − ψ₋,  and W x − α g in the first round.
 * </pre>
 *
 * It is {@link Extra} with x₋ in the place of (I + W) x₋ / 2, and wants a symmetric W.
 */
public record SimpleGt(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<SimpleGt.State> {

  /**
   * Where each client stands.
   *
   * @param last ψ of the round before; the estimate itself before the first
   */
  public record State(int round, Rows theta, Rows last) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return List.of(theta, last);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, theta);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows gradient = scales.times(local.gradient(s.theta()));
    Rows psi = s.theta().minus(alpha.at(s.round()), gradient);
    return new State(s.round() + 1, exchange.mix(s.theta()).plus(psi).minus(s.last()), psi);
  }

  /** {@code --algorithm simple-gt}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "simple-gt",
          "gradient tracking with one vector a round",
          request -> new SimpleGt(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * For an eigenvalue z with the unit vector v, w = ⟨v, W v⟩ and s = α ⟨v, B v⟩, z² − (1 + w − s)
     * z + 1 − s = 0: no root lies outside the unit circle while s &lt; (3 + w)/2 (Jury), which is
     * at most 2, and w is at least the smallest eigenvalue.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return new StepLimit(
          (3 + network.mixing().smallest()) / 2, "(3 + λ) / 2L", StepLimit.SMALLEST);
    }
  }
}
