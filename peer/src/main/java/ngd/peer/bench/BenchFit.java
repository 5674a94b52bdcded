package ngd.peer.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.world.ShardsLocal;
import ngd.core.world.World;
import ngd.peer.PeerContext;
import ngd.peer.PeerNode;
import ngd.peer.PeerOptions;
import ngd.peer.PeerSetup;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.Transport;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * A logistic fit by NGD on random rows, the same for every machine.
 *
 * @param rows the rows of each client
 * @param warmUp rounds that are not measured
 */
public record BenchFit(
    String topology, int clients, int parameters, int rows, int warmUp, int rounds) {
  private static final Streams STREAMS = Streams.of(1);
  private static final double ALPHA = 0.05;

  /**
   * Runs one peer to its end.
   *
   * @param folder where it keeps its snapshots, or null
   * @return seconds that rounds took
   */
  public Seconds run(
      int self,
      Agreement agreement,
      List<PeerAddress> sites,
      Transport transport,
      @Nullable Path folder)
      throws IOException, InterruptedException {
    Network network = Network.of(Topology.parse(topology, clients, STREAMS));
    PeerSetup setup =
        new PeerSetup(
            agreement,
            self,
            sites,
            network,
            STREAMS,
            PeerOptions.PLAIN,
            PeerSetup.messageBytes(clients, Math.min(parameters, 100)),
            folder);
    try (PeerNode node = new PeerNode(setup, transport)) {
      return node.run(this::measured);
    }
  }

  /**
   * Seconds that rounds took.
   *
   * @param warmUp those before the measured ones, without the first, in which peers wait until all
   *     have started
   */
  public record Seconds(double warmUp, double rounds) {}

  private Seconds measured(PeerContext context) {
    World world =
        context.world(
            ShardsLocal.of(
                new Logistic().over(shard(context.self())),
                context.host(),
                STREAMS,
                context.self()));
    Ngd method = new Ngd(StepSize.constant(ALPHA));
    Ngd.State state = method.start(world.block(new double[1][parameters]));
    int first = Math.min(1, warmUp);
    state = world.advance(method, state, first);
    long begin = System.nanoTime();
    state = world.advance(method, state, warmUp - first);
    long warm = System.nanoTime();
    world.advance(method, state, rounds);
    return new Seconds((warm - begin) / 1e9, (System.nanoTime() - warm) / 1e9);
  }

  private Shards shard(int client) {
    UniformRandomProvider draw = STREAMS.stream(Streams.Purpose.DATA, client);
    Shards.Filler filler = Shards.sized(parameters, new int[] {rows});
    double[] x = new double[parameters];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < parameters; j++) {
        x[j] = 2 * draw.nextDouble() - 1;
      }
      filler.put(0, i, x, draw.nextInt(2));
    }
    return filler.done();
  }
}
