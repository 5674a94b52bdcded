package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
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
import ngd.core.data.TextFormat;
import ngd.core.file.WholeFile;
import ngd.core.model.NoEstimate;
import ngd.core.question.DataKeys;
import ngd.core.run.RunFolder;
import ngd.core.world.Diverged;
import ngd.peer.PeerOptions;
import ngd.peer.SiteAnswer;
import ngd.peer.SiteRun;
import ngd.peer.durable.FileFailure;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Plan;
import ngd.peer.privacy.PrivacyBudget;
import ngd.peer.standing.StandingPeer;
import ngd.peer.status.StatusServer;
import ngd.peer.wire.TlsTransport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd peer run}: does this site's part. */
@Command(
    name = "run",
    description = {
      "Runs this site's peer. In a standing federation it stays up and answers questions; where the"
          + " plan asks one of its own, it ends with the answer.",
      "If it is stopped or killed, the same command continues. Options can also be set in"
          + " FOLDER/peer.yaml.",
      "FOLDER/site.yaml holds this site's own rules; without it the defaults apply. A question that"
          + " they do not allow is refused before anything computed from the rows leaves: the"
          + " others learn how many sites object, this site also why.",
      ""
    })
final class PeerRunCommand implements Callable<Integer>, ConfigFile.Reader {
  private static final int LARGEST_PORT = 65535;
  private static final int LONGEST_LINGER = 86_400;

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
      description =
          "This site's data: a CSV, Excel, Parquet, JSON or database file, or a jdbc: URL.")
  private @Nullable String data;

  @Option(
      names = "--query",
      paramLabel = "SQL",
      description = "SQL query for the database; for a file, over the table data.")
  private @Nullable String query;

  @Option(
      names = "--decimal",
      paramLabel = "SIGN",
      description = "Decimal sign of this site's text file, . or , ; by default the plan's.")
  private @Nullable String decimal;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description =
          "Character encoding of this site's text file, such as windows-1252; by default the"
              + " plan's.")
  private @Nullable String encoding;

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
      names = "--linger",
      paramLabel = "S",
      description =
          "Seconds to stay, with the result written, for neighbours that may still need messages"
              + " and are out of reach; 300 by default.")
  private Integer linger = (int) PeerOptions.LINGER.toSeconds();

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
        log.equals("text") || log.equals("json"),
        "--log: must be text or json; got `%s`".formatted(log));
    problems.require(
        statusPort >= 0 && statusPort <= LARGEST_PORT,
        "--status-port: must lie in [0, %d]; got %d".formatted(LARGEST_PORT, statusPort));
    if (decimal != null) {
      problems.collect(() -> TextFormat.decimal(decimal));
    }
    if (encoding != null) {
      problems.collect(() -> TextFormat.encoding(encoding));
    }
    problems.require(
        linger >= 0 && linger <= LONGEST_LINGER,
        "--linger: must lie in [0, %d], in seconds; got %d".formatted(LONGEST_LINGER, linger));
    problems.throwIfAny();
    ResidentPages.settle();
    PeerIdentity identity = Members.open(folder, name);
    Kit kit = identity.kit();
    String site = identity.site();
    boolean analyst = !kit.plan().plan().names().contains(site);
    problems.require(
        data != null || analyst, "--data: must be given: this site's data, a file or a jdbc: URL");
    problems.require(
        data == null || !analyst,
        "--data: must not be given: %s is a member without data".formatted(site));
    problems.throwIfAny();
    PeerLog.install(console.err(), site, log.equals("json"));
    Path state = folder.resolve("state");
    if (kit.plan().plan().standing()) {
      return stand(identity, state);
    }
    SiteRun run =
        new SiteRun(identity, state, address(kit.plan().plan(), site), Duration.ofSeconds(linger));
    run.budget()
        .ifPresent(budget -> printBudget(console, site, "before this run", budget.spent(), budget));
    run.budget()
        .ifPresent(budget -> printBudget(console, site, "after it", budget.afterThisRun(), budget));
    try (SiteTable table = table(site, kit.plan().plan());
        StatusServer status = StatusServer.start(statusPort, run.status())) {
      write(state.resolve("status.port"), Integer.toString(status.port()) + "\n");
      run.run(table, result -> write(console, site, run, result));
    } catch (NoEstimate | Diverged e) {
      throw new WorkFailed(String.valueOf(e.getMessage()), e);
    }
    return Exit.DONE;
  }

  /** The answer is written before the farewell, which may take long. */
  private void write(Console console, String site, SiteRun run, SiteAnswer result) {
    run.budget().ifPresent(budget -> printBudget(console, site, "now", budget.spent(), budget));
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>(result.answer().tables());
    files.put(result.answer().document(), RunFolder.text(result.json()));
    files.putAll(result.answer().own());
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
      console
          .out()
          .printf("%nwritten to %s%n", folder.resolve(result.answer().document()).normalize());
    }
    console.out().flush();
  }

  /** Stays up and answers questions until somebody ends it, also where members change. */
  private int stand(PeerIdentity opened, Path state) throws InterruptedException {
    PeerIdentity identity = opened;
    Plan first = opened.kit().plan().plan();
    Runnable looked =
        data == null
            ? () -> {}
            : FirstLook.begin(() -> table(opened.site(), first), () -> DryQuestion.ask(opened));
    boolean again = true;
    while (again) {
      Plan plan = identity.kit().plan().plan();
      String site = identity.site();
      try (StandingPeer peer =
              new StandingPeer(
                  identity,
                  plan.names().contains(site) ? address(plan, site) : "",
                  asked -> {
                    looked.run();
                    return table(site, asked);
                  },
                  Version.number(),
                  InstantSource.system());
          StatusServer status = StatusServer.start(statusPort, peer.status())) {
        write(state.resolve("status.port"), Integer.toString(status.port()) + "\n");
        again = peer.run();
      }
      if (again) {
        identity = Members.open(folder, site);
      }
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
    TableAddress address =
        new TableAddress(
            site,
            relative ? folder.resolve(location).toString() : location,
            Optional.ofNullable(query),
            plan.question().find(DataKeys.NA).orElse(List.of()),
            format(site, plan),
            plan.federation().dictionary());
    return FrugalTable.open(address::open);
  }

  /** The site's own words, where it has said any, before the plan's. */
  private TextFormat format(String site, Plan plan) {
    TextFormat planned = DataKeys.format(plan.question(), site, plan.names());
    return new TextFormat(
        decimal == null ? planned.decimal() : TextFormat.decimal(decimal),
        encoding == null ? planned.encoding() : TextFormat.encoding(encoding));
  }

  /** A plan for one machine is served on its loopback address alone. */
  private String address(Plan plan, String site) {
    if (listen != null) {
      return listen;
    }
    return switch (plan.sites().get(plan.client(site)).host()) {
      case "localhost", "127.0.0.1" -> "127.0.0.1";
      case "[::1]" -> "::1";
      default -> TlsTransport.EVERYWHERE;
    };
  }

  private static void write(Path file, String text) {
    try {
      WholeFile.Access.PRIVATE.createFolders(file.toAbsolutePath().getParent());
      WholeFile.write(file, text);
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be a file that this peer can write; it is not: %s"
              .formatted(file, FileFailure.reason(e)),
          e);
    }
  }
}
