package ngd.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;

/** A peer as a process of its own: {@code PeerMain FOLDER SELF}. */
final class PeerMain {
  private PeerMain() {}

  /** What all peers of a test federation read from its folder. */
  record Shared(TestFit fit, List<PeerAddress> sites, PeerOptions options, String plan) {
    static Shared read(Path folder) throws IOException {
      List<String> lines = Files.readAllLines(folder.resolve("federation"));
      TestFit fit =
          new TestFit(
              lines.get(0),
              Integer.parseInt(lines.get(1)),
              lines.get(2),
              Integer.parseInt(lines.get(3)),
              Integer.parseInt(lines.get(4)));
      List<PeerAddress> sites = new ArrayList<>();
      for (int m = 0; m < fit.clients(); m++) {
        String[] words = lines.get(6 + m).split(" ", -1);
        sites.add(new PeerAddress(m, words[0], words[1], Integer.parseInt(words[2])));
      }
      PeerOptions options =
          new PeerOptions(
              PeerOptions.PLAIN.mixing(),
              Policy.parse(lines.get(5)),
              PeerOptions.PLAIN.numbers(),
              Masks.NONE);
      return new Shared(fit, sites, options, String.join("\n", lines.subList(0, 6)));
    }
  }

  public static void main(String[] arguments) throws Exception {
    run(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    System.exit(0);
  }

  static void run(Path folder, int self) throws Exception {
    Shared files = Shared.read(folder);
    int port = Integer.getInteger("ngd.test.port", files.sites().get(self).port());
    List<PeerAddress> sites = new ArrayList<>(files.sites());
    PeerAddress own = sites.get(self);
    sites.set(self, new PeerAddress(self, own.name(), own.host(), port));
    PeerSetup setup =
        new PeerSetup(
            new Agreement(Integer.toHexString(files.plan().hashCode()), files.plan()),
            self,
            sites,
            files.fit().network(),
            TestFit.STREAMS,
            recorded(files, folder.resolve("terms-" + self)),
            PeerSetup.messageBytes(files.fit().clients(), files.fit().parameters()),
            folder.resolve("peer-" + self));
    TlsTransport transport =
        new TlsTransport(
            TestAuthority.credentials(folder.resolve(own.name() + ".p12")), "127.0.0.1");
    try (PeerNode node = new PeerNode(setup, transport)) {
      Thread.ofPlatform().daemon().start(() -> report(node, folder.resolve("status-" + self)));
      double[] theta = node.run(files.fit()::program);
      StringBuilder words = new StringBuilder();
      for (double value : theta) {
        words.append(Long.toHexString(Double.doubleToRawLongBits(value))).append('\n');
      }
      Path result = folder.resolve("theta-" + self);
      Files.writeString(folder.resolve("theta-" + self + ".new"), words);
      Files.move(folder.resolve("theta-" + self + ".new"), result, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Every term before it is sent, with its call: what a mask of that call would hide. */
  private static PeerOptions recorded(Shared files, Path file) {
    PeerOptions plain = files.options();
    return files.fit().algorithm().equals(TestFit.SUMS)
        ? new PeerOptions(
            plain.mixing(),
            plain.policy(),
            plain.numbers(),
            (call, terms) -> append(file, call + " " + Arrays.hashCode(terms) + "\n"))
        : plain;
  }

  private static void append(Path file, String line) {
    try {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void report(PeerNode node, Path file) {
    try {
      while (true) {
        Files.writeString(file, node.status().toString());
        Thread.sleep(50);
      }
    } catch (IOException | InterruptedException ending) {
      // The process is ending.
    }
  }
}
