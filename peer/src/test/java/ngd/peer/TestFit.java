package ngd.peer;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.asynchronous.AsyncNgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.codec.Codec;
import ngd.core.data.Shards;
import ngd.core.model.Logistic;
import ngd.core.model.Objective;
import ngd.core.network.Activation;
import ngd.core.network.ImpairedNetwork;
import ngd.core.network.LinkFailures;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trust;
import ngd.core.world.Mixing;
import ngd.core.world.ShardsLocal;
import ngd.core.world.World;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A logistic fit on unequal random shards that both worlds can run: the simulator, which is the
 * oracle, and peers, each of which sees its own shard alone.
 *
 * @param topology a network's words, and after spaces those of failing links and of who takes part
 * @param algorithm a method's name, {@code auto} for NGD with a step size of its own finding
 */
record TestFit(String topology, int clients, String algorithm, int rounds, int parameters) {
  static final Streams STREAMS = Streams.of(17);

  /** No rounds: sums alone, each of terms that the one before decides. */
  static final String SUMS = "sums";

  /** As many sums as there would be rounds; what one client comes to. */
  double[] sums(UnaryOperator<double[]> total, int client) {
    double[] now = new double[parameters];
    for (int sum = 0; sum < rounds; sum++) {
      double[] own = new double[parameters];
      for (int j = 0; j < parameters; j++) {
        own[j] = Math.sin(now[j] + client + 10 * j);
      }
      now = total.apply(own);
    }
    return now;
  }

  /** The same in one process, by decimal arithmetic. */
  double[] sumsAtOnce() {
    double[] now = new double[parameters];
    for (int sum = 0; sum < rounds; sum++) {
      double[] next = new double[parameters];
      for (int j = 0; j < parameters; j++) {
        BigDecimal exact = BigDecimal.ZERO;
        for (int m = 0; m < clients; m++) {
          exact = exact.add(new BigDecimal(Math.sin(now[j] + m + 10 * j)));
        }
        next[j] = exact.doubleValue();
      }
      now = next;
    }
    return now;
  }

  NetworkSchedule network() {
    String[] words = topology.split(" ", -1);
    Topology links = Topology.parse(words[0], clients, STREAMS);
    boolean lazy = algorithm.equals("extra") || algorithm.equals("collaborative");
    NetworkSchedule whole =
        NetworkSchedule.of(links, lazy ? new Weights.LazyMetropolis() : Weights.standard(links));
    return ImpairedNetwork.of(
        whole,
        Optional.of(words).filter(all -> all.length > 1).map(all -> LinkFailures.parse(all[1])),
        Optional.of(words).filter(all -> all.length > 2).map(all -> Activation.parse(all[2])),
        STREAMS);
  }

  int rows(int client) {
    return 10 + 7 * client;
  }

  /** The rows of one client: a function of its number, so that nobody needs the others'. */
  private void fill(Shards.Filler into, int place, int client) {
    UniformRandomProvider draw = STREAMS.stream(Streams.Purpose.DATA, client);
    for (int i = 0; i < rows(client); i++) {
      double[] x = new double[parameters];
      double eta = 0;
      for (int j = 0; j < parameters; j++) {
        x[j] = 2 * draw.nextDouble() - 1 + 0.1 * client;
        eta += x[j] * (j % 3 - 1);
      }
      into.put(place, i, x, draw.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : 0);
    }
  }

  private Objective objective(List<Integer> who) {
    Shards.Filler filler = Shards.sized(parameters, who.stream().mapToInt(this::rows).toArray());
    for (int i = 0; i < who.size(); i++) {
      fill(filler, i, who.get(i));
    }
    return new Logistic().over(filler.done());
  }

  private Algorithm<?> algorithm(GradientScales scales) {
    StepSize alpha = StepSize.constant(0.05);
    return switch (algorithm) {
      case "auto" -> new AutoStep<>(a -> new Ngd(StepSize.constant(a)), scales, 1, 0, false);
      case "async-ngd" -> new AsyncNgd(alpha, 0);
      default -> {
        String[] words = algorithm.split(" ", 2);
        yield AlgorithmChoice.of(words[0], new StepChoice.Given(alpha))
            .with(Codec.parse(words.length > 1 ? words[1] : "none"))
            .algorithm(scales, false, StepLimit.TWO);
      }
    };
  }

  /** Every client's parameters after all rounds in the simulator. */
  double[][] simulated() {
    return simulated(new Mixing.Mean());
  }

  double[][] simulated(Mixing mixing) {
    List<Integer> all = new ArrayList<>();
    for (int m = 0; m < clients; m++) {
      all.add(m);
    }
    Simulation simulation =
        new Simulation(network(), objective(all), STREAMS, 1).with(new Trust(mixing));
    Algorithm.Rounds<?> method = (Algorithm.Rounds<?>) algorithm(GradientScales.NONE);
    try (Run<?> run = simulation.start(method)) {
      run.advance(rounds);
      double[][] theta = new double[clients][];
      Arrays.setAll(theta, run.theta()::row);
      return theta;
    }
  }

  /**
   * What a peer does: agrees on the rows of all, runs the rounds, agrees on a checksum of sorts.
   */
  double[] program(PeerContext context) {
    if (algorithm.equals(SUMS)) {
      return sums(own -> context.totals().total(own), context.self());
    }
    double[] theta = untilLastRound(context);
    double most = context.totals().max(theta[0]);
    return most >= theta[0] ? theta : new double[0];
  }

  /** The same without the last agreement. */
  double[] untilLastRound(PeerContext context) {
    ShardsLocal local =
        ShardsLocal.of(objective(List.of(context.self())), context.host(), STREAMS, context.self());
    World world = context.world(local);
    double[] total = world.totals().total(new double[] {rows(context.self())});
    int expected = 0;
    for (int m = 0; m < clients; m++) {
      expected += rows(m);
    }
    if (total[0] != expected) {
      throw new IllegalStateException(
          "rows of all: must be %d; got %s".formatted(expected, total[0]));
    }
    double[] start = new double[parameters];
    Algorithm.State last =
        switch (algorithm(GradientScales.NONE)) {
          case Algorithm.Rounds<?> method -> inTwoStages(world, method, start);
          case Algorithm.Events<?> method -> context.advance(method, local, start, rounds);
        };
    return last.theta().row(0);
  }

  private <S extends Algorithm.State> S inTwoStages(
      World world, Algorithm.Rounds<S> method, double[] start) {
    S state = method.start(world.block(new double[][] {start}));
    S half = world.advance(method, state, rounds / 2);
    return world.advance(method, half, rounds - rounds / 2);
  }
}
