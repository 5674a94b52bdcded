package ngd.app.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import ngd.peer.bench.BenchFit;

/**
 * What one peer of a measurement took.
 *
 * @param warmUp seconds of the rounds that are not measured
 * @param rounds seconds of the measured rounds
 * @param processor seconds of processor time of the whole process
 * @param resident the most memory that was resident, in MB, shared pages included; not a number
 *     where the system does not say it
 */
record PeerCost(double warmUp, double rounds, double processor, double resident) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String MOST_RESIDENT = "VmHWM:";
  private static final double KIB_PER_MIB = 1024;

  /** What this process took so far. */
  static PeerCost of(BenchFit.Seconds seconds) throws IOException {
    Duration used = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    return new PeerCost(
        seconds.warmUp(), seconds.rounds(), used.toNanos() / 1e9, mostResident(STATUS));
  }

  private static double mostResident(Path status) throws IOException {
    if (!Files.isReadable(status)) {
      return Double.NaN;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(MOST_RESIDENT)) {
        return Double.parseDouble(line.replaceAll("[^0-9]", "")) / KIB_PER_MIB;
      }
    }
    return Double.NaN;
  }

  /** Where a peer leaves it. */
  static Path file(Path folder, int self) {
    return folder.resolve("cost-" + self);
  }

  void write(Path file) throws IOException {
    Files.write(
        file,
        List.of(
            Double.toString(warmUp),
            Double.toString(rounds),
            Double.toString(processor),
            Double.toString(resident)));
  }

  static PeerCost read(Path file) throws IOException {
    List<Double> numbers = Files.readAllLines(file).stream().map(Double::valueOf).toList();
    return new PeerCost(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
  }
}
