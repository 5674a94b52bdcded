package ngd.app.federation;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.TextTable;
import ngd.core.run.JsonObject;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.standing.AskedQuestion;
import ngd.peer.standing.QuestionList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer questions}: what was asked, and what became of it. */
@Command(
    name = "questions",
    description = {
      "Lists the questions asked of a standing federation, as this site's peer knows them.",
      ""
    })
final class PeerQuestionsCommand implements Callable<Integer> {
  @ParentCommand private @Nullable PeerCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Folder of the site; the current one by default.")
  private Path folder = Path.of(".");

  @Option(names = "--open", description = "Only those that are not over.")
  private boolean open;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    PeerIdentity identity = Members.standing(folder);
    List<QuestionList.Numbered> questions =
        QuestionList.read(identity).stream()
            .filter(one -> !open || !one.question().over())
            .toList();
    List<String> notTaken = Members.folder(identity).refusals();
    if (format.isJson()) {
      console
          .out()
          .println(
              new JsonObject()
                  .put("questions", questions.stream().map(PeerQuestionsCommand::json).toList())
                  .put("notTaken", notTaken));
      return Exit.DONE;
    }
    if (questions.isEmpty()) {
      console.out().println("no questions");
    } else {
      print(questions, console);
    }
    notTaken.forEach(why -> console.out().printf("%nnot taken by the peer: %s%n", why));
    return Exit.DONE;
  }

  private static void print(List<QuestionList.Numbered> questions, Console console) {
    TextTable table =
        new TextTable(List.of("no.", "question", "asker", "asked", "state", "waits for", "asks"));
    for (QuestionList.Numbered one : questions) {
      AskedQuestion question = one.question();
      table.add(
          List.of(
              Integer.toString(one.number()),
              question.name(),
              question.asker(),
              question.asked().at().toString(),
              question.state().word(),
              question.over() ? "" : String.join(" ", question.awaited()),
              question.summary()));
    }
    table.print(console.out());
    for (QuestionList.Numbered one : questions) {
      one.reasons().forEach(why -> console.out().printf("%n%d: %s%n", one.number(), why));
    }
  }

  static JsonObject json(QuestionList.Numbered one) {
    AskedQuestion question = one.question();
    return new JsonObject()
        .put("number", one.number())
        .put("question", question.name())
        .put("asker", question.asker())
        .put("asked", question.asked().at().toString())
        .put("state", question.state().word())
        .put("awaited", question.over() ? List.of() : question.awaited())
        .put("words", new JsonObject().putAll(question.words()))
        .put("reasons", one.reasons());
  }
}
