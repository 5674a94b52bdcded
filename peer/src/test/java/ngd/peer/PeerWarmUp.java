package ngd.peer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** What {@link PeerMain} needs, loaded once for its AOT cache: two federations in one process. */
final class PeerWarmUp {
  private static final int CLIENTS = 2;

  private PeerWarmUp() {}

  /**
   * @param folder an empty one
   */
  public static void main(String[] folder) throws Exception {
    for (String algorithm : List.of("ngd", TestFit.SUMS)) {
      Path own = Files.createDirectory(Path.of(folder[0]).resolve(algorithm));
      TestFit fit = new TestFit("complete", CLIENTS, algorithm, 20, 3);
      Federation.write(own, fit, "wait", AllPeers.sites(CLIENTS));
      List<FutureTask<?>> peers = new ArrayList<>();
      for (int m = 0; m < CLIENTS; m++) {
        int self = m;
        peers.add(
            new FutureTask<>(
                () -> {
                  PeerMain.run(own, self);
                  return null;
                }));
      }
      peers.forEach(Thread.ofPlatform().daemon()::start);
      for (FutureTask<?> peer : peers) {
        peer.get();
      }
    }
    System.exit(0);
  }
}
