package ngd.core.algorithm;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.linalg.Edges;
import ngd.core.linalg.Rows;
import ngd.core.random.Draws;
import org.jspecify.annotations.Nullable;

/**
 * Collaborative learning of personal models by ADMM (Vanhaesebrouck, Bellet and Tommasi 2017,
 * section 4): minimises Σ c_m L_m(θ_m) + coupling / 2 · Σ ‖θ_m − θ_k‖² over pairs of clients that
 * hear each other. With strong coupling and one component it comes to the pooled model.
 *
 * <p>Each link has a copy z of its client's model. In a round a client minimises its loss with its
 * model drawn to its copies, neighbours tell each other a = θ + u, and the copies of a link move
 * together as far as the coupling says. Solved exactly:
 *
 * <pre>
 * θ = argmin c L(θ) + ρ/2 Σ ‖θ − z + u‖²     (a proximal step at the mean of z − u)
 * z = (a + b)/2 + ρ / (ρ + 2 coupling) · (a − b)/2,  b the neighbour's a
 * u = a − z
 * </pre>
 *
 * It wants mutual links and a loss with a Hessian.
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
   * @param copies z on each link; null before the first round, where they are theta
   * @param dual u on each link; null before the first round, where it is zero
   */
  public record State(int round, Rows theta, @Nullable Edges copies, @Nullable Edges dual)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return copies == null || dual == null
          ? List.of(theta)
          : List.of(theta, copies.values(), dual.values());
    }
  }

  @Override
  public String name() {
    return "collaborative";
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Edges copies = s.copies() == null ? exchange.hear(s.theta()).own(s.theta()) : s.copies();
    Edges dual = s.dual() == null ? copies.with(copies.values().times(0)) : s.dual();
    Rows theta = minimise(s.theta(), copies, dual, local);
    Edges a = copies.with(copies.own(theta).values().plus(dual.values()));
    Rows b = exchange.reply(a).values();
    double apart = rho / (rho + 2 * coupling) / 2;
    Rows z = a.values().times(0.5 + apart).plus(0.5 - apart, b);
    return new State(s.round() + 1, theta, copies.with(z), copies.with(a.values().minus(z)));
  }

  private Rows minimise(Rows theta, Edges copies, Edges dual, Local local) {
    int rows = theta.rows();
    double[] perLink = new double[rows];
    double[] penalty = new double[rows];
    double[] alone = new double[rows];
    for (int m = 0; m < rows; m++) {
      int links = copies.first(m + 1) - copies.first(m);
      perLink[m] = 1.0 / Math.max(1, links);
      penalty[m] = rho * Math.max(1, links) / scales.of(m);
      alone[m] = links == 0 ? 1 : 0;
    }
    Rows centre = copies.with(copies.values().minus(dual.values())).sum().timesEach(perLink);
    // A client without neighbours repeats proximal steps from where it is.
    boolean anyAlone = Arrays.stream(alone).anyMatch(one -> one == 1);
    return local.prox(anyAlone ? centre.plus(theta.timesEach(alone)) : centre, penalty);
  }
}
