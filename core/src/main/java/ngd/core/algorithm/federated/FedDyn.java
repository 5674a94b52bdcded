package ngd.core.algorithm.federated;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * FedDyn: clients descend on losses that are bent anew in every round, such that the minimum of all
 * is a minimum of each (Acar, Zhao, Matas Navarro, Mattina, Whatmough and Saligrama 2021, Algorithm
 * 1, with K gradient steps for the local minimum), S being the clients that take part:
 *
 * <pre>
 * θ_m ← θ_m − α (g(θ_m) − h_m + μ (θ_m − θ))  K times from θ,  h_m ← h_m − μ (θ_m − θ),
 * h ← h − (μ/M) Σ_S (θ_m − θ),  θ ← mean over S of θ_m − h/μ.
 * </pre>
 *
 * All h begin at 0.
 *
 * @param mu μ, how strongly the common model pulls
 */
public record FedDyn(StepSize alpha, double mu, LocalDescent descent, ClientSelection selection)
    implements Algorithm.Rounds<FedDyn.State> {
  public FedDyn {
    if (!(mu > 0)) {
      throw new InvalidInput("feddyn: MU must be positive; got " + mu);
    }
  }

  /**
   * Where each client stands: all alike.
   *
   * @param own h_m; null before the first round
   * @param common h; null before the first round
   * @param clients M; 0 before the first round
   */
  public record State(
      int round, Rows theta, @Nullable Rows own, @Nullable Rows common, double clients)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return own == null || common == null ? List.of(theta) : List.of(theta, own, common);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, 0);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double clients = s.own() == null ? exchange.clients(s.theta().rows()) : s.clients();
    Participants theirs = Participants.of(selection, draws, clients, s.theta(), local, exchange);
    double step = alpha.at(s.round());
    Rows bend = s.own() == null ? s.theta().times(mu) : s.own().plus(mu, s.theta());
    Rows reached =
        descent.from(
            s.theta(),
            s.round(),
            theirs.data(local),
            (at, gradient) -> at.minus(step, gradient).plus(step, bend, -step * mu, at));
    Rows moves = theirs.only(reached.minus(s.theta()));
    double[] sums = exchange.total(moves);
    Rows mean = moves.everywhere(Shares.divided(sums.clone(), theirs.count()));
    Rows change = moves.everywhere(Shares.divided(sums, clients));
    Rows common = s.common() == null ? change.times(-mu) : s.common().minus(mu, change);
    return new State(
        s.round() + 1,
        s.theta().plus(1, mean, -1 / mu, common),
        s.own() == null ? moves.times(-mu) : s.own().minus(mu, moves),
        common,
        clients);
  }

  /** {@code --algorithm feddyn}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final double PULL = 1;

    public Descriptor() {
      super(
          "feddyn",
          "local steps on losses bent towards the common minimum (Acar et al. 2021)",
          request ->
              new FedDyn(
                  request.step(),
                  request.parameter(0, PULL),
                  LocalDescent.of(request),
                  request.selection()));
      parameters("MU");
      needs(Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH, Option.LOCAL_STEPS, Option.SELECTION);
      traits(Trait.CENTRAL, Trait.OWN_MEMORY, Trait.EXACT);
    }

    /**
     * That of a local step which does not overshoot: of random quadratic problems with 1 to 30
     * steps none needed less (oracles/central_limits.py). With 1, 3 and 5 steps, some were unstable
     * at 1.9 times that; with 2, 10 and 30 none was.
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      return new StepLimit(1, choice.parameter(0, PULL), "1 / (L + MU)", "");
    }
  }
}
