package ngd.peer;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import ngd.peer.wire.PeerAddress;

/** A federation of real processes over mutual TLS, in one folder. */
final class Federation implements AutoCloseable {
  private static final AotCaches CACHES = new AotCaches(Path.of("target", "quick-start"));
  private static final Path CACHE = CACHES.resolve("peer.aot");

  private final Path folder;
  private final TestFit fit;
  private final List<Process> peers = new ArrayList<>();
  private final List<PeerAddress> listening;

  Federation(Path folder, TestFit fit) throws IOException, InterruptedException {
    this(folder, fit, "wait", AllPeers.sites(fit.clients()), AllPeers.sites(0));
  }

  /**
   * @param dialled where others reach each site
   * @param listening where it listens, if that is elsewhere; else empty
   */
  Federation(
      Path folder,
      TestFit fit,
      String policy,
      List<PeerAddress> dialled,
      List<PeerAddress> listening)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.fit = fit;
    this.listening = listening.isEmpty() ? dialled : listening;
    write(folder, fit, policy, dialled);
    makeCache();
    for (int m = 0; m < fit.clients(); m++) {
      peers.add(start(m));
    }
  }

  /** Writes what all peers read. */
  static void write(Path folder, TestFit fit, String policy, List<PeerAddress> dialled)
      throws IOException {
    TestAuthority authority = new TestAuthority("authority");
    List<String> lines =
        new ArrayList<>(
            List.of(
                fit.topology(),
                "" + fit.clients(),
                fit.algorithm(),
                "" + fit.rounds(),
                "" + fit.parameters(),
                policy));
    for (PeerAddress site : dialled) {
      lines.add("%s %s %d".formatted(site.name(), site.host(), site.port()));
      authority.write(site.name(), folder.resolve(site.name() + ".p12"));
    }
    Files.write(folder.resolve("federation"), lines);
  }

  private Process start(int m) throws IOException {
    List<String> command = new ArrayList<>(program());
    command.addAll(1, AotCaches.use(CACHE));
    command.add(1, "-Dngd.test.port=" + listening.get(m).port());
    command.addAll(List.of(PeerMain.class.getName(), folder.toString(), "" + m));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(folder.toFile(), "log-" + m)))
        .start();
  }

  /** Java as sites start it for a peer, up to the main class. */
  private static List<String> program() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Dngd.kernels=scalar",
        "-Xmx256m",
        "-cp",
        CACHES.classPath());
  }

  private static synchronized void makeCache() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program());
    command.addAll(List.of(PeerWarmUp.class.getName(), CACHES.work().toString()));
    CACHES.make(List.of(new AotCaches.Training(CACHE, command)));
  }

  /** Ends a peer as a power cut would, and starts it again. */
  void killAndRestart(int m) throws IOException, InterruptedException {
    kill(m);
    peers.set(m, start(m));
  }

  void kill(int m) throws InterruptedException {
    peers.get(m).destroyForcibly();
    peers.get(m).waitFor();
  }

  boolean runs(int m) {
    return peers.get(m).isAlive();
  }

  /** What a peer last said of itself; whoever waits for one that has failed hears why. */
  String status(int m) throws IOException {
    if (!peers.get(m).isAlive() && peers.get(m).exitValue() == 1) {
      throw new IllegalStateException("peer %d failed:%n%s".formatted(m, log(m)));
    }
    Path file = folder.resolve("status-" + m);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /** Waits; where that takes too long, says what each peer last said of itself. */
  void until(String what, Callable<Boolean> holds) throws Exception {
    try {
      Await.until(what, holds);
    } catch (AssertionError late) {
      StringBuilder said = new StringBuilder(String.valueOf(late.getMessage()));
      for (int m = 0; m < peers.size(); m++) {
        said.append("%npeer %d: %s".formatted(m, status(m)));
      }
      throw new AssertionError(said.toString(), late);
    }
  }

  /** The round that a peer last said it was in; 0 before. */
  int round(int m) throws IOException {
    String status = status(m);
    int at = status.indexOf(" round=");
    return at < 0 ? 0 : Integer.parseInt(status.substring(at + 7, status.indexOf(',', at)));
  }

  /** The terms of sums that a peer has sent, the same one again after a restart: call and hash. */
  List<String> terms(int m) throws IOException {
    Path file = folder.resolve("terms-" + m);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  String log(int m) throws IOException {
    return Files.readString(folder.resolve("log-" + m));
  }

  Path folder(int m) {
    return folder.resolve("peer-" + m);
  }

  /** Waits for all to end well, and reads what they came to. */
  double[][] results() throws IOException, InterruptedException {
    double[][] theta = new double[fit.clients()][];
    for (int m = 0; m < fit.clients(); m++) {
      if (!peers.get(m).waitFor(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("peer %d does not end: %s".formatted(m, status(m)));
      }
      if (peers.get(m).exitValue() != 0) {
        throw new IllegalStateException("peer %d failed:%n%s".formatted(m, log(m)));
      }
      theta[m] =
          Files.readAllLines(folder.resolve("theta-" + m)).stream()
              .mapToDouble(word -> Double.longBitsToDouble(Long.parseUnsignedLong(word, 16)))
              .toArray();
    }
    return theta;
  }

  @Override
  public void close() {
    peers.forEach(Process::destroyForcibly);
  }
}
