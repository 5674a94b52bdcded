package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Oracles: lines as the kernel writes them; what the kernel says of this process afterwards. */
class ResidentPagesTest {
  private static final Path STATUS = Path.of("/proc/self/status");

  @Test
  void unchanged_aChangedSwappedWritableLoadingOrForeignMapping_stays() {
    List<String> smaps =
        """
        801491000-8038ea000 r--p 01491000 08:01 42 /opt/ngd/ngd.aot
        Rss:               36760 kB
        Anonymous:             0 kB
        Swap:                  0 kB
        800001000-801491000 rw-p 00001000 08:01 42 /opt/ngd/ngd.aot
        Anonymous:             0 kB
        7fe650750000-7fe6532f3000 r-xp 00150000 08:01 43 /var/cache/ngd/duckdb_java-6b.so
        Anonymous:             0 kB
        7fe653c93000-7fe653d1b000 r--p 03692000 08:01 43 /var/cache/ngd/duckdb_java-6b.so
        Anonymous:             0 kB
        7fe664d1b000-7fe664d2b000 r-xp 00000000 08:01 43 /var/cache/ngd/duckdb_java-7c.so
        Anonymous:             0 kB
        7fe674d1b000-7fe674d2b000 r-xp 00001000 08:01 47 /jdk/lib/libnet.so
        Anonymous:             0 kB
        7fe683d1b000-7fe684d1b000 r--p 00000000 08:01 45 /jdk/lib/server/libjvm.so
        Anonymous:             0 kB
        7fe684d1b000-7fe684d2b000 r-xp 00300000 08:01 45 /jdk/lib/server/libjvm.so
        Anonymous:             4 kB
        Swap:                  0 kB
        803900000-803a00000 r--p 01491000 08:01 46 /opt/ngd/other.aot
        Anonymous:             0 kB
        Swap:                  8 kB
        7fe68b400000-7fe693f33000 r--s 00000000 08:01 44 /jdk/lib/modules
        Anonymous:             0 kB
        7fe693f5a000-7fe693fb0000 rw-p 00000000 00:00 0
        Anonymous:             0 kB
        """
            .lines()
            .toList();
    assertThat(ResidentPages.unchanged(smaps))
        .containsExactly(
            new ResidentPages.Mapping("/opt/ngd/ngd.aot", 0x801491000L, 0x8038ea000L),
            new ResidentPages.Mapping(
                "/var/cache/ngd/duckdb_java-6b.so", 0x7fe650750000L, 0x7fe6532f3000L),
            new ResidentPages.Mapping(
                "/jdk/lib/server/libjvm.so", 0x7fe683d1b000L, 0x7fe684d1b000L),
            new ResidentPages.Mapping("/jdk/lib/modules", 0x7fe68b400000L, 0x7fe693f33000L));
  }

  /** Whatever is given back was looked at: a mapping that comes, goes or changes is seen. */
  @Test
  void candidates_ofThisProcess_areThoseThatAreGivenBackAndMore() throws IOException {
    assumeTrue(Files.isReadable(STATUS), "there is no /proc here");
    List<String> candidates =
        ResidentPages.candidates(Files.readAllLines(Path.of("/proc/self/maps")));
    for (ResidentPages.Mapping one :
        ResidentPages.unchanged(Files.readAllLines(Path.of("/proc/self/smaps")))) {
      assertThat(candidates)
          .anyMatch(
              line ->
                  line.startsWith("%x-%x ".formatted(one.begin(), one.end()))
                      && line.endsWith(one.file()));
    }
  }

  @Test
  void release_onLinux_shrinksWhatIsResidentAndHarmsNothing() throws IOException {
    assumeTrue(Files.isReadable(STATUS), "there is no /proc here");
    ResidentPages.release();
    long before = residentOfFiles();
    // The pages of the JVM's own code come back as they are needed.
    long least = before;
    for (int i = 0; i < 5; i++) {
      ResidentPages.release();
      least = Math.min(least, residentOfFiles());
    }
    assertThat(least).isPositive().isLessThanOrEqualTo(before);
    assertThat("still here".repeat(1000)).hasSize(10_000);
  }

  /**
   * The attack: libraries that are loaded at the same time, by a process of its own, because what
   * is lost of a library ends the process.
   */
  @Test
  void release_whileLibrariesAreLoaded_harmsNone(@TempDir Path folder) throws Exception {
    assumeTrue(Files.isReadable(STATUS), "there is no /proc here");
    Path library = Path.of(System.getProperty("java.home"), "lib", "libextnet.so");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:ErrorFile=" + folder.resolve("crash.log"),
            "-cp",
            System.getProperty("java.class.path"),
            Loading.class.getName(),
            library.toString(),
            folder.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(folder.resolve("said"))).isZero();
  }

  /** Loads a library under many names while pages are given back all the time. */
  static final class Loading {
    private static final int LIBRARIES = 1500;

    private Loading() {}

    @SuppressWarnings("restricted") // It loads libraries, which are the JVM's own.
    public static void main(String[] libraryAndFolder) throws IOException {
      Thread.ofPlatform().daemon().start(Loading::releaseForever);
      Path library = Path.of(libraryAndFolder[0]);
      for (int i = 0; i < LIBRARIES; i++) {
        // A name that pages are given back of.
        Path copy = Path.of(libraryAndFolder[1], "duckdb_java-%x.so".formatted(i));
        Files.copy(library, copy);
        assertThat(SymbolLookup.libraryLookup(copy, Arena.global()).find("unknown")).isEmpty();
      }
    }

    private static void releaseForever() {
      while (true) {
        ResidentPages.release();
      }
    }
  }

  private static long residentOfFiles() throws IOException {
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("RssFile:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
