package ngd.core.preparation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** What sums over sets of rows show when they are combined. Oracle: every combination, tried. */
class IsolatedRowsTest {
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
  void below_randomSets_isWhatSomeCombinationShows() {
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
      assertThat(new IsolatedRows(sets, rows).below(FEWEST))
          .as("seed %d", seed)
          .isEqualTo(expected);
      shown += expected.isPresent() ? 1 : 0;
    }
    assertThat(shown).isBetween(50, 350);
  }

  /**
   * Classes and cells of five columns and a row that one column alone has in half of the tables.
   * Oracle: the rank of all rows, one by one, without each two of them.
   */
  @Test
  void below_manyRowsOfFewSets_isWhatTakingTwoRowsAwayShows() {
    int shown = 0;
    for (int seed = 0; seed < 40; seed++) {
      UniformRandomProvider random = Streams.of(seed).stream(Streams.Purpose.DATA, 3);
      int count = 30 + random.nextInt(40);
      int[] patterns = new int[count];
      for (int i = 0; i < count; i++) {
        patterns[i] = random.nextInt(32);
      }
      if (seed % 2 == 0) {
        patterns[count - 1] = 32 + random.nextInt(32);
      }
      List<BitSet> sets = new ArrayList<>();
      for (int one = 0; one < 7; one++) {
        for (int two = one; two < 7; two++) {
          // The seventh is every row.
          int both = (1 << one | 1 << two) & 63;
          BitSet set = new BitSet();
          for (int i = 0; i < count; i++) {
            set.set(i, (patterns[i] & both) == both);
          }
          sets.add(set);
        }
      }
      long[] rows = new long[count];
      Arrays.fill(rows, 1);
      boolean isolated = new IsolatedRows(sets, rows).below(FEWEST).isPresent();
      assertThat(isolated).as("seed %d", seed).isEqualTo(losesRank(sets, count));
      shown += isolated ? 1 : 0;
    }
    assertThat(shown).isBetween(20, 39);
  }

  private static boolean losesRank(List<BitSet> sets, int count) {
    int all = rank(sets, count, -1, -1);
    for (int i = 0; i < count; i++) {
      for (int j = i; j < count; j++) {
        if (rank(sets, count, i, j) < all) {
          return true;
        }
      }
    }
    return false;
  }

  /** Gauss, in doubles: the numbers are small and whole. */
  private static int rank(List<BitSet> sets, int count, int without, int also) {
    List<double[]> left = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (i != without && i != also) {
        int row = i;
        left.add(sets.stream().mapToDouble(set -> set.get(row) ? 1 : 0).toArray());
      }
    }
    int rank = 0;
    for (int column = 0; column < sets.size(); column++) {
      int pivot = rank;
      while (pivot < left.size() && Math.abs(left.get(pivot)[column]) < 1e-9) {
        pivot++;
      }
      if (pivot == left.size()) {
        continue;
      }
      Collections.swap(left, rank, pivot);
      double[] chosen = left.get(rank);
      for (int i = rank + 1; i < left.size(); i++) {
        double times = left.get(i)[column] / chosen[column];
        for (int k = column; k < chosen.length; k++) {
          left.get(i)[k] -= times * chosen[k];
        }
      }
      rank++;
    }
    return rank;
  }
}
