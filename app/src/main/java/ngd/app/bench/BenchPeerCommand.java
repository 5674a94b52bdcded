package ngd.app.bench;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import ngd.app.federation.ResidentPages;
import ngd.app.terminal.Exit;
import ngd.peer.bench.BenchFit;
import ngd.peer.bench.BenchSites;
import ngd.peer.identity.PeerIdentity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** One peer of {@code ngd bench peers}, in a process of its own; no other command has it. */
@Command(
    name = BenchPeerCommand.NAME,
    hidden = true,
    description = "One peer of `ngd bench peers`.")
public final class BenchPeerCommand implements Callable<Integer> {
  public static final String NAME = "bench-peer";

  @Parameters(index = "0")
  private Path folder = Path.of("");

  @Parameters(index = "1")
  private int self;

  @Parameters(index = "2")
  private String network = "";

  @Parameters(index = "3")
  private int parameters;

  @Parameters(index = "4")
  private int warmUp;

  @Parameters(index = "5")
  private int rounds;

  @Override
  public Integer call() throws Exception {
    ResidentPages.settle();
    BenchSites sites = BenchSites.open(folder);
    PeerIdentity own = sites.identity(self);
    BenchFit fit =
        new BenchFit(network, sites.sites().size(), parameters, rows(parameters), warmUp, rounds);
    BenchFit.Seconds seconds =
        fit.run(
            self,
            BenchSites.agreement(own),
            sites.sites(),
            BenchSites.transport(own),
            folder.resolve("state-" + self));
    PeerCost.of(seconds).write(PeerCost.file(folder, self));
    return Exit.DONE;
  }

  /** Few enough that rounds are about messages, not about arithmetic. */
  static int rows(int parameters) {
    return parameters > 1000 ? 2 : 20;
  }
}
