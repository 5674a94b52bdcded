package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The R and Python packages against the program under test. Their own tests name their oracles:
 * {@code glm()} in R, least squares in plain Python. Both run at the same time.
 */
@ExtendWith(QuickStart.class)
class LanguagesTest {
  private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();
  private static final int MINUTES = 15;

  @TempDir static Path dir;
  private static @Nullable Process r;
  private static @Nullable Process python;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(
        !"false".equals(System.getProperty("ngd.languages")), "left out: -Dngd.languages=false");
    Path program = program();
    if (runs(
        "Rscript",
        "-e",
        "library(jsonlite); library(knitr); library(MASS); library(nnet); library(sandwich)")) {
      r = start(program, "r", List.of(REPOSITORY.resolve("r/check").toString()));
    }
    String interpreter = interpreter();
    if (interpreter != null) {
      python =
          start(
              program,
              "python",
              List.of(
                  interpreter,
                  "-m",
                  "unittest",
                  "discover",
                  REPOSITORY.resolve("python/tests").toString()));
    }
  }

  @AfterAll
  static void stop() {
    for (Process process : new Process[] {r, python}) {
      if (process != null) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
      }
    }
  }

  /** The program under test as a file that can be run. */
  private static Path program() throws IOException {
    List<String> command = QuickStart.command(List.of());
    // The way to descriptor 3, as in the launcher.
    command.add(1, "-Dngd.stderr=3");
    Path arguments =
        Files.write(
            dir.resolve("arguments"),
            command.stream()
                .skip(1)
                .map(word -> "\"%s\"".formatted(word.replace("\\", "\\\\")))
                .toList());
    return Files.setPosixFilePermissions(
        Files.writeString(
            dir.resolve("ngd"),
            "#!/bin/sh%nexec '%s' '@%s' \"$@\" 3>&2 2>/dev/null%n"
                .formatted(command.getFirst(), arguments)),
        PosixFilePermissions.fromString("rwx------"));
  }

  /** The system's own Python first: its packages are the ones that Debian installs. */
  private static @Nullable String interpreter() throws Exception {
    for (String python : List.of("/usr/bin/python3", "python3")) {
      if (runs(python, "-c", "import sys; sys.exit(sys.version_info < (3, 10))")) {
        return python;
      }
    }
    return null;
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  private static Process start(Path program, String name, List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("NGD", program.toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "yes");
    if (Boolean.getBoolean("ngd.languages.all")) {
      builder.environment().put("NGD_ALL_CASES", "yes");
      Path data = REPOSITORY.resolveSibling("shared/data");
      if (Files.isDirectory(data)) {
        builder.environment().putIfAbsent("NGD_DATA", data.toString());
      }
    }
    return builder
        .redirectErrorStream(true)
        .redirectOutput(dir.resolve(name + ".log").toFile())
        .start();
  }

  private static void passes(@Nullable Process process, String name, String needed)
      throws Exception {
    assumeTrue(process != null, needed);
    assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
    String log = Files.readString(dir.resolve(name + ".log"));
    assertThat(process.exitValue()).as(log).isZero();
  }

  @Test
  void rPackage_itsOwnCheck_passes() throws Exception {
    passes(
        r,
        "r",
        "needs R with jsonlite, knitr, MASS, nnet and sandwich: launcher/languages.sh installs");
  }

  @Test
  void pythonPackage_itsOwnTests_pass() throws Exception {
    passes(python, "python", "needs Python 3.10 or later: launcher/languages.sh installs it");
  }
}
