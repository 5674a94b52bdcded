package ngd.core.algorithm.federated;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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
 * SCAFFOLD: local steps corrected by how a client's gradient differs from the mean (Karimireddy,
 * Kale, Mohri, Reddi, Stich and Suresh 2020, option II):
 *
 * <pre>
 * θ_m ← θ_m − α (g(θ_m) − c_m + c)  K times from θ,  c_m ← c_m − c + (θ − θ_m) / (Kα),
 * θ ← θ + η (mean of θ_m − θ),  c ← mean of c_m.
 * </pre>
 *
 * As c is the mean of all c_m, its next value is (θ − mean of θ_m) / (Kα) where all take part, and
 * one sum over all clients a round is enough. Where some are selected, the mean of θ_m − θ is over
 * them, and the others keep their c_m. The c_m begin at 0.
 *
 * @param eta the common step η
 */
public record Scaffold(StepSize alpha, double eta, LocalDescent descent, ClientSelection selection)
    implements Algorithm.Rounds<Scaffold.State> {
  /** With all clients in every round. */
  public Scaffold(StepSize alpha, double eta, LocalDescent descent) {
    this(alpha, eta, descent, new ClientSelection.All());
  }

  public Scaffold {
    if (!(eta > 0)) {
      throw new InvalidInput("scaffold: the common step must be positive; got " + eta);
    }
  }

  /**
   * Where each client stands.
   *
   * @param control c_m − c; null before the first round
   * @param common c where some clients are selected; null where all take part
   * @param clients M; 0 before the first round
   */
  public record State(
      int round, Rows theta, @Nullable Rows control, @Nullable Rows common, double clients)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return Stream.of(theta, control, common).filter(Objects::nonNull).toList();
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, 0);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double clients = s.control() == null ? exchange.clients(s.theta().rows()) : s.clients();
    double step = alpha.at(s.round());
    Rows control = s.control();
    Participants theirs = Participants.of(selection, draws, clients, s.theta(), local, exchange);
    Rows own =
        descent.from(
            s.theta(),
            s.round(),
            theirs.data(local),
            (at, gradient) ->
                control == null
                    ? at.minus(step, gradient)
                    : at.plus(-step, gradient, step, control));
    if (!selection.everybody()) {
      return selected(s, theirs, own, step, clients, exchange);
    }
    Rows mean = own.everywhere(Shares.divided(exchange.total(own), clients));
    // c_m − c + (θ − θ_m) / (Kα), less the new c
    Rows apart = mean.minus(own).times(1 / (descent.steps() * step));
    return new State(
        s.round() + 1,
        eta == 1 ? mean : s.theta().times(1 - eta).plus(eta, mean),
        control == null ? apart : apart.plus(control),
        null,
        clients);
  }

  /** The end of a round in which some take part: Δc_m = (θ − θ_m) / (Kα) − c for them. */
  private State selected(
      State s, Participants theirs, Rows own, double step, double clients, Exchange exchange) {
    Rows moves = theirs.only(own.minus(s.theta()));
    Rows changes = moves.times(-1 / (descent.steps() * step));
    if (s.common() != null) {
      changes = changes.minus(theirs.only(s.common()));
    }
    double[] sums = exchange.total(moves.beside(List.of(changes)));
    int width = own.width();
    Rows move = own.everywhere(Shares.divided(Arrays.copyOf(sums, width), theirs.count()));
    Rows change =
        own.everywhere(Shares.divided(Arrays.copyOfRange(sums, width, 2 * width), clients));
    Rows apart = changes.minus(change);
    return new State(
        s.round() + 1,
        s.theta().plus(eta, move),
        s.control() == null ? apart : s.control().plus(apart),
        s.common() == null ? change : s.common().plus(change),
        clients);
  }

  /** {@code --algorithm scaffold}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "scaffold",
          "local steps corrected for differences, then the mean over all (Karimireddy et al. 2020)",
          request ->
              new Scaffold(
                  request.step(),
                  request.parameter(0, 1),
                  LocalDescent.of(request),
                  request.selection()));
      parameters("ETA");
      needs(Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH, Option.LOCAL_STEPS, Option.SELECTION);
      traits(Trait.CENTRAL, Trait.OWN_MEMORY, Trait.EXACT);
    }

    /** Of problems with any number of local steps in oracles/step_oracle.py none needed less. */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      return choice.parameter(0, 1) <= 1 ? StepLimit.TWO : new StepLimit(0, "unknown", "");
    }
  }
}
