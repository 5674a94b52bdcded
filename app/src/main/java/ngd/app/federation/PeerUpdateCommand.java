package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.standing.MemberFolder;
import ngd.peer.standing.QuestionList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer update} and {@code ngd peer confirm}: when members change. */
abstract class PeerUpdateCommand implements Callable<Integer> {
  @ParentCommand private @Nullable PeerCommand parent;

  @Option(
      names = {"--member", "--in"},
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Folder of the member; the current one by default.")
  private Path folder = Path.of(".");

  PeerIdentity identity() {
    return Members.standing(folder);
  }

  Console console() {
    return Objects.requireNonNull(parent).console();
  }

  /** What a change does to the members. */
  static String words(PeerIdentity identity, WrittenPlan next) {
    List<String> before = identity.kit().plan().plan().federation().members();
    List<String> after = next.plan().federation().members();
    List<String> joining = new ArrayList<>(after);
    joining.removeAll(before);
    List<String> leaving = new ArrayList<>(before);
    leaving.removeAll(after);
    return "amendment %d, plan %s: joining %s, leaving %s"
        .formatted(
            next.plan().federation().amendment(),
            next.shortHash(),
            joining.isEmpty() ? "nobody" : String.join(", ", joining),
            leaving.isEmpty() ? "nobody" : String.join(", ", leaving));
  }

  /** Hands a kit in at a member, whose peer passes it on; what it does to the members. */
  static String handIn(PeerIdentity identity, Map<String, String> files, String kit) {
    WrittenPlan next = identity.kit().checked(files);
    requireNewer(identity, next, kit);
    MemberFolder member = Members.folder(identity);
    member.change(files, next.shortHash());
    // Whoever hands a kit in has confirmed it.
    member.confirm(next.plan().federation().amendment());
    return words(identity, next);
  }

  /** Refuses a plan that is not newer than a member's own. */
  static void requireNewer(PeerIdentity identity, WrittenPlan next, String kit) {
    int present = identity.kit().plan().plan().federation().amendment();
    if (next.plan().federation().amendment() <= present) {
      throw new InvalidInput(
          "%s: must be newer than the plan here, amendment %d; it is amendment %d"
              .formatted(kit, present, next.plan().federation().amendment()));
    }
  }

  /** {@code ngd peer update}. */
  @Command(
      name = "update",
      description = {
        "Takes over a kit with other members and passes it on to all others through the peer.",
        ""
      })
  static final class Update extends PeerUpdateCommand {
    @Parameters(arity = "0..1", paramLabel = "KIT", description = "The kit, NAME.zip.")
    private @Nullable Path kit;

    @Override
    public Integer call() {
      if (kit == null) {
        throw new InvalidInput("KIT: the kit must be given, such as a.zip");
      }
      PeerIdentity identity = identity();
      Map<String, String> files;
      try {
        files = Kit.texts(kit);
      } catch (IOException e) {
        throw new InvalidInput(
            "%s: must be a kit; it cannot be read: %s".formatted(kit, e.getMessage()), e);
      }
      if (!files.containsKey(Kit.PLAN)) {
        throw new InvalidInput(
            "%s: must be a kit, NAME.zip, as `ngd federation pack` writes it; it holds no %s"
                .formatted(kit, Kit.PLAN));
      }
      console().out().println(handIn(identity, files, kit.toString()));
      return Exit.DONE;
    }
  }

  /** {@code ngd peer confirm}. */
  @Command(
      name = "confirm",
      description = {"Agrees to a change of members that waits for a person at this site.", ""})
  static final class Confirm extends PeerUpdateCommand {
    @Override
    public Integer call() {
      PeerIdentity identity = identity();
      WrittenPlan next =
          QuestionList.change(identity)
              .orElseThrow(() -> new InvalidInput("confirm: no change of members waits here"));
      Members.folder(identity).confirm(next.plan().federation().amendment());
      console().out().println(words(identity, next) + ": confirmed");
      return Exit.DONE;
    }
  }
}
