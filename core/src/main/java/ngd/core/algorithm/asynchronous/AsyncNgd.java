package ngd.core.algorithm.asynchronous;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Network gradient descent without a common clock, the paper's first open question: a client that
 * wakes averages the freshest it has heard from each, descends there, and tells its listeners. With
 * equal clocks and no delay it is {@link Ngd}, to the last bit.
 *
 * <p>Clients not heard yet are left out of the average. A letter is its writer's parameters and the
 * number of its updates; one that is older than what is known is ignored.
 *
 * @param staleness how many updates a client may be ahead of one that it hears; beyond that it only
 *     repeats what it last said and waits. 0 for no bound
 */
public record AsyncNgd(StepSize alpha, int staleness) implements Algorithm.Events<AsyncNgd.State> {
  public AsyncNgd {
    if (staleness < 0) {
      throw new InvalidInput("async-ngd: the staleness must be 0 or more; got " + staleness);
    }
  }

  /**
   * Where the client stands and what it last heard.
   *
   * @param heard for each client that it hears, its freshest parameters, or null
   * @param ages the writers' updates at that time, −1 where nothing was heard
   */
  public record State(int round, Rows theta, List<@Nullable Rows> heard, List<Integer> ages)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      List<Rows> all = new ArrayList<>(List.of(theta));
      for (Rows one : heard) {
        if (one != null) {
          all.add(one);
        }
      }
      return all;
    }
  }

  @Override
  public State start(Rows theta, Mail mail) {
    tell(theta, 0, mail);
    List<@Nullable Rows> heard = new ArrayList<>();
    List<Integer> ages = new ArrayList<>();
    for (int i = 0; i < mail.hears().size(); i++) {
      heard.add(null);
      ages.add(-1);
    }
    return new State(0, theta, heard, ages);
  }

  @Override
  public State wake(State s, Mail mail, Local local, Draws draws) {
    if (staleness > 0 && tooFarAhead(s, mail)) {
      tell(s.theta(), s.round(), mail);
      return s;
    }
    Rows mixed = mixed(s, mail);
    Rows theta = mixed.minus(alpha.at(s.round()), local.gradient(mixed));
    tell(theta, s.round() + 1, mail);
    return new State(s.round() + 1, theta, s.heard(), s.ages());
  }

  private boolean tooFarAhead(State s, Mail mail) {
    for (int i = 0; i < s.ages().size(); i++) {
      if (mail.hears().get(i) != mail.self() && s.round() - s.ages().get(i) > staleness) {
        return true;
      }
    }
    return false;
  }

  /** The average of all that was heard, in the order in which a round's product adds. */
  private static Rows mixed(State s, Mail mail) {
    Rows sum = null;
    double total = 0;
    boolean all = true;
    for (int i = 0; i < s.heard().size(); i++) {
      Rows one = mail.hears().get(i) == mail.self() ? s.theta() : s.heard().get(i);
      if (one == null) {
        all = false;
        continue;
      }
      double weight = mail.weight(i);
      sum = sum == null ? one.times(weight) : sum.plus(weight, one);
      total += weight;
    }
    return sum == null ? s.theta() : all ? sum : sum.times(1 / total);
  }

  private static void tell(Rows theta, int round, Mail mail) {
    double[] own = theta.row(0);
    double[] letter = java.util.Arrays.copyOf(own, own.length + 1);
    letter[own.length] = round;
    Rows content = theta.of(new double[][] {letter});
    for (int listener : mail.listeners()) {
      mail.send(listener, content);
    }
  }

  @Override
  public State receive(State s, Letter letter, Mail mail) {
    int at = mail.hears().indexOf(letter.from());
    double[] words = letter.content().row(0);
    int age = (int) words[words.length - 1];
    if (at < 0 || age <= s.ages().get(at)) {
      return s;
    }
    List<@Nullable Rows> heard = new ArrayList<>(s.heard());
    List<Integer> ages = new ArrayList<>(s.ages());
    heard.set(at, s.theta().of(new double[][] {java.util.Arrays.copyOf(words, words.length - 1)}));
    ages.set(at, age);
    return new State(s.round(), s.theta(), heard, ages);
  }

  /** The parameters and the count of updates. */
  @Override
  public List<Integer> letterWidths(int parameters) {
    return List.of(parameters + 1);
  }

  /** {@code --algorithm async-ngd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "async-ngd",
          "asynchronous ngd: each client on its own clock, with the latest values it has heard",
          request -> new AsyncNgd(request.step(), (int) request.parameter(0, 0)));
      parameters("STALENESS");
      needs(Need.MEAN_MIXING);
      traits(Trait.ASYNCHRONOUS);
    }
  }
}
