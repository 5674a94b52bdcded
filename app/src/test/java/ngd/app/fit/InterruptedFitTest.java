package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import ngd.app.QuickStart;
import ngd.app.terminal.OwnProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A real process that a person stops with Ctrl-C. */
@ExtendWith(QuickStart.class)
class InterruptedFitTest {
  @Test
  void fit_interrupted_saysHowFarItCameAndWritesNothing(@TempDir Path folder) throws Exception {
    Path out = folder.resolve("run");
    List<String> command =
        OwnProcess.command(
            List.of("-XX:+UseSerialGC", "-Dngd.terminal=true"),
            List.of(
                "fit",
                "--simulate",
                "linear",
                "--rows",
                "20000",
                "--clients",
                "200",
                "--network",
                "ring:1",
                "--alpha",
                "0.001",
                "--rounds",
                "100000000",
                "--trace-every",
                "1000",
                "--out",
                out.toString()));
    Process process = new ProcessBuilder(command).start();
    try (BufferedReader err =
        new BufferedReader(
            new java.io.InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      // The bar appears once it has run for a second.
      StringBuilder said = new StringBuilder();
      while (said.indexOf("% ") < 0) {
        int next = err.read();
        assertThat(next).as("ended before it could be stopped: " + said).isPositive();
        said.append((char) next);
      }
      // Java answers SIGTERM as it does Ctrl-C's SIGINT, which processes in the background ignore.
      new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      err.lines().forEach(said::append);
      assertThat(said.toString())
          .containsPattern("ngd fit: interrupted at \\d+ of 100000000; nothing was written");
      assertThat(said.toString()).contains("\u001b[K");
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.exists(out)).isFalse();
  }
}
