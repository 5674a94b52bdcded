package ngd.core.algorithm.personal;

import java.util.List;
import ngd.core.InvalidInput;
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
 * Collaborative learning of personal models by ADMM (Vanhaesebrouck, Bellet and Tommasi 2017), all
 * links in every round where theirs wake one by one: minimises Σ c_m L_m(θ_m) + coupling / 2 · Σ
 * ‖θ_m − θ_k‖² over pairs of clients that hear each other. With strong coupling and one component
 * it comes to the pooled model.
 *
 * <p>Each link has a copy z of its client's model and a dual u. In a round a client minimises its
 * loss with its model drawn to its copies, and the copies of a link move together as far as the
 * coupling says, b being the neighbour's a and κ = ρ / (ρ + 2 coupling):
 *
 * <pre>
 * θ = argmin c L(θ) + ρ/2 Σ ‖θ − z + u‖²     (a proximal step at the mean of z − u)
 * a = θ + u,  z = (a + b)/2 + κ (a − b)/2,  u = a − z
 * </pre>
 *
 * The duals start at 0, so those of a link's two ends are opposite at all times, and z − u = κ a +
 * (1 − κ) b needs of a client's links their mean alone. With w = θ less the mean of what is heard
 * and σ the sum of past w, each round discounted by 1 − κ, the mean dual is (1 − κ) σ / 2, and
 *
 * <pre>
 * mean of z − u = θ − (1 − κ) w + (2κ − 1)(1 − κ) σ / 2,  then σ ← w + (1 − κ) σ:
 * </pre>
 *
 * the same iterates from one vector a client, sent to all neighbours alike. It wants mutual links
 * and a loss whose proximal steps are known.
 *
 * <p>The proximal step is exact for the linear model. For other families it is inexact while a
 * client moves little ({@link ProximalLocal#prox(Rows, double[], Proximal)}): one step to the
 * minimiser of a quadratic that lies above the loss, which is ADMM with a linearised loss in the
 * metric of that quadratic (Ling, Shi, Wu and Ribeiro 2015; Mokhtari, Shi, Ling and Ribeiro 2016).
 * Its fixed points are those of the exact method, since both steps stand still just where the
 * proximal gradient vanishes.
 *
 * @param coupling how strongly neighbours are drawn together, 0 for not at all
 * @param rho the penalty of the method, which decides how fast it goes and not where
 */
public record Collaborative(double coupling, double rho, GradientScales scales)
    implements Algorithm.Rounds<Collaborative.State> {
  public Collaborative {
    if (!(coupling >= 0) || Double.isInfinite(coupling)) {
      throw new InvalidInput("collaborative: the coupling must be 0 or more; got " + coupling);
    }
    if (!(rho > 0) || Double.isInfinite(rho)) {
      throw new InvalidInput("collaborative: rho must be positive; got " + rho);
    }
  }

  /**
   * Where each client stands.
   *
   * @param apart σ; null before the first round, where the copies are theta and the duals zero
   * @param solved where each client last took its proximal step to the end; null before the first
   *     round
   */
  public record State(int round, Rows theta, @Nullable Rows apart, @Nullable Rows solved)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return apart == null || solved == null ? List.of(theta) : List.of(theta, apart, solved);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local data, Draws draws) {
    ProximalLocal local = ProximalLocal.in(data);
    Rows theta = s.theta();
    Edges heard = exchange.hear(theta);
    double[] penalty = penalty(heard, theta.rows());
    if (s.apart() == null || s.solved() == null) {
      Rows first = local.prox(theta, penalty);
      return new State(1, first, theta.times(0), first);
    }
    double together = 2 * coupling / (rho + 2 * coupling);
    Rows w = heard.fromMean(theta);
    Rows centre = theta.plus(-together, w, (1 - 2 * together) * together / 2, s.apart());
    Proximal next = local.prox(centre, penalty, new Proximal(theta, s.solved()));
    return new State(s.round() + 1, next.at(), w.plus(together, s.apart()), next.solved());
  }

  /** ρ for every link over c_m: the weight of the distance in each client's proximal step. */
  private double[] penalty(Edges heard, int rows) {
    double[] penalty = new double[rows];
    int first = 0;
    for (int m = 0; m < rows; m++) {
      int next = heard.first(m + 1);
      penalty[m] = rho * Math.max(1, next - first);
      first = next;
    }
    return scales.under(penalty);
  }

  /** {@code --algorithm collaborative}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "collaborative",
          "personal models learned together by ADMM (Vanhaesebrouck et al. 2017)",
          request ->
              new Collaborative(
                  request.parameter(0, 1), request.parameter(1, 0.5), request.scales()));
      parameters("COUPLING", "RHO");
      needs(Need.MUTUAL_LINKS, Need.MEAN_MIXING, Need.PROXIMAL_STEPS);
      weighting(Weighting.BY_SIZE);
      traits(Trait.STEPLESS);
    }
  }
}
