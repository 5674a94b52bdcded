package ngd.core.algorithm.admm;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * ADMM-tracking gradient (Carnevale, Bastianello, Notarstefano and Carli 2025): gradient tracking
 * whose averages of estimates and gradients are found by ADMM over the links, z being what each
 * link holds for its client:
 *
 * <pre>
 * (u, v) = ((x, g(x)) + Σ z_mk) / (1 + ρ |N_m|),
 * x ← (1 − γ) x + γ (u − α v),
 * z_mk ← (1 − r) z_mk + r (2ρ (u_k, v_k) − z_km).
 * </pre>
 *
 * With S = Σ (z_mk + z_km) and D = Σ (z_mk − z_km) a client needs no values of single links: Σ z_mk
 * = (S + D)/2, S ← (1 − 2r) S + 2rρ Σ (u_k + u_m), D ← D + 2rρ Σ (u_k − u_m). At first z_mk = ρ
 * (x_m, g(x_m)), so that clients that agree do not move.
 *
 * @param rho ρ, the penalty of a link
 * @param relaxation r, in (0, 1)
 * @param share γ, how far an estimate goes to its next place in a round
 */
public record Atg(
    StepSize alpha, double rho, double relaxation, double share, GradientScales scales)
    implements Algorithm.Rounds<Atg.State> {
  public Atg {
    Neighbours.requirePositive("atg", "RHO", rho);
    Neighbours.requireRelaxation("atg", relaxation);
    if (!(share > 0 && share <= 1)) {
      throw new InvalidInput(
          "atg: GAMMA must lie in (0, 1], it is a share of the way; got " + share);
    }
  }

  /**
   * Where each client stands.
   *
   * @param links |N_m|; null before the first round, as the following are
   * @param sum S of estimates and gradients side by side
   * @param difference D of both
   */
  public record State(
      int round, Rows theta, @Nullable Rows links, @Nullable Rows sum, @Nullable Rows difference)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return links == null || sum == null || difference == null
          ? List.of(theta)
          : List.of(theta, links, sum, difference);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, null);
  }

  /** The first round begins by hearing what all links begin with, which is one message more. */
  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows x = s.theta();
    Rows both = x.beside(List.of(scales.times(local.gradient(x))));
    if (s.links() == null || s.sum() == null || s.difference() == null) {
      Edges heard = exchange.hear(both);
      double[] links = Neighbours.counts(heard, x.rows());
      Rows apart = heard.apart(both).times(rho);
      Rows sum = both.timesEach(links).times(2 * rho).minus(apart);
      return moved(s, both, links, sum, apart, exchange);
    }
    double[] links = new double[x.rows()];
    for (int m = 0; m < links.length; m++) {
      links[m] = s.links().get(m, 0);
    }
    return moved(s, both, links, s.sum(), s.difference(), exchange);
  }

  private State moved(
      State s, Rows both, double[] links, Rows sum, Rows difference, Exchange exchange) {
    Rows x = s.theta();
    double[] inverse = Neighbours.shares(1, 1, rho, links);
    Rows averages = both.plus(0.5, sum, 0.5, difference).timesEach(inverse);
    Rows apart = exchange.hear(averages).apart(averages);
    double step = 2 * relaxation * rho;
    Rows point = averages.segment(new int[links.length], x.width());
    int[] second = new int[links.length];
    Arrays.fill(second, 1);
    Rows gradient = averages.segment(second, x.width());
    double[] together = new double[links.length];
    for (int m = 0; m < links.length; m++) {
      together[m] = 2 * step * links[m];
    }
    return new State(
        s.round() + 1,
        x.times(1 - share).plus(share, point, -share * alpha.at(s.round()), gradient),
        Objects.requireNonNullElseGet(s.links(), () -> x.of(links)),
        sum.plus(-2 * relaxation, sum, -step, apart).plusEach(together, averages),
        difference.minus(step, apart));
  }

  /** {@code --algorithm atg}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "atg",
          "gradient tracking by ADMM over links (Carnevale et al. 2025)",
          request ->
              new Atg(
                  request.step(),
                  request.parameter(0, 0.5),
                  request.parameter(1, 0.5),
                  request.parameter(2, 0.1),
                  request.scales()));
      parameters("RHO", "RELAXATION", "GAMMA");
      needs(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /** The paper proves that small α and γ suffice, and not how small. */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return StepLimit.UNKNOWN;
    }
  }
}
