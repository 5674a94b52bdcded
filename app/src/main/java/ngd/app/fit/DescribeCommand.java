package ngd.app.fit;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import ngd.app.terminal.ConfigFile;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.Problems;
import ngd.app.terminal.Top;
import ngd.app.terminal.Version;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.preparation.Description;
import ngd.core.preparation.Sites;
import ngd.core.preparation.Summary;
import ngd.core.run.JsonObject;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Simulation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd describe}: the table that opens every paper, from totals alone. */
@Command(
    name = "describe",
    description = {
      "Describes the variables of all sites together: rows, missing values, mean, standard deviation,"
          + " quantiles, counts of levels.",
      ""
    })
public final class DescribeCommand implements Callable<Integer>, ConfigFile.Reader {
  @ParentCommand private @Nullable Top parent;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "A YAML file whose keys are the options below without their dashes. Flags override it;"
              + " paths in it are relative to it.")
  private @Nullable Path configFile;

  @Mixin private DataOptions data = new DataOptions();

  @Option(
      names = "--columns",
      paramLabel = "NAME",
      split = ",",
      description = "The columns to describe; all by default.")
  private List<String> columns = List.of();

  @Option(
      names = "--by-site",
      description = "Tell each site's own numbers too, which all sites then know.")
  private boolean bySite;

  @Option(
      names = "--extremes",
      description = "Tell the smallest and the largest value too: they are single rows' values.")
  private boolean extremes;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write numbers.csv, levels.csv, description.json and a manifest there.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public @Nullable Path configFile() {
    return configFile;
  }

  @Override
  public Integer call() {
    Problems problems = new Problems();
    List<TableAddress> addresses = data.addresses(problems);
    problems.require(data.given(), "--data PLACE or --site NAME=PLACE: one of them must be given");
    data.refuseMissing(problems);
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    List<SiteTable> tables = DataOptions.open(addresses, problems);
    problems.throwIfAny();
    if (tables == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    DescriptionReport report;
    try {
      report = new DescriptionReport(tables.size(), describe(tables));
    } finally {
      tables.forEach(SiteTable::close);
    }
    if (folder != null) {
      write(folder, tables, report);
    }
    Console console = Top.consoleOf(parent);
    if (format.isJson()) {
      console.out().println(report.json());
    } else {
      report.print(console.out());
      if (folder != null) {
        console.out().printf("%nwritten to %s%n", folder.path());
      }
    }
    return Exit.DONE;
  }

  private List<Summary> describe(List<SiteTable> tables) {
    int count = tables.size();
    Topology anyone = count == 1 ? new Topology.Complete(1) : new Topology.Circle(count, 1);
    return Description.of(
        Sites.all(tables),
        Simulation.exchange(Network.of(anyone)),
        new Description.Settings(columns, bySite, extremes));
  }

  private void write(RunFolder folder, List<SiteTable> tables, DescriptionReport report) {
    String source =
        tables.stream()
            .map(table -> "%s (%s)".formatted(table.site(), table.source()))
            .collect(Collectors.joining(", "));
    JsonObject request =
        new JsonObject().put("columns", columns).put("bySite", bySite).put("extremes", extremes);
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put("numbers.csv", RunFolder.csv(report.numberLines()));
    files.put("levels.csv", RunFolder.csv(report.levelLines()));
    files.put("description.json", RunFolder.text(report.json()));
    folder.write(
        new Manifest("describe", Version.number(), request, source, report.rows(), ""), files);
  }
}
