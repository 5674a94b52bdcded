package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes over mutual TLS. Oracle: the simulator, to the last bit. */
class ProcessesTest {
  @TempDir Path folder;

  private void sameBits(TestFit fit) throws Exception {
    Path own = Files.createTempDirectory(folder, "federation");
    try (Federation federation = new Federation(own, fit)) {
      assertThat(federation.results()).isDeepEqualTo(fit.simulated());
    }
  }

  @Test
  void run_ring_givesTheSimulatorsBits() throws Exception {
    sameBits(new TestFit("ring:1", 4, "diging", 100, 5));
  }

  @Test
  void run_complete_givesTheSimulatorsBits() throws Exception {
    sameBits(new TestFit("complete", 4, "auto", 120, 8));
  }

  @Test
  void run_directed_givesTheSimulatorsBits() throws Exception {
    sameBits(new TestFit("circle:2", 5, "push-diging", 60, 3));
  }

  @Test
  void run_central_givesTheSimulatorsBits() throws Exception {
    sameBits(new TestFit("central", 4, "ngd", 200, 4));
  }
}
