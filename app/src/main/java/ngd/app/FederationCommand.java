package ngd.app;

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
final class FederationCommand {
  @ParentCommand private @Nullable Ngd parent;

  Console console() {
    return Ngd.console(parent);
  }
}
