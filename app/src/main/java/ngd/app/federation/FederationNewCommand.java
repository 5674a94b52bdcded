package ngd.app.federation;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import ngd.app.terminal.AsksQuestion;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.formula.Dictionary;
import ngd.core.question.ClientKeys;
import ngd.core.question.Key;
import ngd.core.question.ModelKeys;
import ngd.core.question.Words;
import ngd.peer.identity.Authority;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.PlanKeys;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation new}: a plan to edit, and the authority that will sign it. */
@Command(
    name = "new",
    description = {
      "Writes a commented plan and creates the authority that signs it.",
      "Without --formula the federation stands, and questions come later (`ngd federation ask`);"
          + " with it, the plan asks that one question.",
      "An existing plan or authority is never overwritten.",
      ""
    })
final class FederationNewCommand implements Callable<Integer>, AsksQuestion {
  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "PLAN",
      description = "Plan to write, such as plan.yaml.")
  private @Nullable Path file;

  @Option(
      names = "--site",
      paramLabel = "NAME=HOST:PORT",
      description =
          "A site and the address of its peer; repeat for each site, in the order of the clients.")
  private List<String> sites = List.of();

  @Option(names = "--name", paramLabel = "WORD", description = "Name of the federation.")
  private @Nullable String name;

  @Option(
      names = "--policy",
      paramLabel = "WORD",
      description =
          "When a neighbour is slow or down: wait (the default), last:R (use its last value, at"
              + " most R rounds old) or drop.")
  private @Nullable String policy;

  @Option(
      names = "--precision",
      paramLabel = "WORD",
      description = "Precision of messages: float64 (the default) or float32.")
  private @Nullable String precision;

  @Option(
      names = "--asker",
      paramLabel = "NAME",
      description =
          "A site that may ask questions of the standing federation; all by default. Repeatable.")
  private List<String> askers = List.of();

  @Option(
      names = "--analyst",
      paramLabel = "NAME",
      description = "A member without data that may ask questions. Repeatable.")
  private List<String> analysts = List.of();

  @Option(
      names = "--quorum",
      paramLabel = "K",
      description =
          "How many sites together may end the part of a site that is gone; by default only the"
              + " authority.")
  private @Nullable String quorum;

  @Option(
      names = "--dictionary",
      paramLabel = "FILE",
      description = "YAML file that says what columns hold, for all sites (docs/sources.md).")
  private @Nullable Path dictionary;

  @Mixin private AuthorityOption authority = new AuthorityOption();

  private Words words = new Words(Words.Style.FLAGS);

  @Override
  public List<Key<?>> keys() {
    List<Key<?>> keys = new ArrayList<>(List.of(ClientKeys.NETWORK, ClientKeys.WEIGHTS));
    keys.addAll(PlanKeys.FIT);
    return keys;
  }

  @Override
  public void asked(Words said) {
    words = said;
  }

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    Path plan = file;
    if (plan == null) {
      throw new InvalidInput("PLAN: the file to write must be given, such as plan.yaml");
    }
    WrittenPlan written = PlanReader.parse(text(plan));
    if (Files.exists(plan)) {
      throw new InvalidInput("%s: already exists, and plans are never overwritten".formatted(plan));
    }
    boolean made = !Files.exists(authority.folder());
    if (made) {
      var _ =
          Authority.create(
              authority.folder(), written.plan().federation().name(), InstantSource.system());
    } else {
      var _ = authority.open();
    }
    write(plan, written.text());
    Exposure.statements(written.plan())
        .forEach(line -> console.err().println("ngd federation new: " + line));
    console
        .out()
        .printf(
            """
            %s: the plan; let every site read, edit and agree to it
            %s: %s

            Next: `ngd federation admit %s --at HOST:PORT`, which invites the sites.
            Or by files: at each site `ngd peer request --name NAME`; for each request `ngd federation approve NAME.csr
            --fingerprint …`; then `ngd federation pack %s`.
            """,
            plan,
            authority.folder(),
            made
                ? "the authority's key and certificate; keep this folder private"
                : "the existing authority",
            plan,
            plan);
    return Exit.DONE;
  }

  private String text(Path plan) {
    Problems problems = new Problems();
    List<Site> named =
        sites.stream().map(text -> site(text, problems)).filter(Objects::nonNull).toList();
    problems.require(
        sites.size() >= 2,
        "--site: a federation has at least two, each as NAME=HOST:PORT; got %d"
            .formatted(sites.size()));
    problems.throwIfAny();
    PlanTemplate template = new PlanTemplate();
    template.with("federation", name == null ? stem(plan) : name);
    for (Key<?> key : keys()) {
      words.find(key).ifPresent(said -> template.with(key.name(), String.join(",", said.words())));
    }
    if (dictionary != null) {
      template.with(Dictionary.read(dictionary));
    }
    with(template, "policy", policy);
    with(template, "precision", precision);
    with(template, "askers", askers.isEmpty() ? null : String.join(", ", askers));
    with(template, "quorum", quorum);
    with(template, "analysts", analysts.isEmpty() ? null : String.join(", ", analysts));
    if (!words.says(ModelKeys.FORMULA)) {
      List<String> asked =
          PlanKeys.FIT.stream()
              .filter(key -> !key.equals(ClientKeys.SEED) && words.says(key))
              .map(key -> "--" + key.name())
              .toList();
      problems.require(
          asked.isEmpty(),
          "--formula: must be given with %s; without it the federation stands, and `ngd federation ask` asks"
              .formatted(String.join(", ", asked)));
      problems.throwIfAny();
    }
    String text = template.text(named);
    try {
      PlanReader.parse(text);
    } catch (InvalidInput e) {
      // Nobody has seen the file yet: its lines would say nothing.
      throw new InvalidInput(String.valueOf(e.getMessage()).replaceAll("(?m)^line \\d+: ", ""), e);
    }
    return text;
  }

  private static void with(PlanTemplate template, String key, @Nullable String value) {
    if (value != null) {
      template.with(key, value);
    }
  }

  static @Nullable Site site(String text, Problems problems) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      problems.add("--site: the form is NAME=HOST:PORT; got `%s`".formatted(text));
      return null;
    }
    return problems.collect(
        () ->
            Site.of(
                Site.requireName(text.substring(0, equals)), text.substring(equals + 1).strip()));
  }

  private static String stem(Path plan) {
    String stem = plan.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return stem.isBlank() ? "federation" : stem;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new InvalidInput(
          "%s: already exists, and plans are never overwritten".formatted(file), e);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }
}
