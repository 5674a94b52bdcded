package ngd.core.algorithm.asynchronous;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
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
 * <p>A client that wakes more often would count for more. So clients also average a clock, to which
 * each adds 1 when it wakes: it tells all of them how often they woke on average, and a client's
 * step is as long as that time since its last one. With equal clocks it is 1.
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

  /**
   * After a long absence a client catches up by steps of this length at most. One that always wakes
   * less than half as often as the others on average never does, and counts for less.
   */
  private static final double LONGEST = 2;

  /**
   * Where the client stands.
   *
   * @param clock how often clients woke, on average
   * @param used the time on that clock for which it has stepped
   */
  public record State(int round, Rows theta, double clock, double used)
      implements Algorithm.State {}

  @Override
  public State start(Rows theta, Mail mail) {
    return new State(0, theta, 0, 0);
  }

  @Override
  public State wake(State s, Mail mail, Local local, Draws draws) {
    double clock = s.clock() + 1;
    List<Integer> others = mail.listeners();
    if (!others.isEmpty()) {
      int partner = others.get(draws.of(0).nextInt(others.size()));
      mail.send(partner, s.theta().of(new double[][] {words(s.theta(), clock)}));
    }
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows gradient = data.gradient(s.theta()).times(scales.of(mail.self()));
    double length = Math.clamp(clock - s.used(), 0, LONGEST);
    return new State(
        s.round() + 1,
        s.theta().minus(length * alpha.at(s.round()), gradient),
        clock,
        s.used() + length);
  }

  /**
   * A request is what its writer holds; its answer is that and, after it, what the partner does.
   */
  @Override
  public State receive(State s, Letter letter, Mail mail) {
    double[] letterWords = letter.content().row(0);
    int width = s.theta().width() + 1;
    double[] theirs =
        Arrays.copyOfRange(letterWords, letterWords.length - width, letterWords.length);
    boolean answer = letterWords.length == 2 * width;
    double[] said = answer ? Arrays.copyOf(letterWords, width) : words(s.theta(), s.clock());
    if (!answer) {
      double[] both = Arrays.copyOf(letterWords, 2 * width);
      System.arraycopy(said, 0, both, width, width);
      mail.send(letter.from(), s.theta().of(new double[][] {both}));
    }
    Rows other = s.theta().of(new double[][] {Arrays.copyOf(theirs, width - 1)});
    Rows own = s.theta().of(new double[][] {Arrays.copyOf(said, width - 1)});
    return new State(
        s.round(),
        s.theta().plus(0.5, other).minus(0.5, own),
        s.clock() + 0.5 * (theirs[width - 1] - said[width - 1]),
        s.used());
  }

  /** The parameters, and the clock after them. */
  private static double[] words(Rows theta, double clock) {
    double[] words = Arrays.copyOf(theta.row(0), theta.width() + 1);
    words[theta.width()] = clock;
    return words;
  }

  /** A request, or an answer to one. */
  @Override
  public List<Integer> letterWidths(int parameters) {
    return List.of(parameters + 1, 2 * (parameters + 1));
  }

  /** {@code --algorithm ad-psgd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "ad-psgd",
          "asynchronous averaging with one neighbour at a time (Lian et al. 2018)",
          request -> new AdPsgd(request.step(), request.batch(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
      traits(Trait.ASYNCHRONOUS);
    }

    /**
     * A wake and the answer to it make of two clients' parameters {@code (½ − αℓB, ½; ½, ½)}, a
     * symmetric matrix, with eigenvalues in [−1, 1] while αℓL ≤ 4/3; ℓ is the length of a step.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return new StepLimit(4 / 3.0 / LONGEST, "2 / (3 L)", "");
    }
  }
}
