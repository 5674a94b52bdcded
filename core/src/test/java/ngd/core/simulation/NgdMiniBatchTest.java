package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.world.Batches;
import ngd.core.world.ShardsLocal;
import org.junit.jupiter.api.Test;

/** The contract on mini-batches, and what a batch is. Oracle: its definition, row by row. */
class NgdMiniBatchTest extends AlgorithmContract<Ngd.State> {
  @Override
  protected Algorithm.Rounds<Ngd.State> algorithm(double alpha) {
    return new Ngd(StepSize.constant(alpha), 2);
  }

  @Test
  void order_everyEpoch_visitsEveryRowOnce() {
    int[] sizes = {1, 2, 7, 8, 30};
    Shards shards = RandomData.shards(1, 1, sizes, RandomData.exactly(1));
    for (int size : new int[] {1, 3, 8, 100, Integer.MAX_VALUE}) {
      Batches batches = new Batches(shards.sizes(), Streams.of(2), 0, size);
      for (int m = 0; m < sizes.length; m++) {
        int perEpoch = (sizes[m] - 1) / size + 1;
        int[] previous = new int[0];
        for (int epoch = 0; epoch < 4; epoch++) {
          int[] visits = new int[sizes[m]];
          for (int round = epoch * perEpoch; round < (epoch + 1) * perEpoch; round++) {
            int rows = batches.to(m, round) - batches.from(m, round);
            boolean last = round + 1 == (epoch + 1) * perEpoch;
            assertThat(rows).isBetween(1, size);
            assertThat(rows == size || last).isTrue();
            for (int i = batches.from(m, round); i < batches.to(m, round); i++) {
              visits[batches.order(m, round)[i]]++;
            }
          }
          assertThat(visits).containsOnly(1);
          int[] order = batches.order(m, epoch * perEpoch).clone();
          if (sizes[m] == 30) {
            assertThat(order).isNotEqualTo(previous);
          }
          previous = order;
        }
      }
    }
  }

  /** A peer that holds client m alone draws what the simulator draws for its row m. */
  @Test
  void order_anyGroupingOfClients_isTheSame() {
    int[] sizes = {4, 9, 6};
    Shards all = RandomData.shards(1, 1, sizes, RandomData.exactly(1));
    Batches together = new Batches(all.sizes(), Streams.of(3), 0, 4);
    for (int m = 0; m < sizes.length; m++) {
      Shards own = RandomData.shards(1, 1, new int[] {sizes[m]}, RandomData.exactly(1));
      Batches alone = new Batches(own.sizes(), Streams.of(3), m, 4);
      for (int round : new int[] {5, 0, 3, 17, 2}) {
        assertThat(alone.order(0, round)).isEqualTo(together.order(m, round));
        assertThat(alone.from(0, round)).isEqualTo(together.from(m, round));
        assertThat(alone.to(0, round)).isEqualTo(together.to(m, round));
      }
    }
    assertThat(new Batches(all.sizes(), Streams.of(4), 0, 4).order(1, 0))
        .isNotEqualTo(together.order(1, 0));
  }

  @Test
  void batchGradient_meanOverAnEpochOfEqualBatches_isTheFullGradient() {
    for (Glm loss : new Glm[] {new Linear(), new Logistic()}) {
      Shards shards =
          RandomData.shards(5, 3, RandomData.equal(4, 24), RandomData.labels(1, -1, 0.5));
      Host host = new Host(Kernels.best(), new Workers(1));
      Local local = ShardsLocal.of(loss.over(shards), host, Streams.of(1), 0);
      double[][] points = new double[4][];
      Arrays.setAll(points, m -> new double[] {m, 1 - m, 0.3});
      Rows at = host.of(points);
      Rows full = local.gradient(at);
      double[][] mean = new double[4][3];
      for (int round = 6; round < 12; round++) {
        Rows part = local.batch(4, round).gradient(at);
        for (int m = 0; m < 4; m++) {
          for (int j = 0; j < 3; j++) {
            mean[m][j] += part.get(m, j) / 6;
          }
        }
      }
      for (int m = 0; m < 4; m++) {
        assertThat(mean[m]).containsExactly(full.row(m), within(1e-14));
      }
    }
  }

  @Test
  void batch_asLargeAsTheShards_givesTheFullGradient() {
    Shards shards = RandomData.shards(5, 2, new int[] {3, 9, 1}, RandomData.noisy(1, -1));
    Host host = new Host(Kernels.best(), new Workers(1));
    Local local = ShardsLocal.of(new Linear().over(shards), host, Streams.of(1), 0);
    Rows at = host.of(new double[][] {{1, 2}, {0, 1}, {-3, 1}});
    Rows full = local.gradient(at);
    Rows batch = local.batch(9, 5).gradient(at);
    IntStream.range(0, 3)
        .forEach(m -> assertThat(batch.row(m)).containsExactly(full.row(m), within(1e-14)));
  }
}
