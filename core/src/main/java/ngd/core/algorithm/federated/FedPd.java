package ngd.core.algorithm.federated;

import java.util.List;
import java.util.Objects;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.algorithm.local.ProxSkip;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * FedPD, a primal-dual method whose clients average only now and then (Zhang, Hong, Dhople, Yin and
 * Liu 2021, Algorithms 2 and 3 with gradient steps), z_m being what a client takes for the common
 * model:
 *
 * <pre>
 * x_m ← x_m − α (g(x_m) + λ_m + (x_m − z_m)/η)  K times,  λ_m ← λ_m + (x_m − z_m)/η,
 * z_m ← x_m + ηλ_m,  and, but with probability p,  z_m ← mean of all z.
 * </pre>
 *
 * The estimate is z; all begin at the start, λ at 0. All clients take part in every round.
 *
 * @param eta η
 * @param skip p, in [0, 1)
 */
public record FedPd(StepSize alpha, double eta, double skip, LocalDescent descent)
    implements Algorithm.Rounds<FedPd.State> {
  public FedPd {
    if (!(eta > 0)) {
      throw new InvalidInput("fedpd: ETA must be positive; got " + eta);
    }
    if (!(skip >= 0 && skip < 1)) {
      throw new InvalidInput("fedpd: P must lie in [0, 1), a probability; got " + skip);
    }
  }

  /**
   * Where each client stands.
   *
   * @param theta z_m
   * @param own x_m; null before the first round
   * @param dual λ_m; null before the first round
   * @param clients M; 0 before the first mean
   */
  public record State(
      int round, Rows theta, @Nullable Rows own, @Nullable Rows dual, double clients)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return own == null || dual == null ? List.of(theta) : List.of(theta, own, dual);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, 0);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    return step(s, ProxSkip.toss(draws, 1 - skip), exchange, local);
  }

  /** A round for which the coin is tossed: all clients average, or none does. */
  public State step(State s, boolean talk, Exchange exchange, Local local) {
    double step = alpha.at(s.round());
    Rows pull = s.theta().times(1 / eta);
    Rows drift = s.dual() == null ? pull : pull.minus(s.dual());
    Rows own =
        descent.from(
            Objects.requireNonNullElse(s.own(), s.theta()),
            s.round(),
            local,
            (at, gradient) -> at.minus(step, gradient).plus(step, drift, -step / eta, at));
    Rows dual = own.times(1 / eta).minus(drift);
    Rows centre = own.plus(eta, dual);
    if (!talk) {
      return new State(s.round() + 1, centre, own, dual, s.clients());
    }
    double clients = s.clients() == 0 ? exchange.clients(own.rows()) : s.clients();
    Rows mean = own.everywhere(Shares.divided(exchange.total(centre), clients));
    return new State(s.round() + 1, mean, own, dual, clients);
  }

  /** {@code --algorithm fedpd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final double SCALE = 1;

    public Descriptor() {
      super(
          "fedpd",
          "primal-dual local steps, the mean over all now and then (Zhang et al. 2021)",
          request ->
              new FedPd(
                  request.step(),
                  request.parameter(0, SCALE),
                  request.parameter(1, 0),
                  LocalDescent.of(request)));
      parameters("ETA", "P");
      needs(Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH, Option.LOCAL_STEPS);
      traits(Trait.CENTRAL, Trait.OWN_MEMORY, Trait.EXACT);
    }

    /**
     * That of a local step which does not overshoot: of random quadratic problems with 1 to 30
     * steps none needed less (oracles/central_limits.py). With 1, 3 and 5 steps, some were unstable
     * at 1.9 times that; with 2, 10 and 30 none was.
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      return new StepLimit(1, 1 / choice.parameter(0, SCALE), "1 / (L + 1/ETA)", "");
    }
  }
}
