package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import ngd.core.RandomInput;
import ngd.core.data.Shard;
import ngd.core.data.ShardCopies;
import ngd.core.data.Shards;
import ngd.core.formula.RiskTime;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracle: every pair of rows by the definition. */
class ConcordanceTest {
  private static final TimeGrid GRID = new TimeGrid(List.of(1.0, 2.0, 4.0, 7.0), List.of("a", "b"));
  private static final double[] THETA = {1, -0.5};

  @TempDir private Path folder;

  /** Rows with times of a grid, ties in the predictor, and where asked late starts. */
  private static Shards drawn(int rows, int seed, boolean late, boolean fractions) {
    RandomInput random = RandomInput.of(seed);
    Shards.Filler filler = Shards.sized(2, new int[] {rows});
    for (int i = 0; i < rows; i++) {
      int stop = random.between(0, 3);
      double[] x = {random.between(0, 3), random.between(0, 2)};
      double weight = random.between(0, 3) * (fractions ? 0.37 : 1);
      double start =
          !late || stop == 0
              ? Double.NEGATIVE_INFINITY
              : GRID.times().get(random.between(0, stop - 1));
      filler.put(0, i, x, random.between(0, 1), 0.5 * random.between(0, 1), weight);
      filler.put(0, i, new RiskTime(start, GRID.times().get(stop), random.between(0, 1)));
    }
    return filler.done();
  }

  /** Of each event, who stops later, or at the same time without one, and started before it. */
  private static double[] byPairs(Shard rows) {
    double[] pairs = new double[3];
    for (int i = 0; i < rows.rows(); i++) {
      for (int k = 0; k < rows.rows(); k++) {
        RiskTime at = rows.time(i);
        RiskTime other = rows.time(k);
        boolean stays = other.stop() > at.stop() || (other.stop() == at.stop() && rows.y(k) == 0);
        if (rows.y(i) > 0
            && at.stratum() == other.stratum()
            && stays
            && other.start() < at.stop()) {
          int order = Double.compare(predictor(rows, k), predictor(rows, i));
          pairs[order < 0 ? 0 : order > 0 ? 1 : 2] += rows.weight(i) * rows.weight(k);
        }
      }
    }
    return pairs;
  }

  private static double predictor(Shard rows, int row) {
    return THETA[0] * rows.x(row, 0) + THETA[1] * rows.x(row, 1) + rows.offset(row);
  }

  @ParameterizedTest
  @CsvSource({
    "1, false, false",
    "2, true, false",
    "7, false, false",
    "60, true, false",
    "300, true, false",
    "300, false, true",
    "300, true, true"
  })
  void pairs_ofAGrid_areThoseOfTheDefinition(int rows, boolean late, boolean fractions) {
    for (int seed = 0; seed < 20; seed++) {
      Shards drawn = drawn(rows, seed, late, fractions);
      double[] expected = byPairs(drawn.shard(0));
      double[] found = Concordance.pairs(drawn, 0, THETA, GRID.arrays());
      double[] atEvents = Concordance.pairs(drawn, 0, THETA, OwnRiskSets.of(drawn, 0).eventTimes());
      for (int k = 0; k < 3; k++) {
        assertThat(found[k]).isCloseTo(expected[k], within(1e-9 * (1 + expected[k])));
        assertThat(atEvents[k]).isCloseTo(expected[k], within(1e-9 * (1 + expected[k])));
      }
      Shards filed = ShardCopies.inFile(drawn, 8, folder);
      assertThat(Concordance.pairs(filed, 0, THETA, GRID.arrays()))
          .isEqualTo(Concordance.pairs(ShardCopies.inBlocks(drawn, 8), 0, THETA, GRID.arrays()))
          .isEqualTo(found);
    }
  }
}
