package ngd.app.federation;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import ngd.app.answer.CurvesTable;
import ngd.app.answer.DocumentTable;
import ngd.app.terminal.AsksQuestion;
import ngd.app.terminal.ConfigFile;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.WorkFailed;
import ngd.core.question.DescribeKeys;
import ngd.core.question.FitKeys;
import ngd.core.question.Key;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.run.RunFolder;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanKeys;
import ngd.peer.standing.AskedQuestion;
import ngd.peer.standing.MemberFolder;
import ngd.peer.standing.QuestionList;
import ngd.peer.standing.QuestionWatch;
import ngd.peer.standing.SignedStatement;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ngd federation ask}: a question to a standing federation, and its answer. */
@Command(
    name = "ask",
    description = {
      "Asks a standing federation a question, with the options of `ngd fit`, `ngd describe` or `ngd"
          + " check` (--kind), and writes the answer.",
      "The question is signed with this member's key and goes through its own peer, which must"
          + " run.",
      ""
    })
final class FederationAskCommand implements Callable<Integer>, ConfigFile.Reader, AsksQuestion {
  private static final long GLANCE_MS = 20;

  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "YAML file whose keys are the options below without dashes, or the manifest.json of an"
              + " earlier run. Flags override it.")
  private @Nullable Path file;

  @Option(
      names = "--member",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Folder of the member that asks; the current one by default.")
  private Path member = Path.of(".");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Run folder to write, new or empty; by default the answer stays in the member's folder,"
              + " under answers.")
  private @Nullable Path out;

  @Option(
      names = "--no-wait",
      description = "Ask and return; `ngd peer questions` shows what becomes of it.")
  private boolean noWait;

  @Mixin private FormatOption format = new FormatOption();

  private Words words = new Words(Words.Style.FLAGS);

  @Override
  public @Nullable Path configFile() {
    return file;
  }

  @Override
  public List<Key<?>> keys() {
    return PlanKeys.ALL;
  }

  /** A rehearsal names its data and its network; a federation has its own. */
  @Override
  public Set<String> elsewhere() {
    Set<String> names = new HashSet<>();
    FitKeys.ALL.forEach(key -> names.add(key.name()));
    DescribeKeys.ALL.forEach(key -> names.add(key.name()));
    PlanKeys.ALL.forEach(key -> names.remove(key.name()));
    return names;
  }

  @Override
  public void asked(Words said) {
    words = said;
  }

  @Override
  public Integer call() throws InterruptedException {
    Console console = Objects.requireNonNull(parent).console();
    Problems problems = new Problems();
    Question question = PlanKeys.read(words, problems);
    RunFolder target = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    PeerIdentity identity = asker();
    Plan plan = Asking.plan(identity, question);
    Exposure.statements(plan).forEach(line -> console.err().println("ngd federation ask: " + line));
    SignedStatement asked = Asking.ask(identity, question).asked();
    MemberFolder folder = Members.folder(identity);
    console.err().printf("ngd federation ask: question %s%n", asked.name());
    if (!folder.peerRuns()) {
      console
          .err()
          .printf(
              "ngd federation ask: no peer runs in %s; the question waits until `ngd peer run`"
                  + " does%n",
              member);
    }
    if (noWait) {
      console.out().println(asked.name());
      return Exit.DONE;
    }
    AskedQuestion ended = await(new QuestionWatch(identity, folder, asked), console);
    return report(ended, plan, identity, folder, target, console);
  }

  /** Who asks; whoever forgot to say so reads which option does. */
  private PeerIdentity asker() {
    try {
      return Members.standing(member);
    } catch (InvalidInput e) {
      throw new InvalidInput("--member: " + e.getMessage(), e);
    }
  }

  /** Says what happens until nothing more does. */
  private static AskedQuestion await(QuestionWatch watch, Console console)
      throws InterruptedException {
    String before = "";
    while (true) {
      AskedQuestion now = watch.look();
      if (now.over()) {
        return now;
      }
      String state = AskedQuestion.State.words(now.state().word(), now.awaited());
      if (!state.equals(before)) {
        before = state;
        console.err().println("ngd federation ask: " + state);
        console.err().flush();
      }
      Thread.sleep(GLANCE_MS);
    }
  }

  private int report(
      AskedQuestion question,
      Plan plan,
      PeerIdentity identity,
      MemberFolder folder,
      @Nullable RunFolder target,
      Console console) {
    if (question.state() != AskedQuestion.State.ANSWERED) {
      throw new WorkFailed(
          "question %s has no answer: %s"
              .formatted(
                  question.name(),
                  String.join("; ", QuestionList.find(identity, question.name()).reasons())));
    }
    if (plan.sameEverywhere() && question.fingerprints().size() > 1) {
      throw new WorkFailed(
          "question %s: every site must come to the same answer; they differ: %s"
              .formatted(question.name(), question.fingerprints().values()));
    }
    SequencedMap<String, String> files = Asking.files(question, identity, folder);
    if (target != null) {
      Asking.write(question, plan, identity, folder, target);
    }
    if (format.isJson()) {
      console.out().print(Asking.document(files));
    } else {
      print(files, console);
      console
          .out()
          .printf(
              "%nwritten to %s%n", target == null ? folder.answer(question.name()) : target.path());
    }
    return Exit.DONE;
  }

  /** The answer's tables that a person reads; the covariance matrix is in its file. */
  private static void print(Map<String, String> files, Console console) {
    JsonNode document = JsonMapper.shared().readTree(Asking.document(files));
    if (DocumentTable.fits(document)) {
      DocumentTable.print(document, console.out());
      return;
    }
    if (CurvesTable.fits(document)) {
      CurvesTable.print(document, console.out());
      return;
    }
    boolean first = true;
    for (String name :
        List.of(
            "coefficients.csv",
            "theta.csv",
            "numbers.csv",
            "levels.csv",
            "groups.csv",
            "cross.csv",
            "tests.csv",
            "histograms.csv",
            "correlations.csv",
            "check.csv")) {
      // A table of a heading alone says nothing.
      if (files.getOrDefault(name, "").lines().count() > 1) {
        if (!first) {
          console.out().println();
        }
        first = false;
        CsvText.print(files.get(name), console.out());
      }
    }
  }
}
