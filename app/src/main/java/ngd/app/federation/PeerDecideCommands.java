package ngd.app.federation;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.standing.AskedQuestion;
import ngd.peer.standing.HandDecision;
import ngd.peer.standing.QuestionList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** What a person at a site decides about a question. */
abstract class PeerDecideCommands implements Callable<Integer> {
  @ParentCommand private @Nullable PeerCommand parent;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "N",
      description = "The question's number or name, as `ngd peer questions` shows it.")
  private @Nullable String number;

  @Option(
      names = {"--member", "--in"},
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Folder of the site; the current one by default.")
  private Path folder = Path.of(".");

  /** Why not; null where the question is accepted. */
  abstract @Nullable String refusal();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    if (number == null) {
      throw new InvalidInput(
          "N: the question must be given, by its number or name in `ngd peer questions`");
    }
    String why = refusal();
    PeerIdentity identity = Members.standing(folder);
    AskedQuestion question = decide(identity, number, why);
    console
        .out()
        .printf(
            "question %s: %s%s%n",
            question.name(),
            why == null ? "approved" : "refused",
            Members.folder(identity).peerRuns()
                ? ""
                : "; it takes effect when `ngd peer run` runs here");
    return Exit.DONE;
  }

  /** Hands in what a person has decided: a reason where the question is refused. */
  static AskedQuestion decide(PeerIdentity identity, String number, @Nullable String why) {
    AskedQuestion question = QuestionList.find(identity, number).question();
    if (question.decision(identity.site()).isPresent()) {
      throw new InvalidInput(
          "question %s: is decided already: %s"
              .formatted(question.name(), question.state().word()));
    }
    Members.folder(identity)
        .decide(
            new HandDecision(
                question.name(),
                why == null,
                System.getProperty("user.name", "somebody"),
                why == null ? "" : why));
    return question;
  }

  /** {@code ngd peer approve}. */
  @Command(
      name = "approve",
      description = {"Lets this site take part in a question that waits for a person.", ""})
  static final class Approve extends PeerDecideCommands {
    @Override
    @Nullable String refusal() {
      return null;
    }
  }

  /** {@code ngd peer refuse}. */
  @Command(
      name = "refuse",
      description = {"Keeps this site out of a question; the asker is told why.", ""})
  static final class Refuse extends PeerDecideCommands {
    @Option(names = "--why", paramLabel = "TEXT", description = "The reason, for the asker.")
    private @Nullable String why;

    @Override
    @Nullable String refusal() {
      if (why == null || why.isBlank()) {
        throw new InvalidInput("--why: must be given: the reason that the asker is told");
      }
      return why.strip();
    }
  }
}
