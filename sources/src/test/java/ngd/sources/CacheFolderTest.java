package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.data.TableAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where native libraries go. The oracle is what then lies in the folders. */
class CacheFolderTest {
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  @TempDir Path dir;

  /** Reads a table, says so, and waits to be killed. */
  static final class Reads {
    private Reads() {}

    public static void main(String[] args) throws Exception {
      try (var table =
          new TableAddress("a", args[0], java.util.Optional.empty(), List.of()).open()) {
        System.out.println(table.columns().size() + " columns");
      }
      assertThat(System.in.read()).isEqualTo(-1);
    }
  }

  private Process reads(Path csv, Path cache, Path temporary) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            "ngd.sources.CacheFolderTest$Reads",
            csv.toString());
    builder.environment().put(CacheFolder.VARIABLE, cache.toString());
    return builder.redirectErrorStream(true).start();
  }

  private static List<String> names(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Two at once, before the library is there; both are killed. */
  @ParameterizedTest
  @ValueSource(strings = {"csv", "db"})
  void open_processesThatAreKilled_leaveOneLibraryAndNothingInTheTemporaryFolder(String kind)
      throws Exception {
    Path table = dir.resolve("t." + kind);
    if (kind.equals("csv")) {
      // A quoted comma is for the engine: a plain file is read without it.
      Files.writeString(table, "x,y\n1,\"a,b\"\n");
    } else {
      try (var connection = DriverManager.getConnection("jdbc:sqlite:" + table);
          var statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t AS SELECT 1 AS x, 2 AS y");
      }
    }
    Path cache = dir.resolve("cache folder");
    Path temporary = Files.createDirectory(dir.resolve("tmp"));
    List<Process> both = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      both.add(reads(table, cache, temporary));
    }
    for (Process one : both) {
      assertThat(one.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("2 columns");
      one.destroyForcibly();
      assertThat(one.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(names(temporary)).isEmpty();
    assertThat(names(cache))
        .hasSize(1)
        .allMatch(name -> name.matches("(duckdb_java|sqlitejdbc)-[0-9a-f]+\\.so"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
        .isEqualTo("rwx------");
  }

  @Test
  void file_thereAlready_isNotWrittenAgainUnlessItIsCutShort() throws Exception {
    CacheFolder cache = new CacheFolder(dir.resolve("a/b"));
    Path file = cache.file("lib", 3, out -> out.write(new byte[] {1, 2, 3}));
    Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    assertThat(cache.file("lib", 3, out -> out.write(9))).isEqualTo(file);
    assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
    Files.write(file, new byte[2]);
    cache.file("lib", 3, out -> out.write(new byte[] {4, 5, 6}));
    assertThat(file).hasBinaryContent(new byte[] {4, 5, 6});
  }

  @Test
  void file_folderThatCannotBeUsed_isRefusedWithTheWayOut() throws Exception {
    Path taken = Files.writeString(dir.resolve("taken"), "");
    Path open = Files.createDirectory(dir.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (Path folder : List.of(taken, taken.resolve("below"), open)) {
      assertThatThrownBy(() -> new CacheFolder(folder).file("lib", 1 << 20, out -> out.write(1)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining(folder.toString())
          .hasMessageContaining("NGD_CACHE names another");
    }
    // A full disk, as the device that always is.
    Path full = Files.createDirectory(dir.resolve("full"), PRIVATE);
    assertThatThrownBy(
            () ->
                new CacheFolder(full)
                    .file(
                        "lib",
                        1,
                        _ -> {
                          Files.write(Path.of("/dev/full"), new byte[1 << 16]);
                        }))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("No space left on device");
    assertThat(names(full)).isEmpty();
  }

  /** As on a disk from which no programs may be loaded: the file is there and cannot be used. */
  @Test
  void duckDb_libraryThatCannotBeLoaded_isRefusedWithTheWayOut() throws Exception {
    Path good = dir.resolve("good");
    DuckDb.load(new CacheFolder(good));
    Path library = good.resolve(names(good).getFirst());
    Path bad = Files.createDirectory(dir.resolve("bad"), PRIVATE);
    try (var file = new RandomAccessFile(bad.resolve(library.getFileName()).toFile(), "rw")) {
      file.setLength(Files.size(library));
    }
    assertThatThrownBy(() -> DuckDb.load(new CacheFolder(bad)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("cannot be loaded")
        .hasMessageContaining("noexec");
  }

  @Test
  void of_environment_isTheUsersChoiceFirst() {
    assertThat(CacheFolder.of(Map.of("NGD_CACHE", "/c", "XDG_CACHE_HOME", "/x"), "/h").path())
        .isEqualTo(Path.of("/c"));
    assertThat(CacheFolder.of(Map.of("XDG_CACHE_HOME", "/x"), "/h").path())
        .isEqualTo(Path.of("/x/ngd"));
    assertThat(CacheFolder.of(Map.of("XDG_CACHE_HOME", "relative"), "/h").path())
        .isEqualTo(Path.of("/h/.cache/ngd"));
  }
}
