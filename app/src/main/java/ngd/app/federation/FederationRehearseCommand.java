package ngd.app.federation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.Problems;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.question.DataKeys;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.QuestionKind;
import ngd.peer.plan.WrittenPlan;
import ngd.studies.engine.EngineProvider;
import ngd.studies.engine.Machines;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd federation rehearse}: a plan tried out with real peers on one machine. */
@Command(
    name = "rehearse",
    description = {
      "Tries a plan out with test data, on this machine or a cluster: runs real peers over mutual"
          + " TLS, kills and restarts one, compares the result with the pooled fit and writes a"
          + " report.",
      ""
    })
final class FederationRehearseCommand implements Callable<Integer> {
  private static final String LOCAL = "local";

  @ParentCommand private @Nullable FederationCommand parent;

  @Parameters(arity = "0..1", paramLabel = "PLAN", description = "The plan.")
  private @Nullable Path file;

  @Option(
      names = "--data",
      paramLabel = "SITE=LOCATION",
      description = "Test data of a site: a file or a jdbc: URL; repeat for each site.")
  private List<String> data = List.of();

  @Option(
      names = "--query",
      paramLabel = "SQL",
      description = "SQL query for every database; for a file, over the table data.")
  private @Nullable String query;

  @Option(
      names = "--kill",
      paramLabel = "SITE",
      description = "Site whose peer is killed and restarted; the second by default.")
  private @Nullable String kill;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "rehearsal",
      description = "Working folder, new or empty; ./rehearsal by default.")
  private Path out = Path.of("rehearsal");

  @Option(
      names = "--on",
      paramLabel = "WHERE",
      defaultValue = LOCAL,
      description =
          "Where the peers run: local, the processes of this machine; or the machines of a Spark"
              + " cluster, where the test data must be at the same places: spark://HOST:PORT,"
              + " local-cluster[WORKERS,CORES,MEMORY] or, under `ngd spark-submit`, spark (default:"
              + " ${DEFAULT-VALUE}).")
  private String on = LOCAL;

  @Override
  public Integer call() throws InterruptedException {
    Console console = Objects.requireNonNull(parent).console();
    if (file == null) {
      throw new InvalidInput("PLAN: the plan to rehearse must be given, such as plan.yaml");
    }
    WrittenPlan plan = PlanReader.read(file);
    if (plan.plan().standing() || plan.plan().kind() != QuestionKind.FIT) {
      throw new InvalidInput(
          "%s: must be a plan that asks for a model (`formula`); %s"
              .formatted(
                  file,
                  plan.plan().standing()
                      ? "it asks nothing, `ngd federation ask` asks later"
                      : "it asks for " + plan.plan().kind().word()));
    }
    Problems problems = new Problems();
    List<String> names = plan.plan().names();
    String victim = kill == null ? names.get(Math.min(1, names.size() - 1)) : kill;
    problems.require(
        names.contains(victim),
        "--kill: must be a site of the plan; got `%s`%s"
            .formatted(victim, NearestName.hint(victim, names)));
    List<TableAddress> tables = tables(plan.plan(), problems);
    problems.throwIfAny();
    for (TableAddress table : tables) {
      // Opened and closed: what is wrong with it is better said now than by a peer.
      try (SiteTable opened = table.open()) {
        Objects.requireNonNull(opened.columns());
      }
    }
    Path folder = RehearsalRun.folder(out);
    RehearsalReport report = run(new RehearsalRun(console), folder, plan.text(), tables, victim);
    Path page = report.write(folder);
    report.print(console.out());
    console.out().printf("%nreport: %s%n", page);
    return Exit.DONE;
  }

  private RehearsalReport run(
      RehearsalRun rehearsal, Path folder, String plan, List<TableAddress> tables, String victim)
      throws InterruptedException {
    if (on.strip().equals(LOCAL)) {
      return rehearsal.run(folder, plan, tables, Optional.of(victim));
    }
    try (Machines machines = EngineProvider.machinesOf(on)) {
      return rehearsal.run(machines, folder, plan, tables, Optional.of(victim));
    }
  }

  private List<TableAddress> tables(Plan plan, Problems problems) {
    List<String> names = plan.names();
    List<String> na = plan.question().find(DataKeys.NA).orElse(List.of());
    Map<String, String> given = new TreeMap<>();
    for (String text : data) {
      int equals = text.indexOf('=');
      String site = equals < 1 ? "" : text.substring(0, equals);
      if (!names.contains(site)) {
        problems.add(
            "--data: the form is SITE=LOCATION with a site of the plan (%s); got `%s`"
                .formatted(String.join(", ", names), text));
      } else if (given.put(site, text.substring(equals + 1)) != null) {
        problems.add("--data: may be given once for `%s`".formatted(site));
      }
    }
    List<TableAddress> tables = new ArrayList<>();
    for (String name : names) {
      String location = given.get(name);
      if (location == null) {
        problems.add("--data: must be given for `%s`, as %s=FILE".formatted(name, name));
      } else {
        String absolute =
            location.startsWith("jdbc:")
                ? location
                : Path.of(location).toAbsolutePath().normalize().toString();
        tables.add(
            new TableAddress(
                name,
                absolute,
                Optional.ofNullable(query),
                na,
                DataKeys.format(plan.question(), name, names),
                plan.federation().dictionary()));
      }
    }
    return tables;
  }
}
