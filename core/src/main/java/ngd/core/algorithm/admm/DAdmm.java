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
 * Decentralized consensus ADMM (Shi, Ling, Yuan, Wu and Yin 2014), f_m being c_m L_m and N_m the
 * clients that m hears:
 *
 * <pre>
 * x ← argmin f(x) + ⟨a, x⟩ + ρ Σ ‖x − (x_m + x_k)/2‖²  over k in N_m,
 * a ← a + ρ Σ (x_m − x_k),
 * </pre>
 *
 * a being 0 at first. The first is a proximal step with the penalty 2ρ |N_m| at x − (a + ρ Σ (x_m −
 * x_k)) / (2ρ |N_m|), taken to its end. A client alone takes it with 2ρ.
 *
 * @param rho the penalty of a link, which decides how fast it goes and not where
 */
public record DAdmm(double rho, GradientScales scales) implements Algorithm.Rounds<DAdmm.State> {
  public DAdmm {
    Neighbours.requirePositive("d-admm", "RHO", rho);
  }

  /**
   * Where each client stands.
   *
   * @param dual a; null before the first round
   * @param solved how the minimum is found soon: {@link Proximal}; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows dual, @Nullable Rows solved)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return dual == null || solved == null ? List.of(theta) : List.of(theta, dual, solved);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local data, Draws draws) {
    ProximalLocal local = ProximalLocal.in(data);
    Rows x = s.theta();
    Edges heard = exchange.hear(x);
    double[] penalties = Neighbours.penalties(heard, x.rows(), 2 * rho);
    Rows apart = heard.apart(x);
    Rows dual = s.dual() == null ? x.times(0) : s.dual().plus(rho, apart);
    double[] steps = Neighbours.shares(-1, 0, 1, penalties);
    Rows centre = x.plusEach(steps, dual.plus(rho, apart));
    Proximal from = new Proximal(x, Objects.requireNonNullElse(s.solved(), x));
    Proximal next = local.minimiser(centre, scales.under(penalties), from);
    return new State(s.round() + 1, next.at(), dual, next.solved());
  }

  /** {@code --algorithm d-admm}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "d-admm",
          "consensus ADMM with exact local steps (Shi et al. 2014)",
          request -> new DAdmm(request.parameter(0, 0.5), request.scales()));
      parameters("RHO");
      needs(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING, Need.PROXIMAL_STEPS);
      weighting(Weighting.BY_SIZE);
      traits(Trait.STEPLESS, Trait.EXACT);
    }
  }
}
