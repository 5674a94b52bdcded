package ngd.peer.faults;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.file.Sha256;
import ngd.core.model.Logistic;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.world.ShardsLocal;
import ngd.core.world.World;
import ngd.peer.PeerContext;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A small program of sums and rounds that both worlds can run: the simulator, which is the oracle,
 * and peers, each of which sees its own rows alone.
 *
 * @param rounds of NGD, in two stages; none for sums alone
 * @param sums how many sums, each of terms that the one before decides
 */
record FaultFit(String topology, int clients, int parameters, int rounds, int sums) {
  static final Streams STREAMS = Streams.of(29);
  private static final Ngd METHOD = new Ngd(StepSize.constant(0.05));
  private static final Map<FaultFit, double[][]> ROUNDS = new ConcurrentHashMap<>();

  Network network() {
    return Network.of(Topology.parse(topology, clients, STREAMS));
  }

  private int rows(int client) {
    return 4 + 3 * client;
  }

  private Objective objective(int... who) {
    Shards.Filler filler = Shards.sized(parameters, Arrays.stream(who).map(this::rows).toArray());
    for (int place = 0; place < who.length; place++) {
      UniformRandomProvider draw = STREAMS.stream(Streams.Purpose.DATA, who[place]);
      for (int i = 0; i < rows(who[place]); i++) {
        double[] x = new double[parameters];
        Arrays.setAll(x, _ -> 2 * draw.nextDouble() - 1);
        filler.put(place, i, x, draw.nextInt(2));
      }
    }
    return new Logistic().over(filler.done());
  }

  private double term(double before, int client, int j) {
    return Math.sin(before + client + 10 * j) * Math.pow(2, 3 * client);
  }

  /**
   * What each client must come to: its parameters after all rounds, then the last sums.
   *
   * @param data each client's, as {@link #program} is given it
   */
  double[][] expected(List<Integer> data) {
    double[][] found = ROUNDS.computeIfAbsent(this, FaultFit::simulated);
    double[] last = sums(data);
    return Arrays.stream(found)
        .map(theta -> DoubleStream.concat(Arrays.stream(theta), Arrays.stream(last)).toArray())
        .toArray(double[][]::new);
  }

  /** The sums by decimal arithmetic. */
  private double[] sums(List<Integer> data) {
    double[] now = new double[parameters];
    for (int sum = 0; sum < sums; sum++) {
      double[] before = now;
      now = new double[parameters];
      for (int j = 0; j < parameters; j++) {
        BigDecimal exact = BigDecimal.ZERO;
        for (int m = 0; m < clients; m++) {
          exact = exact.add(new BigDecimal(term(before[j], m, j) + data.get(m)));
        }
        now[j] = exact.doubleValue();
      }
    }
    return now;
  }

  /** The rounds by the simulator. */
  private double[][] simulated() {
    double[][] found = new double[clients][parameters];
    if (rounds > 0) {
      int[] all = IntStream.range(0, clients).toArray();
      Simulation simulation = new Simulation(network(), objective(all), STREAMS, 1);
      try (Run<?> run = simulation.start(METHOD)) {
        run.advance(rounds);
        Arrays.setAll(found, run.theta()::row);
      }
    }
    return found;
  }

  /**
   * What a peer does.
   *
   * @param data another number for other data
   */
  double[] program(PeerContext context, int data) {
    int self = context.self();
    byte[] _ = context.commit(new Sha256().add("data").add(self).add(data).bytes());
    double[] result = new double[2 * parameters];
    double[] now = new double[parameters];
    for (int sum = 0; sum < (sums + 1) / 2; sum++) {
      now = next(context, now, data);
    }
    if (rounds > 0) {
      World world = context.world(ShardsLocal.of(objective(self), context.host(), STREAMS, self));
      Ngd.State start = METHOD.start(world.block(new double[1][parameters]));
      Ngd.State half = world.advance(METHOD, start, rounds / 2);
      Algorithm.State last = world.advance(METHOD, half, rounds - rounds / 2);
      System.arraycopy(last.theta().row(0), 0, result, 0, parameters);
    }
    for (int sum = (sums + 1) / 2; sum < sums; sum++) {
      now = next(context, now, data);
    }
    context.requireAgreement();
    System.arraycopy(now, 0, result, parameters, parameters);
    return result;
  }

  private double[] next(PeerContext context, double[] before, int data) {
    double[] own = new double[parameters];
    Arrays.setAll(own, j -> term(before[j], context.self(), j) + data);
    return context.totals().total(own);
  }
}
