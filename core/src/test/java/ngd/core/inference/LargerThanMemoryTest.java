package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.RandomInput;
import ngd.core.algorithm.LossLocal;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.RowFactors;
import ngd.core.data.Shard;
import ngd.core.data.ShardCopies;
import ngd.core.data.Shards;
import ngd.core.data.ShardsHash;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows in a file. Oracles: the same rows in memory, in blocks of the same size for the bits and in
 * one block for the numbers, which other tests compare with R.
 */
class LargerThanMemoryTest {
  private static final int DRAWS = 3;

  @TempDir private Path folder;

  private static final Network NETWORK = Network.of(Topology.parse("regular:3", 24, Streams.of(3)));

  private static final Inference.Options OPTIONS =
      new Inference.Options(Covariance.HC1, 0.95, false);

  private static Inference fit(SyntheticSites sites, Shards shards) {
    return SyntheticSites.fit(
        sites.glm(), shards, sites.terms(), NETWORK, PooledFit.Settings.STANDARD, OPTIONS);
  }

  /** All numbers of an answer, in the order in which they are told. */
  private static List<Double> numbers(Inference found) {
    GoodnessOfFit fit = found.fit();
    return Stream.concat(
            found.coefficients().stream()
                .flatMap(
                    line -> Stream.of(line.estimate(), line.standardError(), line.statistic())),
            Stream.of(fit.deviance(), fit.nullDeviance(), fit.logLikelihood(), fit.aic()))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian-offset-weights",
        "gaussian-no-intercept",
        "logit",
        "probit",
        "poisson-offset-weights",
        "gamma-weights",
        "negative-binomial"
      })
  void fit_rowsInAFile_isThatOfRowsInMemory(String name) {
    SyntheticSites sites = SyntheticSites.of(name, 0);
    List<Double> whole = numbers(fit(sites, sites.shards()));
    RandomInput random = RandomInput.of(7);
    for (int draw = 0; draw < DRAWS; draw++) {
      int block = 8 * random.between(1, 12);
      Shards inFile = ShardCopies.inFile(sites.shards(), block, folder);
      List<Double> found = numbers(fit(sites, inFile));
      assertThat(found)
          .as("blocks of %d rows", block)
          .isEqualTo(numbers(fit(sites, ShardCopies.inBlocks(sites.shards(), block))));
      for (int i = 0; i < whole.size(); i++) {
        assertThat(found.get(i))
            .as("number %d, blocks of %d rows", i, block)
            .isCloseTo(whole.get(i), within(1e-9 * (1 + Math.abs(whole.get(i)))));
      }
    }
  }

  @Test
  void diagnostics_rowsInAFile_areThoseOfRowsInMemory() {
    SyntheticSites sites = SyntheticSites.of("logit", 0);
    Shards inFile = ShardCopies.inFile(sites.shards(), 16, folder);
    SyntheticSites filed = new SyntheticSites(sites.glm(), inFile, sites.terms());
    SyntheticSites held =
        new SyntheticSites(sites.glm(), ShardCopies.inBlocks(sites.shards(), 16), sites.terms());
    Diagnostics found = filed.then(PooledFit.Settings.STANDARD, OPTIONS, i -> Diagnostics.of(i, 1));
    assertThat(found.discrimination()).isPresent();
    assertThat(found.toString())
        .isEqualTo(
            held.then(PooledFit.Settings.STANDARD, OPTIONS, i -> Diagnostics.of(i, 1)).toString());
  }

  @Test
  void rounds_rowsInAFile_areThoseOfRowsInMemory() {
    SyntheticSites sites = SyntheticSites.of("logit", 0);
    double[] filed = rounds(sites, ShardCopies.inFile(sites.shards(), 8, folder));
    assertThat(filed).isEqualTo(rounds(sites, ShardCopies.inBlocks(sites.shards(), 8)));
    double[] whole = rounds(sites, sites.shards());
    for (int j = 0; j < whole.length; j++) {
      assertThat(filed[j]).isCloseTo(whole[j], within(1e-12));
    }
  }

  /** Also where folds bring classes of rows together, whose numbers span many blocks. */
  @ParameterizedTest
  @CsvSource({"gaussian-offset-weights, 1", "logit, 1", "logit, 4", "poisson-offset-weights, 3"})
  void penalty_rowsInAFile_isThatOfRowsInMemory(String name, int fewest) {
    SyntheticSites sites = SyntheticSites.of(name, 0);
    String filed = penalised(sites, ShardCopies.inFile(sites.shards(), 16, folder), fewest);
    assertThat(filed)
        .isEqualTo(penalised(sites, ShardCopies.inBlocks(sites.shards(), 16), fewest))
        .contains("CrossValidation[folds=5");
  }

  private static String penalised(SyntheticSites sites, Shards shards, int fewest) {
    PenalisedFit fit =
        new PenalisedFit(
            PooledFit.on(NETWORK, sites.glm(), sites.terms(), PooledFit.Settings.STANDARD),
            new PenalisedFit.Settings(
                ElasticNet.LASSO,
                List.of(0.1, 0.02),
                2,
                OptionalDouble.empty(),
                5,
                PenalisedFit.Choice.MIN));
    return new Simulation(NETWORK, sites.glm().over(shards), Streams.of(1), 1)
        .within(
            world ->
                fit.run(world, new PenalisedFit.Drawing(Streams.of(1), 0, fewest), FitProgress.NONE)
                    .toString());
  }

  private static double[] rounds(SyntheticSites sites, Shards shards) {
    Ngd ngd = new Ngd(StepSize.constant(0.01));
    return new Simulation(NETWORK, sites.glm().over(shards), Streams.of(1), 1)
        .within(
            world -> {
              var start = world.block(new double[24][shards.features()]);
              return world.advance(ngd, ngd.start(start), 20).theta().row(5);
            });
  }

  @Test
  void hash_rowsInAFile_isThatOfRowsInMemory() {
    SyntheticSites sites = SyntheticSites.of("poisson-offset-weights", 0);
    assertThat(ShardsHash.of(sites.terms(), ShardCopies.inFile(sites.shards(), 24, folder)))
        .isEqualTo(ShardsHash.of(sites.terms(), sites.shards()));
  }

  /**
   * Folds multiply weights by factors of a client's rows, which a process of its own holds alone.
   */
  @ParameterizedTest
  @ValueSource(strings = {"logit", "poisson-offset-weights"})
  void only_rowsInAFile_isThatOfRowsInMemory(String name) {
    Shards held = SyntheticSites.of(name, 0).shards();
    Shards filed = ShardCopies.inFile(held, 8, folder);
    RowFactors factors = (m, i) -> 1 + 31 * m + i;
    for (int m = 0; m < held.clients(); m += 7) {
      int client = m;
      double[] expected = held.weighted(factors).only(m).sum(0, LargerThanMemoryTest::weights);
      assertThat(filed.weighted(factors).only(m).sum(0, LargerThanMemoryTest::weights))
          .isEqualTo(expected);
      assertThat(
              filed
                  .only(m)
                  .weighted((_, i) -> factors.of(client, i))
                  .sum(0, LargerThanMemoryTest::weights))
          .isEqualTo(expected);
    }
  }

  /** Exact sums, of whole numbers, that tell which row has which weight. */
  private static double[] weights(Shard rows) {
    double[] sums = new double[2];
    for (int i = 0; i < rows.rows(); i++) {
      sums[0] += rows.weight(i);
      sums[1] += rows.weight(i) * rows.weight(i);
    }
    return sums;
  }

  @Test
  void file_whileItIsRead_hasNoName() throws Exception {
    SyntheticSites sites = SyntheticSites.of("logit", 0);
    try (Shards filed = ShardCopies.inFile(sites.shards(), 8, folder);
        Stream<Path> names = Files.list(folder)) {
      assertThat(filed.isFiled()).isTrue();
      assertThat(names).isEmpty();
    }
  }

  /** Groups of eight rows are read around each row of a batch: in the last one, fewer. */
  @ParameterizedTest
  @ValueSource(strings = {"logit", "poisson-offset-weights", "gaussian-offset-weights", "probit"})
  void batches_rowsInAFile_areThoseOfRowsInMemory(String name) {
    SyntheticSites sites = SyntheticSites.of(name, 0);
    assertThat(batches(sites, ShardCopies.inFile(sites.shards(), 16, folder)))
        .isEqualTo(batches(sites, sites.shards()));
  }

  /** Gradients and losses of single rows, every row being in one of the batches. */
  private static List<Double> batches(SyntheticSites sites, Shards shards) {
    return new Simulation(NETWORK, sites.glm().over(shards), Streams.of(1), 1)
        .within(
            world -> {
              List<Double> found = new ArrayList<>();
              double[][] start = new double[24][shards.features()];
              Arrays.stream(start).forEach(row -> Arrays.fill(row, 0.1));
              for (int round = 0; round * 3 < shards.rows(0); round++) {
                LossLocal batch = LossLocal.in(world.local().batch(3, round));
                Rows at = world.block(start);
                Arrays.stream(batch.losses(at)).forEach(found::add);
                Rows gradient = batch.gradient(at);
                IntStream.range(0, gradient.rows())
                    .mapToObj(gradient::row)
                    .flatMapToDouble(Arrays::stream)
                    .forEach(found::add);
              }
              return found;
            });
  }
}
