package ngd.app.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.OwnProcess;
import ngd.app.terminal.RootCommand;
import ngd.core.Problems;
import ngd.core.WorkFailed;
import ngd.peer.bench.BenchFit;
import ngd.peer.bench.BenchSites;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.Ping;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * {@code ngd bench peers}: rounds a second of real peers, each a process of its own with snapshots,
 * over mutual TLS on this machine, next to a bare gRPC ping.
 */
@Command(
    name = "peers",
    description =
        "Measures rounds per second of real peers over mutual TLS on this machine, beside a bare gRPC ping.")
final class BenchPeersCommand implements Callable<Integer> {
  private static final int LENET = 61_706;
  private static final int PINGS = 5000;
  private static final long LONGEST_MINUTES = 10;
  private static final String HEAP = "256m";

  @ParentCommand private @Nullable BenchCommand bench;

  @Option(
      names = "--case",
      paramLabel = "WORD",
      split = ",",
      description =
          "Cases to run: ping, ring, complete, large, many (50 processes), in-process (1,000 peers); all by default.")
  private List<String> only = List.of("ping", "ring", "complete", "large", "many", "in-process");

  @Override
  public Integer call() throws Exception {
    Console console = RootCommand.consoleOf(Objects.requireNonNull(bench).ngd());
    Problems problems = new Problems();
    for (String word : only) {
      problems.require(
          List.of("ping", "ring", "complete", "large", "many", "in-process").contains(word),
          "--case: must be ping, ring, complete, large, many or in-process; got " + word);
    }
    problems.throwIfAny();
    for (String word : only) {
      console.out().println(measured(word));
      console.out().flush();
    }
    return Exit.DONE;
  }

  private String measured(String word) throws Exception {
    return switch (word) {
      case "ping" -> ping();
      case "ring" -> rounds("ring:1", 4, 8, 2000, 4000);
      case "complete" -> rounds("complete", 4, 8, 2000, 4000);
      case "large" -> rounds("complete", 4, LENET, 400, 600);
      case "many" -> rounds("ring:2", 50, 8, 0, 200);
      default -> inProcess();
    };
  }

  private static String ping() throws IOException {
    Path folder = Files.createTempDirectory("ngd-bench");
    try {
      BenchSites sites = BenchSites.create(folder, 2);
      double seconds =
          Ping.seconds(
              sites.sites().get(0),
              BenchSites.transport(sites.identity(0)),
              sites.sites().get(1),
              BenchSites.transport(sites.identity(1)),
              PINGS);
      return "bare gRPC ping over mutual TLS: %.0f a second".formatted(PINGS / seconds);
    } finally {
      remove(folder);
    }
  }

  /** Every peer a process; the slowest counts. */
  private static String rounds(String network, int clients, int parameters, int warmUp, int rounds)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("ngd-bench");
    List<Process> peers = new ArrayList<>();
    try {
      BenchSites.create(folder, clients);
      long begin = System.nanoTime();
      for (int m = 0; m < clients; m++) {
        peers.add(peer(folder, m, network, parameters, warmUp, rounds));
      }
      List<PeerCost> costs = new ArrayList<>();
      for (int m = 0; m < clients; m++) {
        if (!peers.get(m).waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)
            || peers.get(m).exitValue() != 0) {
          throw new WorkFailed(
              "bench peers: peer %d did not end well:%n%s"
                  .formatted(m, Files.readString(folder.resolve("log-" + m))));
        }
        costs.add(PeerCost.read(PeerCost.file(folder, m)));
      }
      double all = (System.nanoTime() - begin) / 1e9;
      double slowest = most(costs, PeerCost::rounds);
      double warm = most(costs, PeerCost::warmUp);
      // Where nothing is warmed up, peers wait in the first measured round until all have started.
      String around =
          warmUp == 0
              ? "%.1f s with starting and ending %d processes".formatted(all, clients)
              : "%.1f s for %d rounds before them, %.1f s for starting and ending %d processes"
                  .formatted(warm, warmUp, all - warm - slowest, clients);
      return "%d peers, %s, p = %d: %.0f rounds a second (%d rounds in %.1f s; %s); a process took %.2f s of processor time, at most %.0f MB resident"
          .formatted(
              clients,
              network,
              parameters,
              rounds / slowest,
              rounds,
              slowest,
              around,
              costs.stream().mapToDouble(PeerCost::processor).average().orElse(0),
              most(costs, PeerCost::resident));
    } finally {
      peers.forEach(Process::destroyForcibly);
      remove(folder);
    }
  }

  private static double most(List<PeerCost> costs, ToDoubleFunction<PeerCost> of) {
    return costs.stream().mapToDouble(of).max().orElse(0);
  }

  private static Process peer(
      Path folder, int self, String network, int parameters, int warmUp, int rounds)
      throws IOException {
    List<String> words = new ArrayList<>(List.of(BenchPeerCommand.NAME, folder.toString()));
    for (Object word : List.of(self, network, parameters, warmUp, rounds)) {
      words.add(word.toString());
    }
    // Where rounds are warmed up, they are timed as those of long runs, with both compilers.
    List<String> command =
        warmUp > 0
            ? OwnProcess.command(List.of("-XX:+UseSerialGC", "-Xmx" + HEAP), words)
            : OwnProcess.peer(HEAP, words);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log-" + self).toFile())
        .start();
  }

  private static String inProcess() throws Exception {
    int clients = 1000;
    int rounds = 100;
    List<PeerAddress> sites = new ArrayList<>();
    for (int m = 0; m < clients; m++) {
      sites.add(new PeerAddress(m, "site-" + m, "", 0));
    }
    Agreement agreement = new Agreement("bench", "bench");
    BenchFit fit = new BenchFit("ring:1", clients, 8, 20, 0, rounds);
    long begin = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      InProcessTransport transport = new InProcessTransport("bench", threads);
      List<Future<BenchFit.Seconds>> peers = new ArrayList<>();
      for (int m = 0; m < clients; m++) {
        int self = m;
        peers.add(threads.submit(() -> fit.run(self, agreement, sites, transport, null)));
      }
      double slowest = 0;
      for (Future<BenchFit.Seconds> peer : peers) {
        slowest = Math.max(slowest, peer.get().rounds());
      }
      return "1,000 peers in one process, ring:1, p = 8: %.0f rounds a second (%d rounds in %.1f s; %.1f s with starting and ending)"
          .formatted(rounds / slowest, rounds, slowest, (System.nanoTime() - begin) / 1e9);
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
