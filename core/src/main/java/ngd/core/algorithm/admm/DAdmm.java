package ngd.core.algorithm.admm;

import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.ProximalLocal;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/**
 * Decentralized consensus ADMM (Shi, Ling, Yuan, Wu and Yin 2014), f_m being c_m L_m and N_m the
 * clients that m hears:
 *
 * <pre>
 * x ← argmin f(x) + ⟨a, x⟩ + ρ Σ ‖x − (x_m + x_k)/2‖²  over k in N_m,
 * a ← a + ρ Σ (x_m − x_k),
 * </pre>
 *
 * a being 0 at first. The first is a proximal step with the penalty 2ρ |N_m| at x − (x less the
 * mean of what is heard)/2 − a / (2ρ |N_m|), taken to its end. A client alone takes it with 2ρ.
 *
 * @param rho the penalty of a link, which decides how fast it goes and not where
 */
public record DAdmm(double rho, GradientScales scales) implements Algorithm.Rounds<DualState> {
  public DAdmm {
    Neighbours.requirePositive("d-admm", "RHO", rho);
  }

  @Override
  public DualState start(Rows theta) {
    return new DualState(0, theta, null);
  }

  @Override
  public DualState step(DualState s, Exchange exchange, Local data, Draws draws) {
    ProximalLocal local = ProximalLocal.in(data);
    Rows x = s.theta();
    Edges heard = exchange.hear(x);
    double[] counts = Neighbours.counts(heard, x.rows());
    double[] penalty = new double[counts.length];
    double[] inverse = new double[counts.length];
    for (int m = 0; m < counts.length; m++) {
      double links = 2 * rho * Math.max(1, counts[m]);
      penalty[m] = links / scales.of(m);
      inverse[m] = 1 / links;
    }
    Rows apart = heard.fromMean(x);
    Rows centre = x.minus(0.5, apart);
    if (s.dual() == null) {
      return new DualState(1, local.prox(centre, penalty, x), x.times(0));
    }
    Rows dual = s.dual().plus(rho, apart.timesEach(counts));
    return new DualState(
        s.round() + 1, local.prox(centre.minus(dual.timesEach(inverse)), penalty, x), dual);
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
