package ngd.core.algorithm.federated;

import java.util.List;
import java.util.Objects;
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
 * Fed-LT, splitting with local training (Bastianello, Liu and Johansson 2024, Fed-PLT without its
 * noise), y being the mean of all z:
 *
 * <pre>
 * x_m ← x_m − α (g(x_m) + (x_m − 2y + z_m)/ρ)  K times,  z_m ← z_m + 2 (x_m − y).
 * </pre>
 *
 * Clients that do not take part keep x and z. The estimate is y; x and z begin at the start.
 *
 * @param rho ρ, how far a client may go from the common model
 */
public record FedLt(StepSize alpha, double rho, LocalDescent descent, ClientSelection selection)
    implements Algorithm.Rounds<FedLt.State> {
  public FedLt {
    if (!(rho > 0)) {
      throw new InvalidInput("fedlt: RHO must be positive; got " + rho);
    }
  }

  /**
   * Where each client stands.
   *
   * @param theta y, all alike
   * @param own x_m; null before the first round
   * @param mirror z_m; null before the first round
   * @param clients M; 0 before the first round
   */
  public record State(
      int round, Rows theta, @Nullable Rows own, @Nullable Rows mirror, double clients)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return own == null || mirror == null ? List.of(theta) : List.of(theta, own, mirror);
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
    Rows before = Objects.requireNonNullElse(s.own(), s.theta());
    Rows mirror = Objects.requireNonNullElse(s.mirror(), s.theta());
    Rows goal = s.theta().times(2).minus(mirror);
    Rows reached =
        descent.from(
            before,
            s.round(),
            theirs.data(local),
            (at, gradient) -> at.minus(step, gradient).plus(-step / rho, at, step / rho, goal));
    Rows moved = mirror.plus(theirs.only(reached.minus(s.theta()).times(2)));
    return new State(
        s.round() + 1,
        moved.everywhere(Shares.divided(exchange.total(moved), clients)),
        theirs.choose(reached, before),
        moved,
        clients);
  }

  /** {@code --algorithm fedlt}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final double REACH = 1;

    public Descriptor() {
      super(
          "fedlt",
          "splitting with local steps (Bastianello, Liu, Johansson 2024)",
          request ->
              new FedLt(
                  request.step(),
                  request.parameter(0, REACH),
                  LocalDescent.of(request),
                  request.selection()));
      parameters("RHO");
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
      return new StepLimit(1, 1 / choice.parameter(0, REACH), "1 / (L + 1/RHO)", "");
    }
  }
}
