package ngd.core.algorithm.admm;

import java.util.function.Supplier;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.PartGradients;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * LT-ADMM, ADMM over links with local training (Ren, Bastianello, Johansson and Parisini 2025), z
 * being what each link holds for its client:
 *
 * <pre>
 * φ ← φ − γ g(φ) − β (ρ |N_m| x_m − Σ z_mk)  K times from x,  x ← φ,
 * z_mk ← (z_mk − z_km)/2 + ρ x_k.
 * </pre>
 *
 * The two ends of a link change by opposite amounts, so a client's sum needs no values of single
 * links: with a = Σ (z_mk − z_km) it is Σ z_mk = a₋/2 + ρ Σ x_k, and a ← a₋ + ρ Σ (x_k − x_m). That
 * is one vector a client, sent to all neighbours alike; all links begin with what is heard first.
 *
 * @param beta β, how strongly the links pull in each local step
 * @param rho the penalty of a link
 * @param parts how many parts the rows are divided into for gradients of single parts whose noise
 *     vanishes (LT-ADMM-VR); 1 for gradients over all rows or mini-batches
 */
public record LtAdmm(StepSize alpha, double beta, double rho, int parts, LocalDescent descent)
    implements Algorithm.Rounds<DualState> {
  public LtAdmm {
    Neighbours.requirePositive("lt-admm", "RHO", rho);
    Neighbours.requirePositive("lt-admm", "BETA", beta);
    PartGradients.requireParts("lt-admm-vr", parts);
  }

  @Override
  public DualState start(Rows theta) {
    return new DualState(0, theta, null);
  }

  @Override
  public DualState step(DualState s, Exchange exchange, Local local, Draws draws) {
    return step(s, new PartGradients.Picks(draws, s.theta().rows(), parts)::next, exchange, local);
  }

  /**
   * A round in which each client takes the parts that it is told, one after the other.
   *
   * @param picks asked in each local step
   */
  public DualState step(DualState s, Supplier<int[]> picks, Exchange exchange, Local local) {
    Rows x = s.theta();
    double step = alpha.at(s.round());
    Rows apart = exchange.hear(x).apart(x).times(rho);
    Rows pull = s.dual() == null ? apart : apart.minus(0.5, s.dual());
    Rows dual = s.dual() == null ? apart.times(-1) : s.dual().minus(apart);
    Rows theta =
        parts == 1
            ? descent.from(
                x, s.round(), local, (at, gradient) -> at.plus(-step, gradient, -beta, pull))
            : trained(x, pull, step, local, picks);
    return new DualState(s.round() + 1, theta, dual);
  }

  /**
   * Local training on single parts; a client's table begins anew where it stands. There every
   * part's gradient is the one in the table, so that the first estimate is the gradient over all
   * rows whichever part is drawn, and a single step needs no table.
   */
  private Rows trained(Rows x, Rows pull, double step, Local local, Supplier<int[]> picks) {
    if (descent.steps() == 1) {
      return x.plus(-step, descent.scales().times(local.gradient(x)), -beta, pull);
    }
    PartGradients data = new PartGradients(local, parts, descent.scales());
    PartGradients.Table table = data.everywhere(x);
    Rows at = x.plus(-step, table.mean(), -beta, pull);
    int[] first = picks.get();
    table = table.with(first, data.of(first, at));
    for (int i = 1; i < descent.steps(); i++) {
      int[] chosen = picks.get();
      Rows gradient = table.estimate(chosen, data.of(chosen, at));
      at = at.plus(-step, gradient, -beta, pull);
      if (i + 1 < descent.steps()) {
        table = table.with(chosen, data.of(chosen, at));
      }
    }
    return at;
  }

  /** How it is asked for. */
  abstract static class LocalTraining extends AlgorithmDescriptor {
    private static final double PENALTY = 0.1;
    private static final double PULL = 0.5;

    LocalTraining(String name, String summary, boolean reduced) {
      super(
          name,
          summary,
          request ->
              new LtAdmm(
                  request.step(),
                  request.parameter(1, PULL),
                  request.parameter(0, PENALTY),
                  reduced ? (int) request.parameter(2, PartGradients.PARTS) : 1,
                  LocalDescent.of(request)));
      needs(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * With S = Σ (I − γB)ⁱ over the K steps, t = ⟨v, S⁻¹ v⟩, s = γ ⟨v, B v⟩ and a = βρ ⟨v, (D − A)
     * v⟩ ≤ 2βρd, t z² − (2t − s − a) z + t − s − a/2 = 0 for an eigenvalue z with the vector v: no
     * root lies outside the unit circle while 4t &gt; 2s + 3a/2 (Jury). For K = 1, t is 1;
     * otherwise t ≥ 1/K and t ≥ s while γL ≤ 1.
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      int steps = choice.localSteps();
      double pull =
          1.5
              * choice.parameter(0, PENALTY)
              * choice.parameter(1, PULL)
              * network.mostLinks()
              * steps;
      String where = "k = 3/2 RHO BETA K d, K are the local steps, d is the most links of a client";
      return steps == 1
          ? new StepLimit(2 - pull, "(2 − k) / L", where)
          : new StepLimit(pull < 1 ? 1 : 0, "1 / L", where + " (k must be below 1)");
    }
  }

  /** {@code --algorithm lt-admm}. */
  public static final class Descriptor extends LocalTraining {
    public Descriptor() {
      super("lt-admm", "ADMM over links with local steps (Ren et al. 2025)", false);
      parameters("RHO", "BETA");
      options(Option.BATCH, Option.LOCAL_STEPS);
    }
  }

  /** {@code --algorithm lt-admm-vr}. */
  public static final class Reduced extends LocalTraining {
    public Reduced() {
      super("lt-admm-vr", "lt-admm on parts of the rows, without their noise", true);
      parameters("RHO", "BETA", "PARTS");
      options(Option.LOCAL_STEPS);
    }
  }
}
