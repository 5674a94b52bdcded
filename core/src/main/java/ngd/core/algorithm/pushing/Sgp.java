package ngd.core.algorithm.pushing;

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
 * Stochastic gradient push (Assran, Loizou, Ballas and Rabbat 2019): x ← C (x − α g(z)); w ← C w; z
 * = x / w, C column-stochastic. It wants strong connection.
 *
 * @param batch the rows of a mini-batch, or 0 for all rows in every round
 */
public record Sgp(StepSize alpha, int batch, GradientScales scales)
    implements Algorithm.Rounds<Sgp.State> {
  public Sgp {
    if (batch < 0) {
      throw new InvalidInput("batch: must be at least 1 row, or 0 for all of them; got " + batch);
    }
  }

  /**
   * Where each client stands: theta is z.
   *
   * @param biased x; null before the first round, where it is z
   * @param weight w; null before the first round, where it is 1
   */
  public record State(int round, Rows theta, @Nullable Rows biased, @Nullable Rows weight)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return biased == null || weight == null ? List.of(theta) : List.of(theta, biased, weight);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows gradient = scales.times(data.gradient(s.theta()));
    Rows from = s.biased() == null ? s.theta() : s.biased();
    Rows biased = exchange.push(from.minus(alpha.at(s.round()), gradient));
    Rows weight = exchange.push(s.weight() == null ? PushSum.ones(s.theta()) : s.weight());
    return new State(s.round() + 1, PushSum.divided(biased, weight), biased, weight);
  }

  /** {@code --algorithm sgp}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "sgp",
          "stochastic gradient push (Assran et al. 2019)",
          request -> new Sgp(request.step(), request.batch(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.TIME_VARYING);
      options(Option.BATCH);
    }

    /**
     * With weights v that have settled, z ← V⁻¹CV (z − αV⁻¹B z): each client averages, and no step
     * overshoots while αB_m &lt; 2v_m.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return new StepLimit(
          2 * network.leastPushWeight(), "2v / L", "v is the smallest push-sum weight");
    }
  }
}
