package ngd.core.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;
import ngd.core.formula.RandomRow;

/**
 * What the random terms of a formula say of one client's rows: which group each row is in, term by
 * term, and the numbers that the effects of its group multiply. Groups are of one client: those of
 * another are others, whatever they are called.
 */
public final class RandomEffects {
  private final int rows;
  private final List<OfTerm> terms;

  private RandomEffects(int rows, List<OfTerm> terms) {
    this.rows = rows;
    this.terms = terms;
  }

  /** One term: group and numbers of each row. */
  private static final class OfTerm {
    private final int columns;
    private final int[] groupOf;
    private final double[] numbers;
    private final List<String> names = new ArrayList<>();

    OfTerm(int rows, int columns) {
      this.columns = columns;
      groupOf = new int[rows];
      numbers = new double[rows * columns];
    }
  }

  public int rows() {
    return rows;
  }

  /** How many random terms there are. */
  public int terms() {
    return terms.size();
  }

  /** How many effects a group of a term has. */
  public int columns(int term) {
    return terms.get(term).columns;
  }

  /** How many groups a term has here. */
  public int groups(int term) {
    return terms.get(term).names.size();
  }

  /** The group that a row is in. */
  public int group(int term, int row) {
    return terms.get(term).groupOf[row];
  }

  /** What a group is called at its site. */
  public String name(int term, int group) {
    return terms.get(term).names.get(group);
  }

  /** What an effect of a row's group is multiplied by. */
  public double number(int term, int row, int column) {
    OfTerm of = terms.get(term);
    return of.numbers[row * of.columns + column];
  }

  /** The rows of several clients as those of one, each group what it was. */
  static RandomEffects joined(List<RandomEffects> clients) {
    int rows = clients.stream().mapToInt(RandomEffects::rows).sum();
    List<OfTerm> terms = new ArrayList<>();
    for (int k = 0; k < clients.getFirst().terms(); k++) {
      OfTerm all = new OfTerm(rows, clients.getFirst().columns(k));
      int row = 0;
      for (RandomEffects client : clients) {
        OfTerm own = client.terms.get(k);
        for (int i = 0; i < client.rows; i++) {
          all.groupOf[row + i] = all.names.size() + own.groupOf[i];
        }
        System.arraycopy(own.numbers, 0, all.numbers, row * all.columns, own.numbers.length);
        all.names.addAll(own.names);
        row += client.rows;
      }
      terms.add(all);
    }
    return new RandomEffects(rows, terms);
  }

  /** Adds all of it to a fingerprint of the data. */
  void addTo(Sha256 hash) {
    for (OfTerm term : terms) {
      hash.add(String.join("\n", term.names));
      hash.add(Arrays.stream(term.groupOf).asDoubleStream().toArray(), 0, rows);
      hash.add(term.numbers, 0, term.numbers.length);
    }
  }

  /** Takes rows in any order. */
  static final class Filler {
    private final RandomEffects filled;
    private final List<Map<String, Integer>> codes = new ArrayList<>();

    Filler(int rows, RandomRow first) {
      List<OfTerm> terms = new ArrayList<>();
      for (int k = 0; k < first.terms(); k++) {
        terms.add(new OfTerm(rows, first.numbers(k).length));
        codes.add(new HashMap<>());
      }
      filled = new RandomEffects(rows, terms);
    }

    void put(int row, RandomRow of) {
      for (int k = 0; k < of.terms(); k++) {
        OfTerm term = filled.terms.get(k);
        term.groupOf[row] =
            codes
                .get(k)
                .computeIfAbsent(
                    of.group(k),
                    fresh -> {
                      term.names.add(fresh);
                      return term.names.size() - 1;
                    });
        double[] numbers = of.numbers(k);
        for (int c = 0; c < numbers.length; c++) {
          if (!Double.isFinite(numbers[c])) {
            throw new InvalidInput(
                "row %d: what a random effect multiplies must be a finite number; got %s"
                    .formatted(row, numbers[c]));
          }
          term.numbers[row * term.columns + c] = numbers[c];
        }
      }
    }

    RandomEffects done() {
      return filled;
    }
  }
}
