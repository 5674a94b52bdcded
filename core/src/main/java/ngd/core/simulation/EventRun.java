package ngd.core.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import ngd.core.algorithm.Algorithm;
import ngd.core.linalg.Kernels;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.world.Diverged;
import ngd.core.world.ShardsLocal;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous algorithm under way: every client on its own clock, letters under way, one event
 * after another in simulated time. The same seed gives the same events.
 *
 * <p>Of events at the same time clocks strike before letters arrive, in the order in which they
 * were made: with equal clocks and no delay all clients have heard the last round, and none this
 * one.
 */
public final class EventRun<S extends Algorithm.State> implements SimulatedRun {
  private final Simulation simulation;
  private final Algorithm.Events<S> algorithm;
  private final Impairments impairments;
  private final List<Client> clients = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingDouble(Event::time)
              .thenComparing(event -> event.letter() != null)
              .thenComparingLong(Event::number));
  private final Workers workers = new Workers(1);
  private final Host host = new Host(Kernels.best(), workers);
  private double now;
  private long made;
  private long messages;
  private long bytes;

  /** A message to a client, and the numbers in it. */
  private record Sent(int from, List<Double> words) {}

  /** A clock that strikes, or a letter that arrives. */
  private record Event(double time, long number, int client, @Nullable Sent letter) {}

  EventRun(Simulation simulation, Algorithm.Events<S> algorithm, Impairments impairments) {
    this.simulation = simulation;
    this.algorithm = algorithm;
    this.impairments = impairments;
    int count = simulation.network().clients();
    for (int m = 0; m < count; m++) {
      clients.add(new Client(m));
    }
    clients.forEach(Client::begin);
  }

  /** Lost letters included. */
  @Override
  public Cost cost() {
    long gradients = clients.stream().mapToLong(one -> one.local.gradients().total()).sum();
    return new Cost(new Traffic(messages, bytes), gradients, now);
  }

  /** One client's state. */
  public S state(int client) {
    return clients.get(client).state();
  }

  @Override
  public int round() {
    return (int) Math.round(now);
  }

  @Override
  public Rows theta() {
    double[][] rows = new double[clients.size()][];
    for (int m = 0; m < rows.length; m++) {
      rows[m] = clients.get(m).state().theta().row(0);
    }
    host.recycle(List.of());
    return host.of(rows);
  }

  /** Lets this many simulated seconds pass; throws {@link Diverged} once an estimate is lost. */
  public void advance(double seconds) {
    double end = now + seconds;
    while (!events.isEmpty() && events.peek().time() <= end) {
      Event event = events.remove();
      now = event.time();
      clients.get(event.client()).on(event);
    }
    now = end;
    for (Client client : clients) {
      if (client.own.firstLost(client.state().theta()) >= 0) {
        throw new Diverged((int) Math.min(now, Integer.MAX_VALUE), client.number);
      }
    }
  }

  @Override
  public void advance(int seconds, IntPredicate wants, Runnable look) {
    for (int second = 0; second < seconds; second++) {
      advance(1.0);
      if (wants.test(round())) {
        look.run();
      }
    }
  }

  @Override
  public void close() {
    workers.close();
  }

  /** One client, alone with its data. */
  private final class Client implements Algorithm.Mail {
    private final int number;
    private final Host own = new Host(Kernels.best(), workers);
    private final ShardsLocal local;
    private final UniformRandomProvider draw;
    private final List<Integer> hears = new ArrayList<>();
    private final List<Integer> listeners = new ArrayList<>();
    private final double pace;
    private int strikes;
    private double awayFrom = Double.POSITIVE_INFINITY;
    private double awayUntil = Double.POSITIVE_INFINITY;
    private @Nullable S state;

    Client(int number) {
      this.number = number;
      Network network = simulation.network();
      for (int e = network.offsets()[number]; e < network.offsets()[number + 1]; e++) {
        hears.add(network.heard()[e]);
      }
      for (int m = 0; m < network.clients(); m++) {
        if (m != number && network.weight(m, number) > 0) {
          listeners.add(m);
        }
      }
      Objective all = simulation.objective();
      Objective alone = all.loss().over(all.shards().only(number));
      local = ShardsLocal.of(alone, own, simulation.streams(), number);
      draw = simulation.streams().stream(Streams.Purpose.EVENTS, number);
      pace = impairments.clocks() == Impairments.Clocks.UNEQUAL ? 0.5 + draw.nextDouble() : 1;
      if (impairments.up() > 0) {
        awayFrom = exponential(impairments.up());
        awayUntil = awayFrom + exponential(impairments.down());
      }
    }

    S state() {
      if (state == null) {
        throw new IllegalStateException("the client has not begun");
      }
      return state;
    }

    void begin() {
      state = algorithm.start(own.zeros(1, simulation.objective().parameters()), this);
      own.recycle(state().rows());
      strikeLater();
    }

    private void strikeLater() {
      double wait = impairments.clocks() == Impairments.Clocks.POISSON ? exponential(1) : pace;
      events.add(new Event(now + wait, made++, number, null));
    }

    void on(Event event) {
      boolean here = here();
      Sent letter = event.letter();
      if (letter == null) {
        if (here) {
          Draws draws = new Draws(simulation.streams(), strikes, number);
          state = algorithm.wake(state(), this, local, draws);
        }
        strikes++;
        strikeLater();
      } else if (here) {
        HostRows content = own.of(new double[][] {unboxed(letter.words())});
        state = algorithm.receive(state(), new Algorithm.Letter(letter.from(), content), this);
      }
      own.recycle(state().rows());
    }

    /** Whether the client is there now; moves on to its next absence when one has passed. */
    private boolean here() {
      while (now >= awayUntil) {
        awayFrom = awayUntil + exponential(impairments.up());
        awayUntil = awayFrom + exponential(impairments.down());
      }
      return now < awayFrom;
    }

    private double exponential(double mean) {
      return mean * ZigguratSampler.Exponential.of(draw).sample();
    }

    @Override
    public List<Integer> hears() {
      return hears;
    }

    @Override
    public double weight(int i) {
      Network network = simulation.network();
      return network.weights()[network.offsets()[number] + i];
    }

    @Override
    public List<Integer> listeners() {
      return listeners;
    }

    @Override
    public int self() {
      return number;
    }

    @Override
    public void send(int to, Rows content) {
      messages++;
      bytes += (long) Double.BYTES * content.width();
      if (impairments.loss() > 0 && draw.nextDouble() < impairments.loss()) {
        return;
      }
      double delay = impairments.delay() == 0 ? 0 : exponential(impairments.delay());
      List<Double> words = new ArrayList<>(content.width());
      for (double word : content.row(0)) {
        words.add(word);
      }
      events.add(new Event(now + delay, made++, to, new Sent(number, words)));
    }
  }

  private static double[] unboxed(List<Double> words) {
    return words.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
