package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;

/**
 * The rows that a description sums over, column by column: those in which the column has a value.
 * Nothing is crossed, so columns show each other's rows only together with other questions.
 */
public final class DescribedRows {
  private DescribedRows() {}

  /**
   * Reads the table once.
   *
   * @param chosen the columns described; all where empty
   * @param digest by which rows are known again
   */
  public static SequencedMap<String, UsedRows> of(
      SiteTable table, Collection<String> chosen, SiteDisclosure.RowDigest digest) {
    List<Column> all = SiteDisclosure.known(table);
    List<Expression> asked = new ArrayList<>();
    all.forEach(column -> asked.add(new Expression.Name(column.name())));
    String head = SiteDisclosure.head(all);
    Map<Long, Long> seen = new HashMap<>();
    List<OfColumn> columns = new ArrayList<>();
    for (int c = 0; c < all.size(); c++) {
      if (chosen.isEmpty() || chosen.contains(all.get(c).name())) {
        columns.add(new OfColumn(c, all.get(c), new SiteDisclosure.Growing()));
      }
    }
    table.scan(
        asked,
        row -> {
          long known =
              SiteDisclosure.unlike(digest, SiteDisclosure.values(head, all, row, 0), seen);
          for (OfColumn column : columns) {
            boolean without =
                column.of.type() == ColumnType.TEXT
                    ? row.text(column.at) == null
                    : Double.isNaN(row.number(column.at));
            if (!without) {
              column.digests.add(known);
            }
          }
        });
    SequencedMap<String, UsedRows> found = new LinkedHashMap<>();
    columns.forEach(column -> found.put(column.of.name(), column.used()));
    return found;
  }

  /** The rows in which one column has a value. */
  private record OfColumn(int at, Column of, SiteDisclosure.Growing digests) {
    UsedRows used() {
      long[] rows = digests.longs();
      return new UsedRows(
          rows, new int[rows.length], List.of(List.of()), List.of(), List.of(), Set.of(of.name()));
    }
  }
}
