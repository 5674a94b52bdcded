package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import ngd.core.linalg.PrimeField;
import ngd.core.linalg.RowSpace;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * How few rows can be isolated by adding and subtracting sums over sets of rows.
 *
 * <p>Sets are vectors over atoms (rows that are in the same sets); what can be computed is their
 * span. Rows are isolated where the span has a vector that is zero on all others.
 *
 * <p>Seen the other way, an atom is a vector over the sets, and rows are isolated where the vectors
 * of all other atoms span less. Of many atoms few matter: take atoms that span all, as many again
 * without these, and so on. Whoever takes away fewer atoms than there are such layers leaves one of
 * them whole, so what is in no layer is spanned by what is left. Where every layer spans all,
 * nothing is isolated; else the layers alone are looked at. So the time grows with the sets and
 * hardly with the rows. Arithmetic is modulo primes; a random vector that all in a span are
 * orthogonal to tells the atoms outside it, but for a chance of 2^-50 each.
 */
public final class IsolatedRows {
  /** Of more sets, what they show together is not looked for: it would take minutes. */
  public static final int MOST_SETS = 1000;

  private static final long PRIME = (1L << 31) - 1;

  /** After as many atoms in a row that a layer spans already, these are told apart anew. */
  private static final int MISSES = 4;

  private final List<BitSet> sets;
  private final long[] ofAtoms;
  private final UniformRandomProvider draws = Streams.of(3).stream(Streams.Purpose.ALGORITHM, 0);

  /** Of the atoms that matter, after the layers are found. */
  private long[] rows = {};

  private long[][] vectors = {};

  /**
   * @param sets of atoms
   * @param rows of each atom
   */
  public IsolatedRows(List<BitSet> sets, long[] rows) {
    this.sets = List.copyOf(sets);
    ofAtoms = rows.clone();
  }

  /**
   * The fewest rows that can be isolated, where they are fewer than these; found for certain where
   * they lie in one or two atoms, which rows fewer than three always do.
   */
  public OptionalLong below(int fewest) {
    int[] large = shuffled(fewest, Long.MAX_VALUE);
    int[] small = shuffled(1, fewest - 1L);
    if (small.length == 0) {
      return OptionalLong.empty();
    }
    RowSpace known = new RowSpace(sets.size());
    List<Integer> kept = new ArrayList<>(extend(known, large));
    int full = -1;
    int left = 0;
    for (int layer = 0; layer < fewest; layer++) {
      RowSpace space = known.copy();
      Set<Integer> chosen = new HashSet<>(extend(space, small));
      kept.addAll(chosen);
      small = IntStream.of(small).filter(atom -> !chosen.contains(atom)).toArray();
      full = Math.max(full, space.rank());
      left = space.rank();
    }
    return left == full ? OptionalLong.empty() : among(kept, fewest);
  }

  /** The atoms of this size, in random order, so that some of them are likely to span much. */
  private int[] shuffled(long least, long most) {
    int[] atoms =
        IntStream.range(0, ofAtoms.length)
            .filter(atom -> ofAtoms[atom] >= least && ofAtoms[atom] <= most)
            .toArray();
    for (int i = atoms.length - 1; i > 0; i--) {
      int other = draws.nextInt(i + 1);
      int atom = atoms[i];
      atoms[i] = atoms[other];
      atoms[other] = atom;
    }
    return atoms;
  }

  /** Adds atoms to a span until it has all of these; those that it took. */
  private List<Integer> extend(RowSpace space, int[] atoms) {
    List<Integer> taken = new ArrayList<>();
    int[] outside = atoms;
    while (outside.length > 0 && space.rank() < sets.size()) {
      int next = 0;
      for (int misses = 0; next < outside.length && misses < MISSES; next++) {
        if (space.add(vector(outside[next]), 0)) {
          taken.add(outside[next]);
          misses = 0;
        } else {
          misses++;
        }
      }
      outside = outside(space, Arrays.copyOfRange(outside, next, outside.length));
    }
    return taken;
  }

  private double[] vector(int atom) {
    double[] vector = new double[sets.size()];
    Arrays.setAll(vector, s -> sets.get(s).get(atom) ? 1 : 0);
    return vector;
  }

  /** The atoms that a span does not have. */
  private int[] outside(RowSpace space, int[] atoms) {
    if (atoms.length == 0) {
      return atoms;
    }
    double[] random = new double[sets.size()];
    Arrays.setAll(random, _ -> (double) draws.nextLong(PrimeField.PRIME));
    double[] orthogonal = space.nullVector(random);
    long[] products = new long[ofAtoms.length];
    for (int s = 0; s < orthogonal.length; s++) {
      BitSet set = sets.get(s);
      long number = (long) orthogonal[s];
      for (int atom = set.nextSetBit(0);
          number != 0 && atom >= 0;
          atom = set.nextSetBit(atom + 1)) {
        products[atom] = (products[atom] + number) % PrimeField.PRIME;
      }
    }
    return IntStream.of(atoms).filter(atom -> products[atom] != 0).toArray();
  }

  /** The same of some atoms alone, by looking at all pairs of them. */
  private OptionalLong among(List<Integer> kept, int fewest) {
    rows = kept.stream().mapToLong(atom -> ofAtoms[atom]).toArray();
    vectors = new long[sets.size()][rows.length];
    for (int s = 0; s < vectors.length; s++) {
      for (int a = 0; a < rows.length; a++) {
        vectors[s][a] = sets.get(s).get(kept.get(a)) ? 1 : 0;
      }
    }
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
