package ngd.app.federation;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.NumberText;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.standing.AuditLog;
import ngd.peer.standing.QuestionList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer log}: the record of questions and answers, checked. */
@Command(
    name = "log",
    description = {
      "Prints this site's record of every question, decision and answer, and checks that no line"
          + " was changed or removed.",
      ""
    })
final class PeerLogCommand implements Callable<Integer> {
  @ParentCommand private @Nullable PeerCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Folder of the site; the current one by default.")
  private Path folder = Path.of(".");

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    PeerIdentity identity = Members.standing(folder);
    List<AuditLog.Entry> entries = QuestionList.checkedLog(identity);
    for (AuditLog.Entry entry : entries) {
      console.out().println(entry.content());
    }
    console
        .err()
        .printf(
            "ngd peer log: %s, none changed or removed%n",
            NumberText.count(entries.size(), "line"));
    return Exit.DONE;
  }
}
