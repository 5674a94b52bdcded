package ngd.app.federation;

import ngd.app.terminal.Console;
import ngd.app.terminal.Top;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation}: sets up a federation of real peers and looks after it. */
@Command(
    name = "federation",
    description = {"Sets up a federation of real peers and looks after it.", ""},
    subcommands = {
      FederationNewCommand.class,
      FederationApproveCommand.class,
      FederationPackCommand.class,
      FederationAddCommand.class,
      FederationRevokeCommand.class,
      FederationStatusCommand.class,
      FederationRehearseCommand.class
    })
public final class FederationCommand {
  @ParentCommand private @Nullable Top parent;

  Console console() {
    return Top.consoleOf(parent);
  }
}
