package ngd.core.preparation;

import java.util.List;
import java.util.function.Function;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;

/**
 * The sites of a federation, and the tables of those that this process holds: all in a rehearsal,
 * its own in a peer.
 *
 * @param names of all sites, in the order of the clients
 * @param first the number of the first site whose table is here; the others follow it
 */
public record Sites(List<String> names, int first, List<SiteTable> tables) {
  public Sites {
    names = List.copyOf(names);
    tables = List.copyOf(tables);
    if (tables.isEmpty() || first < 0 || first + tables.size() > names.size()) {
      throw new IllegalArgumentException(
          "sites: tables %d to %d must be among the %d sites, at least one"
              .formatted(first, first + tables.size() - 1, names.size()));
    }
    if (names.stream().distinct().count() < names.size()) {
      throw new InvalidInput(
          "sites: every site needs a name of its own; got %s".formatted(String.join(", ", names)));
    }
  }

  /** All sites in this process. */
  public static Sites all(List<? extends SiteTable> tables) {
    return new Sites(tables.stream().map(SiteTable::site).toList(), 0, List.copyOf(tables));
  }

  int count() {
    return names.size();
  }

  /** The number of a table's site among all. */
  int number(int table) {
    return first + table;
  }

  /** One vector for each table here, as {@code Totals.total} takes them. */
  double[][] each(Function<Integer, double[]> ofTable) {
    double[][] vectors = new double[tables.size()][];
    for (int t = 0; t < vectors.length; t++) {
      vectors[t] = ofTable.apply(t);
    }
    return vectors;
  }

  /**
   * One vector for each table, zero but for the block of its own site: their total holds what every
   * site said, side by side.
   */
  double[][] sideBySide(int width, Function<Integer, double[]> ofTable) {
    return each(
        t -> {
          double[] vector = new double[count() * width];
          System.arraycopy(ofTable.apply(t), 0, vector, number(t) * width, width);
          return vector;
        });
  }
}
