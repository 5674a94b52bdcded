package ngd.core.algorithm.asynchronous;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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

  /** Where the client stands, and the weight of it. */
  public record State(int round, Rows theta, double weight) implements Algorithm.State {}

  @Override
  public State start(Rows theta, Mail mail) {
    return new State(0, theta, 1);
  }

  @Override
  public State wake(State s, Mail mail, Local local, Draws draws) {
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows gradient = data.gradient(s.theta()).times(scales.of(mail.self()));
    Rows theta = s.theta().minus(alpha.at(s.round()), gradient);
    UniformRandomProvider draw = draws.of(0);
    List<Integer> listeners = mail.listeners();
    if (listeners.isEmpty() || draw.nextDouble() >= probability) {
      return new State(s.round() + 1, theta, s.weight());
    }
    double[] own = theta.row(0);
    double[] letter = Arrays.copyOf(own, own.length + 1);
    letter[own.length] = s.weight() / 2;
    mail.send(listeners.get(draw.nextInt(listeners.size())), theta.of(new double[][] {letter}));
    return new State(s.round() + 1, theta, s.weight() / 2);
  }

  @Override
  public State receive(State s, Letter letter, Mail mail) {
    double[] words = letter.content().row(0);
    int p = words.length - 1;
    if (!(words[p] > 0)) {
      // No honest client says so, and it would turn others' parameters round.
      return s;
    }
    double weight = s.weight() + words[p];
    Rows theirs = s.theta().of(new double[][] {Arrays.copyOf(words, p)});
    Rows theta = s.theta().times(s.weight() / weight).plus(words[p] / weight, theirs);
    return new State(s.round(), theta, weight);
  }

  /** The parameters and their weight. */
  @Override
  public List<Integer> letterWidths(int parameters) {
    return List.of(parameters + 1);
  }

  /** {@code --algorithm gosgd}. */
  public static final class Descriptor implements AlgorithmDescriptor {
    @Override
    public String name() {
      return "gosgd";
    }

    @Override
    public String summary() {
      return "push gossip with sum weights (Blot et al. 2016)";
    }

    @Override
    public List<String> parameters() {
      return List.of("P");
    }

    @Override
    public Set<Need> needs() {
      return EnumSet.of(Need.STRONGLY_CONNECTED, Need.MEAN_MIXING);
    }

    @Override
    public Weighting weighting() {
      return Weighting.BY_SIZE;
    }

    @Override
    public boolean asynchronous() {
      return true;
    }

    @Override
    public Set<Option> options() {
      return EnumSet.of(Option.BATCH);
    }

    @Override
    public Algorithm<?> make(Request request) {
      return new GoSgd(
          request.step(), request.batch(), request.parameter(0, 0.5), request.scales());
    }
  }
}
