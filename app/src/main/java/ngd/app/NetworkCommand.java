package ngd.app;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.Version;
import ngd.core.Problems;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Topology;
import ngd.core.question.ClientKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ngd network}: analyses a network. */
@Command(
    name = "network",
    description = {"Analyses a network: who is heard, its balance, spectrum and weights.", ""})
final class NetworkCommand extends QuestionCommand {
  @Option(
      names = "--draw",
      paramLabel = "FILE",
      description = "Also draw the network to this file, .svg, .png or .pdf.")
  private @Nullable Path draw;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Folder to write, new or empty: network.json, edges.csv (the weights, as --network"
              + " file: reads them; none where every round is drawn), stationary.csv (the stationary"
              + " weights π, where they are unique) and manifest.json.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  NetworkCommand() {
    super(
        List.of(
            ClientKeys.CLIENTS,
            ClientKeys.NETWORK,
            ClientKeys.WEIGHTS,
            MethodKeys.LINK_FAILURES,
            MethodKeys.ACTIVATION,
            ClientKeys.SEED));
  }

  @Override
  public Integer call() {
    Problems problems = new Problems();
    Question question = Question.read(keys(), words(), problems);
    if (!words().says(ClientKeys.CLIENTS)) {
      problems.add(words().problem(ClientKeys.CLIENTS, "must be given: the number of clients"));
    }
    if (!words().says(ClientKeys.NETWORK)) {
      problems.add(
          words().problem(ClientKeys.NETWORK, "must be given: who hears whom, such as regular:2"));
    }
    NamedNetwork named = problems.any() ? null : problems.collect(() -> network(question));
    Path file = draw;
    Picture picture = file == null ? null : problems.collect(() -> Picture.at("--draw", file));
    RunFolder folder = out == null ? null : problems.collect(() -> RunFolder.at(out));
    problems.throwIfAny();
    NamedNetwork network = Objects.requireNonNull(named);
    NetworkReport report = new NetworkReport(network);
    if (picture != null) {
      picture.write(report.figure());
    }
    if (folder != null) {
      SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
      files.put("network.json", RunFolder.text(report.json()));
      report.edges().ifPresent(lines -> files.put("edges.csv", RunFolder.csv(lines)));
      report.weights().ifPresent(lines -> files.put("stationary.csv", RunFolder.csv(lines)));
      folder.write(
          new Manifest("network", Version.number(), question, network.topology().spec(), 0, ""),
          files);
    }
    Console console = console();
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

  private static NamedNetwork network(Question question) {
    Topology topology =
        Topology.parse(
            question.get(ClientKeys.NETWORK),
            question.get(ClientKeys.CLIENTS),
            ClientKeys.streams(question));
    return NamedNetwork.of(topology, ClientKeys.weights(question), new int[0])
        .with(whole -> MethodKeys.impaired(question, whole));
  }
}
