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

/**
 * Asynchronous decentralized parallel stochastic gradient descent (Lian, Zhang, Zhang and Liu
 * 2018): a client that wakes takes a gradient step and averages with one random neighbour, which
 * averages too. Nobody waits: each side adds half of the difference between what the two said, so
 * the mean over all clients is kept whatever happens meanwhile, unless a letter is lost. It wants
 * mutual links.
 *
 * @param batch the rows of a mini-batch, or 0 for all rows
 */
public record AdPsgd(StepSize alpha, int batch, GradientScales scales)
    implements Algorithm.Events<AdPsgd.State> {
  public AdPsgd {
    if (batch < 0) {
      throw new InvalidInput("batch: must be at least 1 row, or 0 for all of them; got " + batch);
    }
  }

  /** Where the client stands. */
  public record State(int round, Rows theta) implements Algorithm.State {}

  @Override
  public State start(Rows theta, Mail mail) {
    return new State(0, theta);
  }

  @Override
  public State wake(State s, Mail mail, Local local, Draws draws) {
    List<Integer> others = mail.listeners();
    if (!others.isEmpty()) {
      int partner = others.get(draws.of(0).nextInt(others.size()));
      mail.send(partner, s.theta());
    }
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows gradient = data.gradient(s.theta()).times(scales.of(mail.self()));
    return new State(s.round() + 1, s.theta().minus(alpha.at(s.round()), gradient));
  }

  /** A request is a row; its answer is that row and, after it, the partner's. */
  @Override
  public State receive(State s, Letter letter, Mail mail) {
    int p = s.theta().width();
    double[] words = letter.content().row(0);
    double[] theirs = Arrays.copyOfRange(words, words.length - p, words.length);
    boolean answer = words.length == 2 * p;
    Rows said = answer ? s.theta().of(new double[][] {Arrays.copyOf(words, p)}) : s.theta();
    if (!answer) {
      double[] both = Arrays.copyOf(words, 2 * p);
      System.arraycopy(s.theta().row(0), 0, both, p, p);
      mail.send(letter.from(), s.theta().of(new double[][] {both}));
    }
    Rows other = s.theta().of(new double[][] {theirs});
    return new State(s.round(), s.theta().plus(0.5, other).minus(0.5, said));
  }

  /** A request, or an answer to one. */
  @Override
  public List<Integer> letterWidths(int parameters) {
    return List.of(parameters, 2 * parameters);
  }

  /** {@code --algorithm ad-psgd}. */
  public static final class Descriptor implements AlgorithmDescriptor {
    @Override
    public String name() {
      return "ad-psgd";
    }

    @Override
    public String summary() {
      return "asynchronous averaging with one neighbour at a time (Lian et al. 2018)";
    }

    @Override
    public Set<Need> needs() {
      return EnumSet.of(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING);
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
      return new AdPsgd(request.step(), request.batch(), request.scales());
    }
  }
}
