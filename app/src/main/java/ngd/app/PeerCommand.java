package ngd.app;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer}: one site's part in a federation. */
@Command(
    name = "peer",
    description = {"One site's part in a federation.", ""},
    subcommands = {PeerRequestCommand.class, PeerRunCommand.class, PeerStatusCommand.class})
final class PeerCommand {
  @ParentCommand private @Nullable Ngd parent;

  Console console() {
    return Ngd.console(parent);
  }
}
