package ngd.app.federation;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation status}: how all peers are. */
@Command(
    name = "status",
    description = {
      "Shows the status of several peers: rounds, who waits for whom, spread, refusals, time left.",
      "Status ports answer on their own machine only; forward others with `ssh -L`.",
      ""
    })
final class FederationStatusCommand implements Callable<Integer> {
  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(
      arity = "0..*",
      paramLabel = "PEER",
      description = "Status ports, host:port, or folders of sites whose peers run here.")
  private List<String> peers = List.of();

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    if (peers.isEmpty()) {
      throw new InvalidInput("PEER: must be given: status ports, host:port, or site folders");
    }
    Console console = Objects.requireNonNull(parent).console();
    StatusTable table = StatusTable.ask(peers);
    if (format.isJson()) {
      console.out().println(table.json());
    } else {
      table.print(console.out());
    }
    return table.allWell() ? Exit.DONE : Exit.FAILED;
  }
}
