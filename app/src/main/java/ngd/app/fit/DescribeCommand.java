package ngd.app.fit;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import ngd.app.answer.DescriptionTable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.Version;
import ngd.core.Problems;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.fit.Places;
import ngd.core.inference.StationaryWeights;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.preparation.Description;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.Sites;
import ngd.core.preparation.Withholding;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.DescribeKeys;
import ngd.core.question.Question;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Simulation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ngd describe}: the table that opens every paper, from totals alone. */
@Command(
    name = "describe",
    description = {
      "Summarises the variables over all sites: rows, missing values, means, standard deviations,"
          + " quantiles, counts of levels; on request by group with tests, crossed, as histograms,"
          + " correlated.",
      "With --site, each site lets out what its disclosure rules allow by default: counts of 0 or"
          + " at least 3 rows, and no single value.",
      ""
    })
public final class DescribeCommand extends QuestionCommand {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Folder to write, new or empty: numbers.csv, levels.csv, a file for each kind of table"
              + " asked for, description.json and manifest.json.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  public DescribeCommand() {
    super(DescribeKeys.ALL);
  }

  @Override
  public Integer call() {
    Problems problems = new Problems();
    Question question = DescribeKeys.read(words(), problems);
    List<TableAddress> addresses = Places.addresses(question, problems);
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    List<SiteTable> tables = Places.open(addresses, problems);
    problems.throwIfAny();
    if (tables == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    DescriptionAnswer answer;
    try {
      Places.requireFit(tables, DescribeKeys.columns(question));
      answer = DescriptionAnswer.of(tables.size(), describe(tables, question), true);
    } finally {
      tables.forEach(SiteTable::close);
    }
    if (folder != null) {
      write(folder, tables, question, answer);
    }
    Console console = console();
    if (format.isJson()) {
      console.out().println(answer.json());
    } else {
      new DescriptionTable(answer).print(console.out());
      if (folder != null) {
        console.out().printf("%nwritten to %s%n", folder.path());
      }
    }
    return Exit.DONE;
  }

  private static Description.Outcome describe(List<SiteTable> tables, Question question) {
    int count = tables.size();
    Topology anyone = count == 1 ? new Topology.Complete(1) : new Topology.Circle(count, 1);
    Topology topology =
        question.says(ClientKeys.NETWORK)
            ? ClientKeys.topology(question, count, ClientKeys.streams(question))
            : anyone;
    Network network = Network.of(topology);
    // Sums need a network that hangs together, as a fit does.
    StationaryWeights.of(network);
    return Description.of(
        Sites.all(tables),
        Simulation.exchange(network),
        DescribeKeys.settings(question),
        // One's own table has no secrets.
        question.says(DataKeys.SITE) ? Optional.of(DisclosureRules.STANDARD) : Optional.empty(),
        Withholding.NONE);
  }

  private static void write(
      RunFolder folder, List<SiteTable> tables, Question question, DescriptionAnswer answer) {
    String source =
        tables.stream()
            .map(table -> "%s (%s)".formatted(table.site(), table.source()))
            .collect(Collectors.joining(", "));
    folder.write(
        new Manifest("describe", Version.number(), question, source, answer.rows(), ""),
        answer.files());
  }
}
