package ngd.sources;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.data.SourceLost;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;

/** A table behind a connection: a query's result, whose expressions the engine evaluates. */
final class SqlTable implements SiteTable {
  /** Rows that a driver fetches at once; drivers would otherwise fetch all. */
  private static final int FETCHED = 10_000;

  private final String site;
  private final String source;
  private final Connection connection;
  private final Dialect dialect;
  private final String query;
  private final List<Column> columns;
  private final List<String> missing;
  private final Secrets secrets;
  private final Optional<Utf8Copy> copy;

  SqlTable(
      String site,
      String source,
      Connection connection,
      Dialect dialect,
      String query,
      List<Column> columns,
      List<String> missing,
      Secrets secrets,
      Optional<Utf8Copy> copy) {
    this.site = site;
    this.source = source;
    this.connection = connection;
    this.dialect = dialect;
    this.query = query;
    this.columns = List.copyOf(columns);
    this.missing = List.copyOf(missing);
    this.secrets = secrets;
    this.copy = copy;
  }

  @Override
  public String site() {
    return site;
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
    Map<String, ColumnType> types = new LinkedHashMap<>();
    columns.forEach(column -> types.put(column.name(), column.type()));
    Sql sql = new Sql(dialect, types, missing);
    List<String> asked = new ArrayList<>();
    List<SqlRow.ColumnPosition> places = new ArrayList<>();
    for (Expression expression : expressions) {
      boolean text = expression.type(types) == ColumnType.TEXT;
      asked.add(sql.value(expression));
      int at = asked.size();
      int flag = 0;
      if (!text && !(expression instanceof Expression.Name)) {
        asked.add(sql.lacksColumn(expression));
        flag = asked.size();
      }
      places.add(new SqlRow.ColumnPosition(expression, text, at, flag));
    }
    String select =
        "SELECT %s FROM (%s) t".formatted(asked.isEmpty() ? "1" : String.join(", ", asked), query);
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setFetchSize(FETCHED);
      for (int i = 0; i < sql.bound().size(); i++) {
        statement.setString(i + 1, sql.bound().get(i));
      }
      try (ResultSet result = statement.executeQuery()) {
        SqlRow row = new SqlRow(places, site);
        while (result.next()) {
          row.read(result);
          sink.accept(row);
        }
      }
    } catch (SQLException e) {
      throw failure(EngineErrors.reason(connection, select, sql.bound(), e));
    }
  }

  private RuntimeException failure(SQLException e) {
    String said = EngineErrors.text(e, secrets);
    return EngineErrors.isLost(e)
        ? new SourceLost(
            "site %s: the connection to %s was lost while its rows were read: %s"
                .formatted(site, source, said))
        : new InvalidInput("site %s: %s cannot be read: %s".formatted(site, source, said));
  }

  @Override
  public void close() {
    EngineTables.close(connection);
    copy.ifPresent(Utf8Copy::close);
  }
}
