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
import org.jspecify.annotations.Nullable;

/**
 * D²: decentralized descent that takes out the variance between clients (Tang, Lian, Yan, Zhang and
 * Liu 2018): x ← W (2x − x₋ − α g + α₋ g₋), and W (x − α g) in the first round. It wants a
 * symmetric W with eigenvalues above −1/3.
 */
public record D2(StepSize alpha, int batch, GradientScales scales)
    implements Algorithm.Rounds<D2.State> {

  /**
   * Where each client stands, and where it came from.
   *
   * @param before what the round before subtracts, here x₋ − α₋ g₋; null in the first round
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
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows descended = s.theta().minus(alpha.at(s.round()), scales.times(data.gradient(s.theta())));
    Rows sent = s.before() == null ? descended : descended.plus(s.theta()).minus(s.before());
    return new State(s.round() + 1, exchange.mix(sent), descended);
  }

  /** {@code --algorithm d2}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "d2",
          "removes the variance between clients (Tang et al. 2018)",
          request -> new D2(request.step(), request.batch(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.SYMMETRIC, Need.EIGENVALUES_ABOVE_MINUS_A_THIRD);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
      traits(Trait.EXACT);
    }

    /**
     * For clients with one Hessian z² − λ (2 − s) z + λ (1 − s) = 0 for each eigenvalue λ of W: no
     * root lies outside the unit circle while s &lt; 2 and −1/3 &lt; λ. For other Hessians it is
     * the argument of {@link ExactDiffusion} where λ &gt; 0; below, no problem of
     * oracles/step_oracle.py needed less.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return StepLimit.TWO;
    }
  }
}
