package ngd.core.preparation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** What sums over sets of rows show when they are combined. Oracle: every combination, tried. */
class RowSpaceTest {
  private static final int FEWEST = 3;

  private static OptionalLong tried(List<BitSet> sets, long[] rows) {
    int most = 3;
    int width = 2 * most + 1;
    long combinations = Math.round(Math.pow(width, sets.size()));
    long best = FEWEST;
    for (long number = 0; number < combinations; number++) {
      long code = number;
      int[] vector = new int[rows.length];
      for (BitSet set : sets) {
        int times = (int) (code % width) - most;
        code /= width;
        set.stream().forEach(atom -> vector[atom] += times);
      }
      long weight = 0;
      for (int atom = 0; atom < rows.length; atom++) {
        weight += vector[atom] == 0 ? 0 : rows[atom];
      }
      best = weight == 0 ? best : Math.min(best, weight);
    }
    return best < FEWEST ? OptionalLong.of(best) : OptionalLong.empty();
  }

  @Test
  void isolated_randomSets_isWhatSomeCombinationShows() {
    int shown = 0;
    for (int seed = 0; seed < 400; seed++) {
      UniformRandomProvider random = Streams.of(seed).stream(Streams.Purpose.DATA, 2);
      int atoms = 2 + random.nextInt(6);
      long[] rows = new long[atoms];
      for (int a = 0; a < atoms; a++) {
        rows[a] = 1L + random.nextInt(5);
      }
      List<BitSet> sets = new ArrayList<>();
      for (int s = 1 + random.nextInt(4); s > 0; s--) {
        BitSet set = new BitSet();
        for (int a = 0; a < atoms; a++) {
          set.set(a, random.nextInt(3) > 0);
        }
        sets.add(set);
      }
      OptionalLong expected = tried(sets, rows);
      assertThat(new RowSpace(sets, rows).isolated(FEWEST)).as("seed %d", seed).isEqualTo(expected);
      shown += expected.isPresent() ? 1 : 0;
    }
    assertThat(shown).isBetween(50, 350);
  }
}
