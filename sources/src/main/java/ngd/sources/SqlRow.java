package ngd.sources;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/** The values of the row at which a result stands. */
final class SqlRow implements RowValues {
  /**
   * Where an expression's value stands in a result.
   *
   * @param lacksColumn where the result says whether a column it reads is missing; 0: it is one
   *     column, which is missing where its value is
   */
  record ColumnPosition(Expression expression, boolean text, int at, int lacksColumn) {}

  private final List<ColumnPosition> places;
  private final String site;
  private final double[] numbers;
  private final @Nullable String[] texts;
  private long rows;

  SqlRow(List<ColumnPosition> places, String site) {
    this.places = places;
    this.site = site;
    numbers = new double[places.size()];
    texts = new String[places.size()];
  }

  void read(ResultSet result) throws SQLException {
    rows++;
    for (int i = 0; i < numbers.length; i++) {
      ColumnPosition place = places.get(i);
      if (place.text) {
        texts[i] = result.getString(place.at);
        continue;
      }
      double value = result.getDouble(place.at);
      if (result.wasNull() || Double.isNaN(value)) {
        value = Double.NaN;
        requireMissing(result, place);
      } else if (Double.isInfinite(value)) {
        throw notFinite(place);
      }
      numbers[i] = value;
    }
  }

  private void requireMissing(ResultSet result, ColumnPosition place) throws SQLException {
    if (place.lacksColumn > 0 && result.getInt(place.lacksColumn) == 0) {
      throw notFinite(place);
    }
  }

  private InvalidInput notFinite(ColumnPosition place) {
    return new InvalidInput(
        "site %s: %s is not finite in row %d (a logarithm of 0 or less, a division by 0, a text that is not a date?)"
            .formatted(site, place.expression.text(), rows));
  }

  @Override
  public double number(int expression) {
    return numbers[expression];
  }

  @Override
  public @Nullable String text(int expression) {
    return texts[expression];
  }
}
