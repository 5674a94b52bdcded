package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Everything that can be computed from sums over sets of rows by adding and subtracting them.
 *
 * <p>Sets are vectors over atoms (rows that are in the same sets); what can be computed is their
 * span. Rows are isolated where the span has a vector that is zero on all others. Arithmetic is
 * modulo the prime 2^31 − 1.
 */
public final class RowSpace {
  private static final long PRIME = (1L << 31) - 1;

  private final long[] rows;
  private final long[][] vectors;

  /**
   * @param sets of atoms
   * @param rows of each atom
   */
  public RowSpace(List<BitSet> sets, long[] rows) {
    this.rows = rows.clone();
    vectors = new long[sets.size()][rows.length];
    for (int s = 0; s < vectors.length; s++) {
      for (int atom : sets.get(s).stream().toArray()) {
        vectors[s][atom] = 1;
      }
    }
  }

  /**
   * The fewest rows that can be isolated, where they are fewer than these; found for certain where
   * they lie in one or two atoms, which rows fewer than three always do.
   */
  public OptionalLong isolated(int fewest) {
    List<Integer> large = atoms(fewest, Long.MAX_VALUE);
    List<Integer> small = atoms(1, fewest - 1L);
    small.sort(Comparator.comparingLong(atom -> rows[atom]));
    int rank = reduce(large, 0);
    // What is left is zero on every large atom.
    int more = reduce(small, rank);
    List<long[]> among = new ArrayList<>();
    for (int i = rank; i < more; i++) {
      long[] vector = vectors[i];
      among.add(small.stream().mapToLong(atom -> vector[atom]).toArray());
    }
    return among.isEmpty() ? OptionalLong.empty() : lightest(among, small, fewest);
  }

  private List<Integer> atoms(long least, long most) {
    return new ArrayList<>(
        IntStream.range(0, rows.length)
            .filter(atom -> rows[atom] >= least && rows[atom] <= most)
            .boxed()
            .toList());
  }

  /**
   * Gauss and Jordan, with pivots in these atoms, over the vectors from one on.
   *
   * @return the number of the first vector that is zero in all of them
   */
  private int reduce(List<Integer> columns, int from) {
    int next = from;
    for (int column : columns) {
      int pivot = next;
      while (pivot < vectors.length && vectors[pivot][column] == 0) {
        pivot++;
      }
      if (pivot == vectors.length) {
        continue;
      }
      long[] chosen = vectors[pivot];
      vectors[pivot] = vectors[next];
      vectors[next] = chosen;
      long inverse = power(chosen[column], PRIME - 2);
      for (int a = 0; a < chosen.length; a++) {
        chosen[a] = chosen[a] * inverse % PRIME;
      }
      for (int i = from; i < vectors.length; i++) {
        if (i != next && vectors[i][column] != 0) {
          subtract(vectors[i], vectors[i][column], chosen);
        }
      }
      next++;
    }
    return next;
  }

  private static void subtract(long[] vector, long times, long[] other) {
    long factor = PRIME - times;
    for (int a = 0; a < vector.length; a++) {
      vector[a] = (vector[a] + factor * other[a]) % PRIME;
    }
  }

  private static long power(long base, long exponent) {
    long result = 1;
    long square = base;
    for (long e = exponent; e > 0; e >>= 1) {
      result = (e & 1) == 1 ? result * square % PRIME : result;
      square = square * square % PRIME;
    }
    return result;
  }

  /**
   * The lightest combination of reduced vectors over the small atoms. A combination lies in few
   * atoms where these are dependent in the dual space: one where it is zero there, two where they
   * are parallel.
   */
  private OptionalLong lightest(List<long[]> reduced, List<Integer> small, int fewest) {
    long best = fewest;
    for (long[] vector : reduced) {
      long weight = 0;
      for (int a = 0; a < vector.length; a++) {
        weight += vector[a] == 0 ? 0 : rows[small.get(a)];
      }
      best = Math.min(best, weight);
    }
    long[][] dual = dual(reduced);
    Map<List<Long>, Integer> directions = new HashMap<>();
    for (int a = 0; a < small.size(); a++) {
      List<Long> direction = direction(dual[a]);
      long here = rows[small.get(a)];
      if (direction.stream().allMatch(x -> x == 0)) {
        best = Math.min(best, here);
        continue;
      }
      // Atoms come by rising number of rows, so the first of a direction is the lightest.
      Integer first = directions.putIfAbsent(direction, a);
      if (first != null) {
        best = Math.min(best, here + rows[small.get(first)]);
      }
    }
    return best < fewest ? OptionalLong.of(best) : OptionalLong.empty();
  }

  /** The atoms' columns of the null space's basis [−Aᵀ | I], where the vectors are [I | A]. */
  private static long[][] dual(List<long[]> reduced) {
    int width = reduced.getFirst().length;
    BitSet isPivot = new BitSet();
    reduced.forEach(vector -> isPivot.set(pivot(vector)));
    int[] free = IntStream.range(0, width).filter(a -> !isPivot.get(a)).toArray();
    long[][] columns = new long[width][free.length];
    for (int f = 0; f < free.length; f++) {
      columns[free[f]][f] = 1;
      for (long[] vector : reduced) {
        columns[pivot(vector)][f] = (PRIME - vector[free[f]]) % PRIME;
      }
    }
    return columns;
  }

  private static int pivot(long[] vector) {
    int at = 0;
    while (vector[at] == 0) {
      at++;
    }
    return at;
  }

  /** The vector divided by its first number that is not zero. */
  private static List<Long> direction(long[] vector) {
    long first = Arrays.stream(vector).filter(x -> x != 0).findFirst().orElse(1);
    long inverse = power(first, PRIME - 2);
    return Arrays.stream(vector).map(x -> x * inverse % PRIME).boxed().toList();
  }
}
