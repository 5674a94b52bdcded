package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.linalg.ExactSum;
import ngd.core.linalg.Kernels;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.world.Course;
import ngd.core.world.ShardsLocal;
import ngd.core.world.World;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Peers that hold one site's rows each and meet only in their exchange come to the bits of the
 * simulator. Oracle: the simulation of all sites in one process.
 */
class PeersApartTest {
  /** Where the peers meet: each lays its vector down, all wait, each takes what it needs. */
  private static final class Meeting {
    private final Network network;
    private final double[][] table;
    private final CyclicBarrier barrier;

    Meeting(Network network) {
      this.network = network;
      table = new double[network.clients()][];
      barrier = new CyclicBarrier(network.clients());
    }

    double[][] gather(int client, double[] own) {
      try {
        table[client] = own;
        barrier.await();
        double[][] all = table.clone();
        barrier.await();
        return all;
      } catch (InterruptedException | BrokenBarrierException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** One peer's exchange. */
  private record Apart(Meeting meeting, int client) implements Exchange {
    @Override
    public Rows mix(Rows x) {
      double[][] all = meeting.gather(client, x.row(0));
      Network network = meeting.network;
      double[] mixed = new double[x.width()];
      for (int e = network.offsets()[client]; e < network.offsets()[client + 1]; e++) {
        for (int j = 0; j < mixed.length; j++) {
          mixed[j] = Math.fma(network.weights()[e], all[network.heard()[e]][j], mixed[j]);
        }
      }
      return x.of(new double[][] {mixed});
    }

    @Override
    public double[] total(double[]... perRow) {
      double[][] all = meeting.gather(client, perRow[0]);
      double[] sums = new double[perRow[0].length];
      for (int j = 0; j < sums.length; j++) {
        ExactSum sum = new ExactSum();
        for (double[] own : all) {
          sum.add(own[j]);
        }
        sums[j] = sum.value();
      }
      return sums;
    }

    @Override
    public double max(double... perRow) {
      double most = Double.NEGATIVE_INFINITY;
      for (double[] own : meeting.gather(client, perRow)) {
        most = Math.max(most, own[0]);
      }
      return most;
    }

    @Override
    public Rows mix(Rows own, CodedRows said) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Rows push(Rows x) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Edges hear(Rows x) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Edges reply(Edges x) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double[] linkWeights() {
      throw new UnsupportedOperationException();
    }
  }

  /** All that a site comes to. */
  private record Found(Inference inference, Diagnostics checks, AnalysisOfDeviance tests) {
    static Found of(Inference inference) {
      return new Found(
          inference,
          Diagnostics.of(inference, SmallCells.MINIMUM),
          AnalysisOfDeviance.of(inference, inference.estimate().terms()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "poisson-offset-weights", "probit"})
  void run_everySiteInItsOwnProcess_givesTheBitsOfTheSimulator(String name)
      throws InterruptedException, ExecutionException {
    SyntheticSites sites = SyntheticSites.of(name, 14);
    int clients = sites.shards().clients();
    Network network = Network.of(Topology.parse("central", clients, Streams.of(1)));
    Inference.Options options = new Inference.Options(Covariance.HC0, 0.95, true);
    Found all = sites.then(PooledFit.Settings.STANDARD, options, Found::of);
    Inference together = all.inference();
    List<Double> pi = StationaryWeights.of(network);
    Meeting meeting = new Meeting(network);
    List<Future<Found>> peers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int m = 0; m < clients; m++) {
        int client = m;
        peers.add(
            threads.submit(
                () -> {
                  Host host = new Host(Kernels.best(), new Workers(1));
                  Streams streams = Streams.of(1);
                  ShardsLocal local =
                      ShardsLocal.of(
                          sites.glm().over(sites.shards().only(client)), host, streams, client);
                  Apart apart = new Apart(meeting, client);
                  Course course = new Course(apart, local, host, streams, client);
                  World world = new World(1, apart, course, World.Stages.PLAIN);
                  PooledFit fit =
                      new PooledFit(
                          sites.glm(),
                          sites.terms(),
                          List.of(pi.get(client)),
                          PooledFit.Settings.STANDARD);
                  return Found.of(Inference.of(fit.run(world, FitProgress.NONE), options));
                }));
      }
    }
    for (Future<Found> future : peers) {
      Inference found = future.get().inference();
      assertThat(future.get().checks()).isEqualTo(all.checks());
      assertThat(future.get().tests()).isEqualTo(all.tests());
      assertThat(found.coefficients()).isEqualTo(together.coefficients());
      assertThat(found.fit()).isEqualTo(together.fit());
      assertThat(found.covariance().orElseThrow()).isEqualTo(together.covariance().orElseThrow());
      assertThat(found.heterogeneity()).isEqualTo(together.heterogeneity());
      assertThat(found.estimate().rounds()).isEqualTo(together.estimate().rounds());
    }
  }
}
