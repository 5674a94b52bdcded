package ngd.app.federation;

import java.util.ArrayList;
import java.util.List;
import ngd.app.terminal.Console;
import ngd.app.terminal.RootCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer}: one site's part in a federation. */
@Command(
    name = "peer",
    description = {"Runs one site's peer in a federation.", ""})
public abstract sealed class PeerCommand {
  @ParentCommand private @Nullable RootCommand parent;

  /** With all commands. */
  @Command(
      name = "peer",
      subcommands = {
        PeerJoinCommand.class,
        PeerRequestCommand.class,
        PeerRunCommand.class,
        PeerStatusCommand.class,
        PeerCheckCommand.class,
        PeerQuestionsCommand.class,
        PeerDecideCommands.Approve.class,
        PeerDecideCommands.Refuse.class,
        PeerLogCommand.class,
        PeerUpdateCommand.Update.class,
        PeerUpdateCommand.Confirm.class
      })
  public static final class Whole extends PeerCommand {}

  /** With {@code run} alone: a peer starts sooner where the others are not described. */
  @Command(name = "peer", subcommands = PeerRunCommand.class)
  public static final class Running extends PeerCommand {}

  /** {@code ngd peer}, with the options of {@code run} or none, runs the peer. */
  public static String[] orRun(String[] args) {
    boolean peer = args.length > 0 && args[0].equals("peer");
    boolean bare =
        args.length == 1
            || (args.length > 1
                && args[1].startsWith("--")
                && !List.of("--help", "--version").contains(args[1]));
    if (!peer || !bare) {
      return args;
    }
    List<String> words = new ArrayList<>(List.of(args));
    words.add(1, "run");
    return words.toArray(String[]::new);
  }

  Console console() {
    return RootCommand.consoleOf(parent);
  }
}
