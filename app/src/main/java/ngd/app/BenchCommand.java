package ngd.app;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code ngd bench}: how fast this machine is. */
@Command(
    name = "bench",
    description = "Measures how fast this machine is.",
    subcommands = {BenchRoundsCommand.class, BenchAlgorithmsCommand.class})
final class BenchCommand {
  @ParentCommand private @Nullable Ngd parent;

  @Nullable Ngd ngd() {
    return parent;
  }
}
