package ngd.core.preparation;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which cell of a cross table is left out next, where those left out so far could be computed from
 * the others: the smallest in a row or column of which too few rows are left out, one that helps in
 * both directions first; else the smallest of all.
 */
final class CellChoice {
  private final Map<List<String>, BitSet> cells;
  private final int fewest;

  /**
   * @param cells the rows of every cell, by the levels of both columns
   * @param fewest the rows that a class must have
   */
  CellChoice(Map<List<String>, BitSet> cells, int fewest) {
    this.cells = cells;
    this.fewest = fewest;
  }

  List<String> next(Map<List<String>, BitSet> shown) {
    Map<String, Long> rows = gaps(shown, 0);
    Map<String, Long> columns = gaps(shown, 1);
    Comparator<List<String>> helping =
        Comparator.comparingInt(
            cell -> -helps(rows, cell.getFirst()) - helps(columns, cell.getLast()));
    return shown.keySet().stream()
        .min(
            helping
                .thenComparingInt(
                    cell ->
                        rows.containsKey(cell.getFirst()) && columns.containsKey(cell.getLast())
                            ? 0
                            : 1)
                .thenComparingInt(cell -> shown.get(cell).cardinality())
                .thenComparing(List::getFirst)
                .thenComparing(List::getLast))
        .orElseThrow();
  }

  private int helps(Map<String, Long> gaps, String line) {
    return gaps.containsKey(line) && gaps.get(line) < fewest ? 1 : 0;
  }

  /** How many rows of each line of the table are left out, where any are. */
  private Map<String, Long> gaps(Map<List<String>, BitSet> shown, int side) {
    Map<String, Long> gaps = new TreeMap<>();
    cells.forEach(
        (cell, own) -> {
          if (!shown.containsKey(cell)) {
            gaps.merge(cell.get(side), (long) own.cardinality(), Long::sum);
          }
        });
    return gaps;
  }
}
