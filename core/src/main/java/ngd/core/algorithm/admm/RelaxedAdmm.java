package ngd.core.algorithm.admm;

import java.util.List;
import java.util.Objects;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.Proximal;
import ngd.core.algorithm.ProximalLocal;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Relaxed ADMM over links (Bastianello, Carli, Schenato and Todescato 2021), f_m being c_m L_m and
 * z what each link holds for its client:
 *
 * <pre>
 * x ← argmin f(x) + ρ|N_m|/2 ‖x − Σ z_mk / (ρ|N_m|)‖²,
 * z_mk ← (1 − r) z_mk − r z_km + 2rρ x_k.
 * </pre>
 *
 * With r = 1/2 it is {@link DAdmm}, whose RHO is half of this ρ. A client needs no values of single
 * links: with s the mean over its links of (z_mk + z_km)/ρ and a = Σ (z_km − z_mk)/2, Σ z_mk =
 * ρ|N_m| s/2 − a, s ← (1 − 2r) s + 2r (x_m + mean of x_k), a ← a + rρ Σ (x_m − x_k). In the first
 * round s is what r = 1/2 makes it, and a is 0.
 *
 * @param rho ρ, the penalty of a link, which decides how fast it goes and not where
 * @param relaxation r, in (0, 1)
 */
public record RelaxedAdmm(double rho, double relaxation, GradientScales scales)
    implements Algorithm.Rounds<RelaxedAdmm.State> {
  public RelaxedAdmm {
    Neighbours.requirePositive("relaxed-admm", "RHO", rho);
    Neighbours.requireRelaxation("relaxed-admm", relaxation);
  }

  /**
   * Where each client stands.
   *
   * @param dual a; null before the first round
   * @param middle s; null before the first round
   * @param solved how the minimum is found soon: {@link Proximal}; null before the first round
   */
  public record State(
      int round, Rows theta, @Nullable Rows dual, @Nullable Rows middle, @Nullable Rows solved)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return dual == null || middle == null || solved == null
          ? List.of(theta)
          : List.of(theta, dual, middle, solved);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local data, Draws draws) {
    ProximalLocal local = ProximalLocal.in(data);
    Rows x = s.theta();
    Edges heard = exchange.hear(x);
    Rows apart = heard.fromMean(x);
    Rows middle =
        s.middle() == null
            ? x.times(2).minus(apart)
            : s.middle().times(1 - 2 * relaxation).plus(4 * relaxation, x, -2 * relaxation, apart);
    double[] penalties = Neighbours.penalties(heard, x.rows(), rho);
    double[] pulls = Neighbours.counts(heard, x.rows(), relaxation * rho);
    Rows dual = s.dual() == null ? x.times(0) : s.dual().plusEach(pulls, apart);
    double[] steps = Neighbours.shares(-1, 0, 1, penalties);
    Rows centre = middle.times(0.5).plusEach(steps, dual);
    Proximal from = new Proximal(x, Objects.requireNonNullElse(s.solved(), x));
    Proximal next = local.minimiser(centre, scales.under(penalties), from);
    return new State(s.round() + 1, next.at(), dual, middle, next.solved());
  }

  /** {@code --algorithm relaxed-admm}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "relaxed-admm",
          "consensus ADMM, under- or over-relaxed (Bastianello et al. 2021)",
          request ->
              new RelaxedAdmm(
                  request.parameter(0, 1), request.parameter(1, 0.8), request.scales()));
      parameters("RHO", "RELAXATION");
      needs(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING, Need.PROXIMAL_STEPS);
      weighting(Weighting.BY_SIZE);
      traits(Trait.STEPLESS, Trait.EXACT);
    }
  }
}
