package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Draws of folds. Oracle: what a fold may have of a class, counted. */
class FoldsTest {
  private static UniformRandomProvider draws(long seed, int client) {
    return Streams.of(seed).stream(Streams.Purpose.FOLDS, client);
  }

  private static int[] folds(
      Shards rows, int fewest, boolean labels, UniformRandomProvider random) {
    short[] folds = Folds.of(rows, 0, 10, fewest, labels, random);
    return IntStream.range(0, folds.length).map(i -> folds[i]).toArray();
  }

  /** Rows with an intercept, a number, 0/1 columns of some shares, a count, and a 0/1 response. */
  private static Shards rows(int n, long seed) {
    UniformRandomProvider random = Streams.of(seed).stream(Streams.Purpose.DATA, 0);
    double[] shares = {0.5, 0.2, 0.1, 0.05};
    double[][] x = new double[n][];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      List<Double> row = new ArrayList<>(List.of(1.0, random.nextDouble()));
      for (double share : shares) {
        row.add(random.nextDouble() < share ? 1.0 : 0.0);
      }
      row.add(random.nextDouble() < 0.7 ? 0.0 : 1 + random.nextInt(9));
      x[i] = row.stream().mapToDouble(value -> value).toArray();
      y[i] = random.nextDouble() < 0.3 ? 1 : 0;
    }
    return Shards.of(new double[][][] {x}, new double[][] {y});
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 17, 60, 200, 1000})
  void of_anySite_givesEveryFoldNoneOrEnoughOfEveryClass(int n) {
    for (long seed = 1; seed <= 20; seed++) {
      Shards rows = rows(n, seed);
      Shard shard = rows.shard(0);
      int[] folds = folds(rows, 3, false, draws(seed, 0));
      assertThat(folds).hasSize(n);
      assertThat(Arrays.stream(folds).allMatch(f -> f >= 0 && f < 10)).isTrue();
      for (int j : new int[] {0, 2, 3, 4, 5, 6, 7}) {
        int column = j;
        // Of a count of many values what matters is whether it is zero.
        Map<List<Integer>, Integer> counts = new HashMap<>();
        Map<Integer, Integer> whole = new HashMap<>();
        for (int i = 0; i < n; i++) {
          double value = column == 7 ? shard.y(i) : shard.x(i, column);
          int code = value == 0 ? 0 : 1;
          counts.merge(List.of(code, folds[i]), 1, Integer::sum);
          whole.merge(code, 1, Integer::sum);
        }
        if (column == 6
            && IntStream.range(0, n).mapToDouble(i -> shard.x(i, 6)).distinct().count() <= 3) {
          continue;
        }
        counts.forEach(
            (key, count) ->
                assertThat(count)
                    .as("column %d, %s, seed", column, key)
                    .isGreaterThanOrEqualTo(Math.min(3, whole.get(key.getFirst()))));
      }
    }
  }

  /** A class that has rows enough for several folds is not held out in one alone. */
  @Test
  void of_enoughRows_heldOutInManyFolds() {
    Shards rows = rows(1000, 3);
    Shard shard = rows.shard(0);
    int[] folds = folds(rows, 3, false, draws(3, 0));
    assertThat(Arrays.stream(folds).distinct().count()).isEqualTo(10);
    for (int k = 0; k < 10; k++) {
      int fold = k;
      assertThat(Arrays.stream(folds).filter(f -> f == fold).count()).isBetween(60L, 140L);
    }
    long rare =
        IntStream.range(0, 1000)
            .filter(i -> shard.x(i, 5) == 1)
            .map(i -> folds[i])
            .distinct()
            .count();
    assertThat(rare).isGreaterThan(4);
  }

  /** Of responses that are one of many classes, every class is held together. */
  @Test
  void of_manyClasses_givesEveryFoldNoneOrEnoughOfEach() {
    for (long seed = 1; seed <= 20; seed++) {
      UniformRandomProvider random = Streams.of(seed).stream(Streams.Purpose.DATA, 1);
      double[] y = random.doubles(120).map(u -> Math.floor(7 * u * u)).toArray();
      Shards rows = Shards.of(new double[1][120][1], new double[][] {y});
      int[] folds = folds(rows, 3, true, draws(seed, 0));
      Map<List<Integer>, Integer> counts = new HashMap<>();
      for (int i = 0; i < y.length; i++) {
        counts.merge(List.of((int) y[i], folds[i]), 1, Integer::sum);
      }
      assertThat(counts.values()).as("seed %d", seed).allMatch(count -> count >= 3);
      assertThat(Arrays.stream(folds).distinct().count()).isGreaterThan(1);
    }
  }

  /** The folds that {@code oracles/penalty_oracle.R} gives to cv.glmnet are those of seed 1. */
  @ParameterizedTest
  @CsvSource({"boston", "birthwt", "quine", "housing", "fgl", "pbc", "lung"})
  void of_clientsWithoutRules_areTheFoldsOfTheOracle(String name) throws IOException {
    Path folder = GlmOracle.folder().resolveSibling("penalty");
    List<String> lines = Files.readAllLines(folder.resolve(name + ".csv"));
    List<String> expected = Files.readAllLines(folder.resolve(name + ".folds.csv"));
    List<String> found = new ArrayList<>(List.of("fold"));
    for (int m = 0; m < 4; m++) {
      String site = ",h" + (m + 1);
      int n = (int) lines.stream().filter(line -> line.endsWith(site)).count();
      if (n > 0) {
        Shards rows = Shards.of(new double[1][n][1], new double[1][n]);
        Arrays.stream(folds(rows, 1, false, draws(1, m)))
            .forEach(f -> found.add(Integer.toString(f)));
      }
    }
    assertThat(found).isEqualTo(expected);
  }
}
