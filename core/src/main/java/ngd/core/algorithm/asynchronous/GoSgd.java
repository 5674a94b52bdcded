package ngd.core.algorithm.asynchronous;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Gossip stochastic gradient descent (Blot, Picard, Cord and Thome 2016): a client that wakes takes
 * a gradient step and now and then pushes its parameters with half of its weight to a random
 * listener, which averages by weights. Sums of weights are kept, so nobody waits.
 *
 * <p>Weights lost with a letter would fade away until every client is alone. So a letter tells the
 * sum of all that its writer ever pushed to the reader, who takes what is new in it: whatever is
 * lost, late or overtaken arrives with the next one (Hadjicostis, Vaidya and Domínguez-García
 * 2016).
 *
 * <p>In the long run a client holds a share of all weight that is its share q_m of the stationary
 * distribution of a walk to listeners chosen at random, divided by how often it wakes; it steps as
 * often as it wakes. With c_m = (n_m / N) / q_m the target is the pooled estimate, whatever the
 * clocks.
 *
 * @param batch the rows of a mini-batch, or 0 for all rows
 * @param probability how often a client that wakes pushes
 */
public record GoSgd(StepSize alpha, int batch, double probability, GradientScales scales)
    implements Algorithm.Events<GoSgd.State> {
  public GoSgd {
    if (batch < 0) {
      throw new InvalidInput("batch: must be at least 1 row, or 0 for all of them; got " + batch);
    }
    if (!(probability > 0 && probability <= 1)) {
      throw new InvalidInput(
          "gosgd: the probability of a push must lie in (0, 1]; got " + probability);
    }
  }

  /**
   * Where the client stands.
   *
   * @param weight what its parameters count in an average
   * @param sent to each of {@code to}, the sum of all parameters times weights and of the weights
   * @param received the same as last pushed by each of {@code from}
   */
  public record State(
      int round,
      Rows theta,
      double weight,
      List<Integer> to,
      List<Rows> sent,
      List<Integer> from,
      List<Rows> received)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      List<Rows> all = new ArrayList<>(List.of(theta));
      all.addAll(sent);
      all.addAll(received);
      return all;
    }
  }

  @Override
  public State start(Rows theta, Mail mail) {
    return new State(0, theta, 1, List.of(), List.of(), List.of(), List.of());
  }

  @Override
  public State wake(State s, Mail mail, Local local, Draws draws) {
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows gradient = data.gradient(s.theta()).times(scales.of(mail.self()));
    Rows theta = s.theta().minus(alpha.at(s.round()), gradient);
    UniformRandomProvider draw = draws.of(0);
    List<Integer> listeners = mail.listeners();
    List<Integer> to = s.to();
    List<Rows> sent = s.sent();
    double weight = s.weight();
    if (!listeners.isEmpty() && draw.nextDouble() < probability) {
      int listener = listeners.get(draw.nextInt(listeners.size()));
      weight /= 2;
      double[] sum = sum(to, sent, listener, theta.width());
      double[] own = theta.row(0);
      for (int j = 0; j < own.length; j++) {
        sum[j] += weight * own[j];
      }
      sum[own.length] += weight;
      Rows letter = theta.of(new double[][] {sum});
      mail.send(listener, letter);
      sent = with(to, sent, listener, letter);
      to = with(to, to, listener, listener);
    }
    return new State(s.round() + 1, theta, weight, to, sent, s.from(), s.received());
  }

  @Override
  public State receive(State s, Letter letter, Mail mail) {
    double[] pushed = letter.content().row(0);
    double[] known = sum(s.from(), s.received(), letter.from(), s.theta().width());
    int p = pushed.length - 1;
    double more = pushed[p] - known[p];
    if (!(more > 0)) {
      // An older letter; or one of a client that is not honest, and turns others' parameters round.
      return s;
    }
    double weight = s.weight() + more;
    double[] mean = s.theta().row(0);
    for (int j = 0; j < p; j++) {
      mean[j] = mean[j] * (s.weight() / weight) + (pushed[j] - known[j]) / weight;
    }
    return new State(
        s.round(),
        s.theta().of(new double[][] {mean}),
        weight,
        s.to(),
        s.sent(),
        with(s.from(), s.from(), letter.from(), letter.from()),
        with(s.from(), s.received(), letter.from(), s.theta().of(new double[][] {pushed})));
  }

  /** A client's sums; zeros where there are none yet. */
  private static double[] sum(List<Integer> clients, List<Rows> sums, int client, int parameters) {
    int at = clients.indexOf(client);
    return at < 0 ? new double[parameters + 1] : sums.get(at).row(0);
  }

  /** The list with this value for a client. */
  private static <T> List<T> with(List<Integer> clients, List<T> values, int client, T value) {
    List<T> changed = new ArrayList<>(values);
    int at = clients.indexOf(client);
    if (at < 0) {
      changed.add(value);
    } else {
      changed.set(at, value);
    }
    return changed;
  }

  /** The sum of parameters times weights, and of weights. */
  @Override
  public List<Integer> letterWidths(int parameters) {
    return List.of(parameters + 1);
  }

  /** {@code --algorithm gosgd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "gosgd",
          "push gossip with sum weights (Blot et al. 2016)",
          request ->
              new GoSgd(
                  request.step(), request.batch(), request.parameter(0, 0.5), request.scales()));
      parameters("P");
      needs(Need.STRONGLY_CONNECTED, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE_AND_PUSHES);
      options(Option.BATCH);
      traits(Trait.ASYNCHRONOUS);
    }
  }
}
