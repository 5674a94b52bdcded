package ngd.app.federation;

import ngd.app.terminal.Console;
import ngd.app.terminal.RootCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation}: sets up a federation of real peers and looks after it. */
@Command(
    name = "federation",
    description = {"Sets up and manages a federation of real peers.", ""},
    subcommands = {
      FederationNewCommand.class,
      FederationAdmitCommand.class,
      FederationApproveCommand.class,
      FederationPackCommand.class,
      FederationAskCommand.class,
      FederationAddCommand.class,
      FederationLeaveCommand.class,
      FederationDictionaryCommand.class,
      FederationRevokeCommand.class,
      FederationExposureCommand.class,
      FederationStatusCommand.class,
      FederationRehearseCommand.class,
      RehearsalPartCommand.class
    })
public final class FederationCommand {
  @ParentCommand private @Nullable RootCommand parent;

  Console console() {
    return RootCommand.consoleOf(parent);
  }
}
