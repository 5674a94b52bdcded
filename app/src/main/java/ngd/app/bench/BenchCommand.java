package ngd.app.bench;

import ngd.app.terminal.RootCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code ngd bench}: how fast this machine is. */
@Command(
    name = "bench",
    description = "Measures how fast this machine is.",
    subcommands = {
      BenchRoundsCommand.class,
      BenchAlgorithmsCommand.class,
      BenchPeersCommand.class,
      BenchSumsCommand.class,
      BenchFaultsCommand.class
    })
public final class BenchCommand {
  @ParentCommand private @Nullable RootCommand parent;

  @Nullable RootCommand ngd() {
    return parent;
  }
}
