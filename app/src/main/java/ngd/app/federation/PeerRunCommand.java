package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import ngd.app.terminal.ConfigFile;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.Version;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.WorkFailed;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.file.WholeFile;
import ngd.core.model.NoEstimate;
import ngd.core.question.DataKeys;
import ngd.core.run.RunFolder;
import ngd.core.world.Diverged;
import ngd.peer.SiteAnswer;
import ngd.peer.SiteRun;
import ngd.peer.durable.FileFailure;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Plan;
import ngd.peer.plan.Site;
import ngd.peer.privacy.PrivacyBudget;
import ngd.peer.status.StatusServer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer run}: does this site's part, until the federation has its answer. */
@Command(
    name = "run",
    description = {
      "Runs this site's peer until the federation has finished.",
      "If it is stopped or killed, the same command continues the run. Options can also be set in"
          + " FOLDER/peer.yaml.",
      "FOLDER/site.yaml holds this site's own disclosure rules; without it the defaults apply. A"
          + " question that they do not allow is refused before anything computed from the rows"
          + " leaves: the others learn how many sites object, this site also why.",
      ""
    })
final class PeerRunCommand implements Callable<Integer>, ConfigFile.Reader {
  private static final int LARGEST_PORT = 65535;

  @ParentCommand private @Nullable PeerCommand parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Folder with the site's key and unpacked kit; the current one by default.")
  private Path folder = Path.of(".");

  @Option(
      names = "--data",
      paramLabel = "LOCATION",
      description = "This site's data: a CSV, Parquet or JSON file, or a jdbc: URL.")
  private @Nullable String data;

  @Option(
      names = "--query",
      paramLabel = "SQL",
      description = "SQL query for the database; for a file, over the table data.")
  private @Nullable String query;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the site; by default that of the key in FOLDER.")
  private @Nullable String name;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "Address to listen on; by default all, or loopback if the site's address in the plan is.")
  private @Nullable String listen;

  @Option(
      names = "--status-port",
      paramLabel = "P",
      defaultValue = "0",
      description = "Status port, on the loopback address; any free one by default.")
  private Integer statusPort = 0;

  @Option(
      names = "--log",
      paramLabel = "WORD",
      defaultValue = "text",
      description = "Format of the log on standard error: text (the default) or json.")
  private String log = "text";

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public @Nullable Path configFile() {
    Path file = folder.resolve("peer.yaml");
    return Files.exists(file) ? file : null;
  }

  @Override
  public Integer call() throws InterruptedException {
    Console console = Objects.requireNonNull(parent).console();
    Problems problems = new Problems();
    problems.require(
        data != null, "--data: must be given: this site's data, a file or a jdbc: URL");
    problems.require(
        log.equals("text") || log.equals("json"),
        "--log: must be text or json; got `%s`".formatted(log));
    problems.require(
        statusPort >= 0 && statusPort <= LARGEST_PORT,
        "--status-port: must lie in [0, %d]; got %d".formatted(LARGEST_PORT, statusPort));
    problems.throwIfAny();
    String site = name == null ? nameOfKey() : name;
    Kit kit = Kit.open(folder);
    PeerLog.install(console.err(), site, log.equals("json"));
    PeerIdentity identity = PeerIdentity.open(kit, site, InstantSource.system());
    Path state = folder.resolve("state");
    SiteRun run = new SiteRun(identity, state, address(kit.plan().plan(), site));
    run.budget()
        .ifPresent(budget -> printBudget(console, site, "before this run", budget.spent(), budget));
    run.budget()
        .ifPresent(budget -> printBudget(console, site, "after it", budget.afterThisRun(), budget));
    SiteAnswer result;
    try (SiteTable table = table(site, kit.plan().plan());
        StatusServer status = StatusServer.start(statusPort, run.status())) {
      write(state.resolve("status.port"), Integer.toString(status.port()) + "\n");
      result = run.run(table);
    } catch (NoEstimate | Diverged e) {
      throw new WorkFailed(String.valueOf(e.getMessage()), e);
    }
    run.budget().ifPresent(budget -> printBudget(console, site, "now", budget.spent(), budget));
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>(result.answer().tables());
    files.put("result.json", RunFolder.text(result.json()));
    RunFolder.writeOver(folder, result.manifest(Version.number()), files);
    result
        .answer()
        .rowsUsed()
        .notes()
        .forEach(note -> console.err().println("%s: %s".formatted(site, note)));
    if (format.isJson()) {
      console.out().println(result.json());
    } else {
      ResultTable.print(result, console.out());
      console.out().printf("%nwritten to %s%n", folder.resolve("result.json").normalize());
    }
    return Exit.DONE;
  }

  private static void printBudget(
      Console console, String site, String when, double epsilon, PrivacyBudget budget) {
    console
        .err()
        .printf(
            Locale.ROOT,
            "%s: privacy: all runs of this site have cost epsilon %.4g at delta %.3g %s%n",
            site,
            epsilon,
            budget.privacy().delta(),
            when);
  }

  private SiteTable table(String site, Plan plan) {
    String location = Objects.requireNonNull(data);
    boolean relative = !location.startsWith("jdbc:") && configFile() != null;
    return new TableAddress(
            site,
            relative ? folder.resolve(location).toString() : location,
            Optional.ofNullable(query),
            plan.question().find(DataKeys.NA).orElse(List.of()))
        .open();
  }

  /** A plan for one machine is served on its loopback address alone. */
  private String address(Plan plan, String site) {
    if (listen != null) {
      return listen;
    }
    Site own = plan.sites().get(plan.client(site));
    return List.of("localhost", "127.0.0.1", "[::1]").contains(own.host())
        ? "127.0.0.1"
        : "0.0.0.0";
  }

  private String nameOfKey() {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> keys =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".key"))
              .sorted()
              .toList();
      if (keys.size() != 1) {
        throw new InvalidInput(
            "%s: must hold one key, as `ngd peer request` writes it, or --name must say which; it holds %s"
                .formatted(folder, keys.isEmpty() ? "none" : String.join(", ", keys)));
      }
      return keys.getFirst().replaceFirst("\\.key$", "");
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be the site's folder; it cannot be read".formatted(folder), e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      WholeFile.write(file, text);
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be a file that this peer can write; it is not: %s"
              .formatted(file, FileFailure.reason(e)),
          e);
    }
  }
}
