package ngd.app.federation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import ngd.app.answer.DescriptionTable;
import ngd.app.terminal.AsksQuestion;
import ngd.app.terminal.ConfigFile;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.formula.Dictionary;
import ngd.core.formula.Formula;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.preparation.Description;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.SiteDisclosure;
import ngd.core.preparation.SiteRows;
import ngd.core.preparation.Sites;
import ngd.core.preparation.Withholding;
import ngd.core.question.DataKeys;
import ngd.core.question.DescribeKeys;
import ngd.core.question.Key;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.simulation.Simulation;
import ngd.peer.identity.Kit;
import ngd.peer.plan.PlanKeys;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.SitePolicy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer check}: one site's data alone against a question, before anybody is online. */
@Command(
    name = "check",
    description = {
      "Tries this site's data alone against a question or the federation's dictionary: columns,"
          + " types, missing values, levels, and the site's own rules. Nothing leaves this"
          + " machine.",
      ""
    })
final class PeerCheckCommand implements Callable<Integer>, ConfigFile.Reader, AsksQuestion {
  @ParentCommand private @Nullable PeerCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "YAML file with the question, its keys the options below without dashes.")
  private @Nullable Path file;

  @Option(
      names = "--data",
      paramLabel = "LOCATION",
      description = "This site's data, as `ngd peer run` takes them.")
  private @Nullable String data;

  @Option(names = "--query", paramLabel = "SQL", description = "SQL query, as for `ngd peer run`.")
  private @Nullable String query;

  @Option(
      names = {"--member", "--in"},
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Folder of the site, for its rules in site.yaml; the current one by default.")
  private Path folder = Path.of(".");

  @Option(
      names = "--dictionary",
      paramLabel = "FILE",
      description = "Dictionary to try the data against; by default the plan's, if FOLDER has one.")
  private @Nullable Path dictionary;

  private Words words = new Words(Words.Style.FLAGS);

  @Override
  public @Nullable Path configFile() {
    if (file != null && Files.isDirectory(file)) {
      throw new InvalidInput(
          "%s: must be a YAML file with the question; it is a folder, which --member takes"
              .formatted(file));
    }
    return file;
  }

  @Override
  public List<Key<?>> keys() {
    return PlanKeys.ALL;
  }

  @Override
  public void asked(Words said) {
    words = said;
  }

  @Override
  public Integer call() {
    Console console = Objects.requireNonNull(parent).console();
    Problems problems = new Problems();
    Question question = PlanKeys.read(words, problems);
    problems.require(
        data != null, "--data: must be given: this site's data, a file or a jdbc: URL");
    Dictionary agreed = problems.collect(this::agreed);
    boolean asks = words.says(ModelKeys.FORMULA) || words.says(PlanKeys.KIND);
    problems.require(
        asks || (agreed != null && !agreed.isEmpty()),
        "--formula: must be given: the model formula, such as 'y ~ x'; or --kind describe, or a"
            + " dictionary");
    problems.throwIfAny();
    Dictionary dictionary = Objects.requireNonNull(agreed);
    if (!asks) {
      try (SiteTable table = table(question, dictionary)) {
        table.requireFit(List.of());
      }
      console
          .out()
          .printf(
              "%s: every column of the dictionary is there and holds what it says: %s%n",
              data,
              String.join(
                  ", ", dictionary.entries().stream().map(Dictionary.Entry::name).toList()));
      return Exit.DONE;
    }
    if (question.keys().contains(DescribeKeys.COLUMNS)) {
      requireAllowed(SitePolicy.in(folder).questions().objection(question).stream().toList());
      return describe(question, dictionary, console);
    }
    problems.require(
        words.says(ModelKeys.FORMULA),
        "--formula: must be given: the model formula, such as 'y ~ x'");
    problems.throwIfAny();
    Formula formula = ModelKeys.wholeFormula(question);
    List<String> objections =
        new ArrayList<>(SitePolicy.in(folder).questions().objection(question).stream().toList());
    try (SiteTable table = table(question, dictionary)) {
      table.requireFit(formula.takesAllOthers() ? List.of() : formula.columns());
      Preparation prepared =
          Preparation.of(
              formula,
              Sites.all(List.of(table)),
              Simulation.exchange(Network.of(new Topology.Complete(1))),
              question.get(DataKeys.MISSING));
      SiteRows rows = prepared.rows().getFirst();
      console
          .out()
          .printf(
              "%s: %s, %d of them complete%s%n",
              data,
              NumberText.count(rows.complete() + rows.dropped(), "row"),
              rows.complete(),
              rows.dropped() == 0 ? "" : "; missing: " + rows.counted());
      console
          .out()
          .println(
              formula.asksForCurves()
                  ? "survival curves"
                      + (formula.strata().isEmpty()
                          ? ""
                          : " of " + String.join("; ", prepared.design().strata()))
                  : "coefficients: "
                      + String.join(
                          ", ",
                          prepared.under(ModelKeys.formulaOf(question)).design().coefficients()));
      rows.notes().forEach(note -> console.out().println("note: " + note));
      prepared.notes().forEach(note -> console.out().println("note: " + note));
      objections.addAll(
          SiteDisclosure.of(formula, table, SitePolicy.in(folder).disclosure(), Optional.empty())
              .objections());
    }
    requireAllowed(objections);
    console
        .out()
        .println(
            "this site's rules do not object; what needs the other sites' rows is judged with"
                + " them");
    return Exit.DONE;
  }

  private void requireAllowed(List<String> objections) {
    if (!objections.isEmpty()) {
      throw new InvalidInput(
          "this site's rules (%s) do not allow the question: %s"
              .formatted(folder.resolve(SitePolicy.FILE), String.join("; ", objections)));
    }
  }

  /** What a description would say of this site's rows, under its own rules. */
  private int describe(Question question, Dictionary dictionary, Console console) {
    try (SiteTable table = table(question, dictionary)) {
      table.requireFit(DescribeKeys.columns(question));
      new DescriptionTable(
              DescriptionAnswer.of(
                  1,
                  Description.of(
                      Sites.all(List.of(table)),
                      Simulation.exchange(Network.of(new Topology.Complete(1))),
                      DescribeKeys.settings(question),
                      Optional.of(SitePolicy.in(folder).disclosure()),
                      Withholding.NONE),
                  true))
          .print(console.out());
    }
    return Exit.DONE;
  }

  /** The dictionary of the file that was given, else of the plan in the site's folder, if any. */
  private Dictionary agreed() {
    if (dictionary != null) {
      return Dictionary.read(dictionary);
    }
    return Files.exists(folder.resolve(Kit.PLAN))
        ? PlanReader.read(folder.resolve(Kit.PLAN)).plan().federation().dictionary()
        : Dictionary.NONE;
  }

  private SiteTable table(Question question, Dictionary dictionary) {
    return new TableAddress(
            "here",
            Objects.requireNonNull(data),
            Optional.ofNullable(query),
            question.find(DataKeys.NA).orElse(List.of()),
            DataKeys.format(question, "here", List.of("here")),
            dictionary)
        .open();
  }
}
