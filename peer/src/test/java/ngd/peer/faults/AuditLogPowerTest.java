package ngd.peer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import ngd.core.random.Streams;
import ngd.peer.standing.AuditLog;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Power failures while a site's log is written. Oracle: POSIX, as the simulated disk has it. */
class AuditLogPowerTest {
  /** Ends the writing at a moment. */
  private static final class PowerFails extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void add_powerFailsAgainAndAgain_keepsEveryLineThatWasSaidToBeThere() {
    for (int seed = 0; seed < 100; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      Path file = disk.root().resolve("questions/log.jsonl");
      UniformRandomProvider draw = Streams.of(seed).stream(Streams.Purpose.EVENTS, 0);
      List<String> said = new ArrayList<>();
      for (int start = 0; start < 12; start++) {
        int fails = 1 + draw.nextInt(8);
        int[] changes = {0};
        disk.faults(
            _ -> {
              if (++changes[0] == fails) {
                throw new PowerFails();
              }
            });
        try {
          AuditLog log = AuditLog.open(file);
          for (int line = 0; line < 3; line++) {
            // Lines of many lengths, so that some are shorter than what was left half-written.
            log.add(Instant.EPOCH, "event", "words", "x".repeat(1 + draw.nextInt(3000)));
            said.add(log.last());
          }
        } catch (PowerFails now) {
          // What was said before it must be there.
        }
        disk.faults(SimulatedDisk.Faults.NONE);
        disk.crash(draw);
        List<String> links = AuditLog.read(file).stream().map(AuditLog.Entry::link).toList();
        assertThat(links).as("seed %d, start %d", seed, start).containsAll(said);
      }
    }
  }
}
