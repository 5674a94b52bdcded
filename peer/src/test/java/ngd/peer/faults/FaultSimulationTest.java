package ngd.peer.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import ngd.core.random.Streams;
import ngd.peer.durable.Checkpoints;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.Test;

/** Federations from seeds. Oracle: the simulator and exact decimal sums, in {@link FaultFit}. */
class FaultSimulationTest {
  @Test
  void run_sameSeedTwice_givesTheSameLog() {
    for (long seed = 1; seed <= 5; seed++) {
      for (FaultMode mode : FaultMode.values()) {
        long one = seed;
        requireSameLog(() -> FaultSimulation.run(one, mode, 0));
      }
    }
  }

  @Test
  void kits_sameSeedTwice_givesTheSameLog() {
    for (long seed = 3; seed <= 4; seed++) {
      long one = seed;
      requireSameLog(() -> FaultSimulation.kits(one, FaultMode.of(one), 0));
    }
  }

  @Test
  void standing_sameSeedTwice_givesTheSameLog() {
    for (long seed : new long[] {4, 12346, 12347}) {
      for (FaultMode mode : FaultMode.values()) {
        requireSameLog(() -> FaultSimulation.standing(seed, mode, 3, 2, Duration.ofSeconds(2)));
      }
    }
  }

  /** Other keys would be another run: questions are ordered by hashes of what was signed. */
  @Test
  void prepared_twice_hasTheSameKeysAndSignatures() throws IOException {
    List<Site> sites = List.of(new Site("site-0", "localhost", 1), new Site("b", "localhost", 2));
    List<Map<String, String>> files = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Path root = KitFaults.prepared(() -> PlanReader.parse(new PlanTemplate().text(sites))).root();
      Map<String, String> found = new TreeMap<>();
      try (Stream<Path> all = Files.walk(root)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          found.put(file.toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
        }
      }
      files.add(found);
    }
    assertThat(files.getFirst()).hasSizeGreaterThan(8).isEqualTo(files.getLast());
  }

  private static void requireSameLog(Supplier<FaultOutcome> simulation) {
    FaultOutcome once = simulation.get();
    FaultOutcome again = simulation.get();
    assertThat(once.log()).isNotEmpty();
    assertThat(again.log()).isEqualTo(once.log());
  }

  /** Oracles: least squares by elimination, and the simulator's bits, in {@link KitFaults}. */
  @Test
  void kits_pooledRoundsAndNoise_areRightOrRefused() {
    for (long seed = 1; seed <= 6; seed++) {
      FaultOutcome outcome = FaultSimulation.kits(seed, FaultMode.of(seed), 0);
      assertThat(outcome.violations()).as(String.join("\n", outcome.log())).isEmpty();
    }
  }

  /** Time passes, questions are answered, sites crash; a whole day with {@code -Dngd.soak=24}. */
  @Test
  void soak_questionsAndCrashesForHours_leaveNothingBehind() {
    int hours = Integer.getInteger("ngd.soak", 1);
    FaultOutcome outcome = FaultSimulation.soak(1, 3, hours);
    assertThat(outcome.violations()).as(String.join("\n", outcome.log())).isEmpty();
    assertThat(outcome.seconds()).isGreaterThan(0.5 * 3600 * hours);
    assertThat(outcome.answers()).isEqualTo(3);
  }

  /** A power failure after the first snapshot once took the folder away in which it was. */
  @Test
  void write_powerFailsAfterwards_keepsTheFolderOfSnapshots() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      byte[] content = {(byte) seed};
      SimulatedDisk disk = new SimulatedDisk();
      Path folder = disk.root().resolve("state").resolve("run");
      try (Checkpoints first = new Checkpoints(folder, "plan")) {
        first.write(out -> out.write(content), 0);
      }
      disk.crash(Streams.of(seed).stream(Streams.Purpose.EVENTS, 0));
      try (Checkpoints again = new Checkpoints(folder, "plan")) {
        assertThat(again.newest().orElseThrow()).isEqualTo(content);
      }
    }
  }

  @Test
  void run_faultsThatStop_leaveEverybodyWithTheAnswer() {
    for (long seed : new long[] {28, 50, 63}) {
      FaultOutcome outcome = FaultSimulation.run(seed, FaultMode.LIVENESS, 0);
      assertThat(outcome.violations()).as(String.join("\n", outcome.log())).isEmpty();
      assertThat(outcome.answers()).isEqualTo(outcome.peers());
    }
  }

  /** Oracle: least squares by elimination, in {@link StandingFaults}. */
  @Test
  void standing_questionsWhileSitesCrash_areAnsweredAlikeEverywhere() {
    FaultOutcome outcome =
        FaultSimulation.standing(1, FaultMode.LIVENESS, 3, 2, Duration.ofSeconds(2));
    assertThat(outcome.violations()).as(String.join("\n", outcome.log())).isEmpty();
    assertThat(outcome.answers()).isEqualTo(3);
  }
}
