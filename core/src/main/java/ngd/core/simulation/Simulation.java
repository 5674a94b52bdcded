package ngd.core.simulation;

import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Snapshot;
import ngd.core.linalg.Kernels;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.privacy.GradientPrivacy;
import ngd.core.privacy.NoisedLocal;
import ngd.core.privacy.PairGraph;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Workers;
import ngd.core.world.Course;
import ngd.core.world.GradientCount;
import ngd.core.world.ShardsLocal;
import ngd.core.world.World;

/**
 * M virtual clients in one process: a network, constant or by round, every client's loss, a seed
 * and a number of threads. Algorithms start on it, any number of times.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="simulation"}
 */
public record Simulation(
    NetworkSchedule schedule,
    Objective objective,
    Streams streams,
    int threads,
    Trust trust,
    Optional<GradientPrivacy> privacy) {
  public Simulation {
    if (schedule.clients() != objective.clients()) {
      throw new InvalidInput(
          "simulation: network and data must have the same clients; got %d and %d"
              .formatted(schedule.clients(), objective.clients()));
    }
    trust.requireClients(schedule.clients());
    if (threads < 1) {
      throw new InvalidInput("threads: must be at least 1; got " + threads);
    }
  }

  /** All clients honest and trusted. */
  public Simulation(NetworkSchedule schedule, Objective objective, Streams streams, int threads) {
    this(schedule, objective, streams, threads, Trust.FULL, Optional.empty());
  }

  /** Who hears whom in any round: W itself, where it never changes. */
  public Network network() {
    return schedule.union();
  }

  /** The same clients, of whom some may lie. */
  public Simulation with(Trust other) {
    return new Simulation(schedule, objective, streams, threads, other, privacy);
  }

  /** The same clients, who show their gradients with noise, and nothing else of their data. */
  public Simulation with(GradientPrivacy noise) {
    return new Simulation(schedule, objective, streams, threads, trust, Optional.of(noise));
  }

  /** The clients' data as algorithms in rounds see them. */
  Local local(Host host) {
    Objective seen = trust.poisoned(objective);
    return privacy
        .<Local>map(noise -> NoisedLocal.seeded(seen, noise, PairGraph.of(network()), streams))
        .orElseGet(() -> ShardsLocal.of(seen, host, streams, 0));
  }

  /** On all cores, with seed 1. */
  public static Simulation of(NetworkSchedule schedule, Objective objective) {
    return new Simulation(
        schedule, objective, Streams.of(1), Runtime.getRuntime().availableProcessors());
  }

  /** The exchange of all virtual clients in this process. */
  public static Exchange exchange(NetworkSchedule schedule) {
    return new SimulatedExchange(schedule, new Host(Kernels.best(), new Workers(1)));
  }

  /** Starts an algorithm with every client at zero. */
  public <S extends Algorithm.State> Run<S> start(Algorithm.Rounds<S> algorithm) {
    return start(algorithm, Impairments.PERFECT);
  }

  /** The same, where the clients' clocks and messages make rounds longer. */
  public <S extends Algorithm.State> Run<S> start(
      Algorithm.Rounds<S> algorithm, Impairments impairments) {
    Host host = host();
    return new Run<>(
        this,
        algorithm,
        impairments,
        host,
        algorithm.start(host.zeros(schedule.clients(), objective.parameters())));
  }

  /**
   * The count of what is asked of data.
   *
   * @param rests who sits the round out
   */
  GradientCount count(Local local, IntPredicate rests) {
    GradientCount gradients = ((GradientCount.Counting) local).gradients();
    if (schedule.hasRests()) {
      gradients.resting(rests);
    }
    return gradients;
  }

  /** Starts an algorithm with client m at {@code theta[m]}. */
  public <S extends Algorithm.State> Run<S> start(Algorithm.Rounds<S> algorithm, double[][] theta) {
    String allowed =
        "start: must be %d rows of %d".formatted(schedule.clients(), objective.parameters());
    if (theta.length != schedule.clients()) {
      throw new InvalidInput("%s; got %d rows".formatted(allowed, theta.length));
    }
    for (int m = 0; m < theta.length; m++) {
      if (theta[m].length != objective.parameters()) {
        throw new InvalidInput("%s; row %d has %d".formatted(allowed, m, theta[m].length));
      }
    }
    Host host = host();
    return new Run<>(this, algorithm, Impairments.PERFECT, host, algorithm.start(host.of(theta)));
  }

  /** Goes on from where a run of the same algorithm stood when its state was kept. */
  public <S extends Algorithm.State> Run<S> resume(Algorithm.Rounds<S> algorithm, byte[] snapshot) {
    if (!trust.attackers().isEmpty()) {
      throw new InvalidInput(
          "resume: must be without attackers, whose lies are not kept; got " + trust.attackers());
    }
    if (privacy.isPresent()) {
      throw new InvalidInput("resume: must be without privacy, whose spent budget is not kept");
    }
    Host host = host();
    S start = algorithm.start(host.zeros(schedule.clients(), objective.parameters()));
    S state = Snapshot.restore(snapshot, start, host);
    if (state.theta().rows() != schedule.clients()
        || state.theta().width() != objective.parameters()) {
      throw new InvalidInput(
          "resume: must hold %d clients with %d parameters each; got %d with %d"
              .formatted(
                  schedule.clients(),
                  objective.parameters(),
                  state.theta().rows(),
                  state.theta().width()));
    }
    return new Run<>(this, algorithm, Impairments.PERFECT, host, state);
  }

  /** Starts an asynchronous algorithm with every client at zero, at time 0. */
  public <S extends Algorithm.State> EventRun<S> start(
      Algorithm.Events<S> algorithm, Impairments impairments) {
    return new EventRun<>(this, algorithm, impairments);
  }

  /** Starts an algorithm, in rounds or in events, with every client at zero. */
  public SimulatedRun begin(Algorithm<?> algorithm, Impairments impairments) {
    return switch (algorithm) {
      case Algorithm.Rounds<?> rounds -> start(rounds, impairments);
      case Algorithm.Events<?> events -> start(events, impairments);
    };
  }

  /**
   * Does something in a world of these clients, for what is more than rounds; its threads end with
   * it.
   */
  public <T> T within(Function<World, T> work) {
    return within((world, _) -> work.apply(world));
  }

  /** The same, with what it has cost so far; to be asked after every round. */
  public <T> T within(BiFunction<World, Supplier<Cost>, T> work) {
    Host host = host();
    try {
      RoundClock clock = new RoundClock(Impairments.PERFECT, schedule.clients(), streams);
      SimulatedExchange exchange = new SimulatedExchange(schedule, host, trust, streams, clock);
      Local local = local(host);
      GradientCount gradients = count(local, exchange::rests);
      Course course = new Course(exchange, local, host, streams, 0);
      World world = new World(schedule.clients(), exchange, course, World.Stages.PLAIN);
      return work.apply(
          world,
          () -> {
            clock.endRound(gradients);
            return new Cost(exchange.traffic(), gradients.total(), clock.seconds());
          });
    } finally {
      host.workers().close();
    }
  }

  private Host host() {
    return new Host(Kernels.best(), new Workers(threads));
  }
}
