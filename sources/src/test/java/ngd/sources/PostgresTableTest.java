package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.data.SourceLost;
import ngd.core.data.TableAddress;
import ngd.core.formula.Expression;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real PostgreSQL, started for these tests. */
class PostgresTableTest extends EngineContract {
  private static @Nullable EmbeddedPostgres server;

  private static EmbeddedPostgres server() {
    if (server == null) {
      throw new IllegalStateException("not started");
    }
    return server;
  }

  @BeforeAll
  static void start() throws IOException, SQLException {
    server = EmbeddedPostgres.builder().start();
    execute(statements("numeric(10, 3)", "boolean", "timestamp").toArray(String[]::new));
    execute(
        "create role reader login password 'open sesame'",
        "grant select on t to reader",
        "create table many as select i as a, i * 0.5 as b from generate_series(1, 200000) i");
  }

  @AfterAll
  static void stop() throws IOException {
    server().close();
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = server().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String url() {
    return "jdbc:postgresql://localhost:%d/postgres?user=postgres&password=hidden-word"
        .formatted(server().getPort());
  }

  @Override
  SiteTable open() {
    return new TableAddress("here", url(), Optional.of("select * from t order by id"), List.of())
        .open();
  }

  @Test
  void source_ofADatabase_showsNoUserAndNoPassword() {
    try (SiteTable table = open()) {
      assertThat(table.source())
          .isEqualTo("jdbc:postgresql://localhost:%d/postgres".formatted(server().getPort()));
    }
  }

  @Test
  void open_wrongRequests_areRefusedWithTheDatabasesReason() {
    assertThatThrownBy(() -> new TableAddress("b", url(), Optional.of("nowhere"), List.of()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("site b: jdbc:postgresql://localhost:")
        .hasMessageContaining("relation \"nowhere\" does not exist")
        .hasMessageNotContaining("hidden-word");
    assertThatThrownBy(() -> TableAddress.of("b", url()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("--query must be given: the table")
        .hasMessageNotContaining("hidden-word");
    String closed = "jdbc:postgresql://localhost:1/db?user=u&password=hidden-word";
    assertThatThrownBy(() -> new TableAddress("b", closed, Optional.of("t"), List.of()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("site b: jdbc:postgresql://localhost:1/db refuses: ")
        .hasMessageNotContaining("hidden-word");
    String unknown = "jdbc:nosuch://u:hidden-word@host/db";
    assertThatThrownBy(() -> new TableAddress("b", unknown, Optional.of("t"), List.of()).open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("jdbc:nosuch://host/db refuses: No suitable driver")
        .hasMessageNotContaining("hidden-word");
  }

  @Test
  void scan_queryThatWrites_isRefused() {
    TableAddress address =
        new TableAddress(
            "b",
            url(),
            Optional.of("with gone as (delete from t returning *) select * from gone"),
            List.of());
    assertThatThrownBy(address::open).isInstanceOf(InvalidInput.class);
  }

  /** The session is ended by an administrator after the first rows came. */
  @Test
  void scan_connectionDroppedInMidRead_isLostWithTheSitesName() {
    TableAddress address = new TableAddress("b", url(), Optional.of("many"), List.of());
    try (SiteTable table = address.open()) {
      long[] rows = new long[1];
      assertThatThrownBy(
              () ->
                  table.scan(
                      List.of(new Expression.Name("a")),
                      row -> {
                        if (++rows[0] == 5) {
                          endOtherSessions();
                        }
                      }))
          .isInstanceOf(SourceLost.class)
          .hasMessageStartingWith(
              "site b: the connection to jdbc:postgresql://localhost:%d/postgres was lost while its rows were read: "
                  .formatted(server().getPort()))
          .hasMessageNotContaining("hidden-word");
      assertThat(rows[0]).isBetween(5L, 199_999L);
    }
  }

  private static void endOtherSessions() {
    try {
      execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and"
              + " backend_type = 'client backend'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Both readings see one state of the database, whatever is written between them. */
  @Test
  void scan_twiceWhileSomeoneWrites_seesTheSameRows() throws SQLException {
    execute("create table growing as select 1 as a");
    TableAddress address = new TableAddress("b", url(), Optional.of("growing"), List.of());
    try (SiteTable table = address.open()) {
      for (int reading = 0; reading < 2; reading++) {
        long[] rows = new long[1];
        table.scan(List.of(new Expression.Name("a")), row -> rows[0]++);
        assertThat(rows[0]).isEqualTo(1);
        execute("insert into growing values (2)");
      }
    }
  }
}
