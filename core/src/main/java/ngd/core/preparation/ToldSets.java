package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * The sets of one site's rows that a description sums over or counts, and what these come down to
 * when they are added and subtracted.
 *
 * <p>Sums of one column over other rows show nothing of another column. So a table is judged with
 * the descriptions of each of its columns, one at a time, and with all tables together: what a
 * site's memory of its answers does over questions ({@code AnswerMemory}) this does within one.
 */
final class ToldSets {
  /**
   * Sets that are told.
   *
   * @param described whether it is one column by itself
   */
  private record Told(Set<String> columns, boolean described, List<BitSet> sets) {}

  private final int rows;
  private final int fewest;
  private final List<Told> told = new ArrayList<>();

  /** Rows that are in the same sets so far make an atom. */
  private final int[] atomOf;

  private int atoms;

  /** The sets by which atoms are told apart already. */
  private final Set<BitSet> known = new HashSet<>();

  ToldSets(int rows, int fewest) {
    this.rows = rows;
    this.fewest = fewest;
    atomOf = new int[rows];
    atoms = Math.min(rows, 1);
  }

  /** A column by itself is described over these rows. */
  void describe(String column, List<BitSet> sets) {
    told.add(new Told(Set.of(column), true, List.copyOf(sets)));
  }

  /** A table of some columns is told. */
  void add(Set<String> columns, List<BitSet> sets) {
    told.add(new Told(columns, false, List.copyOf(sets)));
  }

  /**
   * Whether a table, with all that is told already, would show fewer rows than a class may have.
   */
  boolean isolates(Set<String> columns, List<BitSet> sets) {
    // Where every table has a column, what is told of that column has all tables in it.
    boolean shared =
        columns.stream()
            .anyMatch(
                column ->
                    told.stream()
                        .allMatch(one -> one.described() || one.columns().contains(column)));
    return columns.stream()
            .anyMatch(column -> isolates(sets, one -> one.columns().contains(column)))
        || (!shared && isolates(sets, one -> !one.described()));
  }

  private boolean isolates(List<BitSet> sets, Predicate<Told> with) {
    SequencedSet<BitSet> different = new LinkedHashSet<>();
    told.stream().filter(with).forEach(one -> different.addAll(one.sets()));
    // What is told already shows no less when it is told again.
    if (!different.isEmpty() && different.containsAll(sets)) {
      return false;
    }
    different.addAll(sets);
    different.remove(new BitSet());
    if (different.size() > IsolatedRows.MOST_SETS) {
      return true;
    }
    different.forEach(this::refine);
    int[] representative = new int[atoms];
    long[] size = new long[atoms];
    for (int row = 0; row < rows; row++) {
      representative[atomOf[row]] = row;
      size[atomOf[row]]++;
    }
    // Atoms of all sets so far are finer than those of the sets that are looked at.
    int[] coarse = new int[atoms];
    int count = Math.min(atoms, 1);
    for (BitSet set : different) {
      count = refined(coarse, count, atom -> set.get(representative[atom]));
    }
    long[] joint = new long[count];
    int[] first = new int[count];
    for (int atom = 0; atom < atoms; atom++) {
      joint[coarse[atom]] += size[atom];
      first[coarse[atom]] = representative[atom];
    }
    List<BitSet> overAtoms = new ArrayList<>();
    for (BitSet set : different) {
      BitSet own = new BitSet();
      for (int atom = 0; atom < count; atom++) {
        own.set(atom, set.get(first[atom]));
      }
      overAtoms.add(own);
    }
    // What consists of large atoms is large; rows in no set are in none of the sums.
    return Arrays.stream(joint).anyMatch(n -> n < fewest)
        && new IsolatedRows(overAtoms, joint).below(fewest).isPresent();
  }

  private void refine(BitSet set) {
    if (known.add(set)) {
      atoms = refined(atomOf, atoms, set::get);
    }
  }

  /** Splits parts into what is inside a set and outside it. */
  private static int refined(int[] of, int count, IntPredicate inside) {
    int[] in = new int[count];
    int[] out = new int[count];
    int found = 0;
    for (int i = 0; i < of.length; i++) {
      int[] part = inside.test(i) ? in : out;
      part[of[i]] = part[of[i]] == 0 ? ++found : part[of[i]];
      of[i] = part[of[i]] - 1;
    }
    return found;
  }
}
