package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import ngd.app.terminal.OwnProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cache that does not fit is ignored without a word, unless the JVM is told to need it. */
@ExtendWith(QuickStart.class)
class QuickStartTest {
  private static void requireFits(List<String> start) throws Exception {
    List<String> command = new ArrayList<>(start);
    command.add(1, "-XX:AOTMode=on");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  void command_withItsCache_starts() throws Exception {
    requireFits(QuickStart.command(List.of("--version")));
  }

  @Test
  void peer_withItsCache_starts() throws Exception {
    requireFits(OwnProcess.peer("256m", List.of("--version")));
  }
}
