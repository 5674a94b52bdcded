package ngd.sources;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real MariaDB, where this machine has one (apt install mariadb-server-core mariadb-client-core).
 */
class MariaDbTableTest extends EngineContract {
  @TempDir static Path folder;
  private static @Nullable Process server;
  private static int port;

  private static String program(String name) {
    Optional<Path> found =
        Stream.of("/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin")
            .map(place -> Path.of(place, name))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), name + " is not on this machine");
    return found.get().toString();
  }

  @BeforeAll
  static void start() throws IOException, InterruptedException, SQLException {
    String daemon = program("mariadbd");
    String data = folder.resolve("data").toString();
    Process install =
        new ProcessBuilder(
                program("mariadb-install-db"),
                "--no-defaults",
                "--datadir=" + data,
                "--user=" + System.getProperty("user.name"),
                "--auth-root-authentication-method=normal",
                "--skip-test-db")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("install.log").toFile())
            .start();
    assumeTrue(install.waitFor() == 0, "mariadb-install-db failed");
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Process started =
        new ProcessBuilder(
                daemon,
                "--no-defaults",
                "--datadir=" + data,
                "--user=" + System.getProperty("user.name"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + folder.resolve("s"),
                "--pid-file=" + folder.resolve("pid"),
                "--skip-grant-tables",
                "--skip-networking=0")
            .redirectErrorStream(true)
            .start();
    server = started;
    BufferedReader log = started.inputReader();
    String line = log.readLine();
    while (line != null && !line.contains("ready for connections")) {
      line = log.readLine();
    }
    try (Connection connection = DriverManager.getConnection(url("mariadb", "mysql"));
        Statement statement = connection.createStatement()) {
      statement.execute("create database clinic");
      statement.execute("use clinic");
      for (String sql : statements("decimal(10, 3)", "boolean", "datetime(6)")) {
        statement.execute(sql);
      }
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (server != null) {
      server.destroy();
      server.waitFor();
    }
  }

  private static String url(String scheme, String database) {
    return "jdbc:%s://127.0.0.1:%d/%s?user=root".formatted(scheme, port, database);
  }

  @Override
  boolean hasBooleans() {
    return false;
  }

  @Override
  SiteTable open() {
    return new TableAddress(
            "here", url("mysql", "clinic"), Optional.of("select * from t order by id"), List.of())
        .open();
  }

  @Test
  void open_wrongTable_isRefusedWithTheDatabasesReason() {
    assertThatThrownBy(
            () ->
                new TableAddress("b", url("mariadb", "clinic"), Optional.of("nowhere"), List.of())
                    .open())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("site b: jdbc:mariadb://127.0.0.1:%d/clinic refuses".formatted(port))
        .hasMessageContaining("doesn't exist");
  }
}
