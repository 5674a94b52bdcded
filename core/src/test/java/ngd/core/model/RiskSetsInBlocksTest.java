package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import ngd.core.RandomInput;
import ngd.core.data.ShardCopies;
import ngd.core.data.Shards;
import ngd.core.formula.RiskTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oracle: the risk sets of all rows at once, which other tests compare with R. */
class RiskSetsInBlocksTest {
  private static final double[] THETA = {0.7, -0.5};

  @TempDir private Path folder;

  /** Rows in three strata, the second of which is empty, with ties in time. */
  private static Shards drawn(int seed, boolean late) {
    RandomInput random = RandomInput.of(seed);
    int rows = random.between(30, 200);
    Shards.Filler filler = Shards.sized(2, new int[] {rows});
    for (int i = 0; i < rows; i++) {
      double stop = 0.25 * random.between(4, 40);
      double start = late ? stop - 0.2 * random.between(1, 5) : Double.NEGATIVE_INFINITY;
      double[] x = {random.between(-9, 9) / 7.0, random.between(0, 2)};
      int event = i == 0 || random.between(0, 2) == 0 ? 1 : 0;
      filler.put(0, i, x, event, 0.1 * random.between(0, 3), 0.5 * random.between(0, 3));
      filler.put(0, i, new RiskTime(start, stop, 2 * random.between(0, 1)));
    }
    return filler.done();
  }

  @ParameterizedTest
  @CsvSource({"EFRON, false", "EFRON, true", "BRESLOW, false", "BRESLOW, true"})
  void sums_ofBlocks_areThoseOfAllRowsAtOnce(Ties ties, boolean late) {
    for (int seed = 0; seed < 20; seed++) {
      Shards drawn = drawn(seed, late);
      OwnRiskSets whole = RiskSets.of(drawn.shard(0));
      OwnRiskSets held = OwnRiskSets.of(ShardCopies.inBlocks(drawn, 16), 0);
      OwnRiskSets filed = OwnRiskSets.of(ShardCopies.inFile(drawn, 16, folder), 0);
      assertThat(held).isInstanceOf(RiskSetsInBlocks.class);
      assertThat(filed).isInstanceOf(RiskSetsInBlocks.class);
      assertSame(
          whole.likelihood(ties, THETA, 2),
          held.likelihood(ties, THETA, 2),
          filed.likelihood(ties, THETA, 2));
      assertSame(
          whole.likelihood(ties, THETA, 0),
          held.likelihood(ties, THETA, 0),
          filed.likelihood(ties, THETA, 0));
      assertSame(whole.squares(ties, THETA), held.squares(ties, THETA), filed.squares(ties, THETA));
      assertSame(
          whole.weightedByTime(ties, THETA, Math::log),
          held.weightedByTime(ties, THETA, Math::log),
          filed.weightedByTime(ties, THETA, Math::log));
      assertThat(held.eventTimes()).isDeepEqualTo(whole.eventTimes());
    }
  }

  /** A file's single block has the bits of memory's. */
  @Test
  void sums_ofASingleBlock_haveTheBitsOfMemory() {
    Shards drawn = drawn(3, true);
    OwnRiskSets whole = OwnRiskSets.of(drawn, 0);
    OwnRiskSets filed = OwnRiskSets.of(ShardCopies.inFile(drawn, 256, folder), 0);
    assertThat(whole).isInstanceOf(RiskSets.class);
    assertThat(filed.likelihood(Ties.EFRON, THETA, 2))
        .isEqualTo(whole.likelihood(Ties.EFRON, THETA, 2));
    assertThat(filed.squares(Ties.EFRON, THETA)).isEqualTo(whole.squares(Ties.EFRON, THETA));
    assertThat(filed.weightedByTime(Ties.EFRON, THETA, Math::log))
        .isEqualTo(whole.weightedByTime(Ties.EFRON, THETA, Math::log));
  }

  /** Of 200 coefficients some 200 times fit: with more, rows in memory are taken all at once. */
  @ParameterizedTest
  @CsvSource({"190, true", "260, false"})
  void areInBlocks_manyTimes_isSaid(int times, boolean fit) {
    int features = 200;
    Shards.Filler filler = Shards.sized(features, new int[] {times});
    for (int i = 0; i < times; i++) {
      filler.put(0, i, new double[features], 1);
      filler.put(0, i, new RiskTime(Double.NEGATIVE_INFINITY, 1 + i, 0));
    }
    Shards drawn = filler.done();
    assertThat(OwnRiskSets.areInBlocks(ShardCopies.inFile(drawn, 512, folder), 0))
        .as("a single block")
        .isTrue();
    Shards held = ShardCopies.inBlocks(drawn, 16);
    assertThat(OwnRiskSets.areInBlocks(held, 0)).isEqualTo(fit);
    assertThat(OwnRiskSets.of(held, 0)).isInstanceOf(fit ? RiskSetsInBlocks.class : RiskSets.class);
  }

  private static void assertSame(double[] whole, double[] held, double[] filed) {
    assertThat(filed).isEqualTo(held);
    assertThat(held).hasSameSizeAs(whole);
    for (int i = 0; i < whole.length; i++) {
      assertThat(held[i]).isCloseTo(whole[i], within(1e-10 * (1 + Math.abs(whole[i]))));
    }
  }
}
