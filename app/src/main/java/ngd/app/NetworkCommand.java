package ngd.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.FormatOption;
import ngd.app.terminal.QuestionCommand;
import ngd.app.terminal.Version;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.network.Diagnosis;
import ngd.core.network.Measured;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Network;
import ngd.core.network.Spectrum;
import ngd.core.network.Topology;
import ngd.core.question.ClientKeys;
import ngd.core.question.Question;
import ngd.core.run.JsonObject;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.studies.figure.Figure;
import ngd.studies.figure.NetworkFigure;
import ngd.studies.figure.NetworkLayout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ngd network}: analyses a network. */
@Command(
    name = "network",
    description = {"Analyses a network: who is heard, its balance, spectrum and weights.", ""})
final class NetworkCommand extends QuestionCommand {
  /** More closed classes than this are counted, not listed. */
  private static final int LISTED = 12;

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
              + " file: reads them) and manifest.json.")
  private @Nullable Path out;

  @Mixin private FormatOption format = new FormatOption();

  NetworkCommand() {
    super(List.of(ClientKeys.CLIENTS, ClientKeys.NETWORK, ClientKeys.WEIGHTS, ClientKeys.SEED));
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
    Diagnosis diagnosis = Diagnosis.of(network.topology(), network.weights());
    if (picture != null) {
      picture.write(figure(network, diagnosis));
    }
    if (folder != null) {
      SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
      files.put("network.json", RunFolder.text(json(diagnosis)));
      files.put("edges.csv", RunFolder.csv(edges(network.network())));
      folder.write(
          new Manifest("network", Version.number(), question, network.topology().spec(), 0, ""),
          files);
    }
    Console console = console();
    if (format.isJson()) {
      console.out().println(json(diagnosis));
    } else {
      print(network, diagnosis, console.out());
      if (folder != null) {
        console.out().printf("%nwritten to %s%n", folder.path());
      }
    }
    return Exit.DONE;
  }

  private static List<List<String>> edges(Network network) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("client", "hears", "weight"));
    for (int client = 0; client < network.clients(); client++) {
      for (int k = network.offsets()[client]; k < network.offsets()[client + 1]; k++) {
        lines.add(
            List.of(
                Integer.toString(client),
                Integer.toString(network.heard()[k]),
                Double.toString(network.weights()[k])));
      }
    }
    return lines;
  }

  private static NamedNetwork network(Question question) {
    Topology topology =
        Topology.parse(
            question.get(ClientKeys.NETWORK),
            question.get(ClientKeys.CLIENTS),
            ClientKeys.streams(question));
    return NamedNetwork.of(topology, ClientKeys.weights(question), new int[0]);
  }

  private static Figure figure(NamedNetwork network, Diagnosis diagnosis) {
    String title = "%s, %s weights".formatted(network.topology().spec(), network.weights().spec());
    return new NetworkFigure(
            title, diagnosis, NetworkLayout.of(network.topology(), network.network()))
        .figure();
  }

  private static JsonObject json(Diagnosis d) {
    Spectrum spectrum = d.spectrum();
    return new JsonObject()
        .put("clients", d.clients())
        .put("edges", d.edges())
        .put("inDegree", range(d.inDegree()))
        .put("outDegree", range(d.outDegree()))
        .put("unheard", d.unheard().length)
        .put("transient", d.transientClients().length)
        .put("closedClasses", d.closedClassSizes())
        .put("irreducible", d.irreducible())
        .put("period", d.period())
        .put(
            "balance",
            new JsonObject().put("se", d.se()).put("expectedSe2", number(d.expectedSe2())))
        .put("sigmaMax", number(spectrum.sigmaMax().value()))
        .put("sigmaMinPlus", number(spectrum.sigmaMinPlus().value()))
        .put("rhoSigmaW", number(spectrum.rhoSigmaW().value()))
        .put("secondEigenvalue", number(spectrum.secondEigenvalue().value()))
        .put(
            "stationary",
            new JsonObject()
                .put("min", number(d.stationary().min().value()))
                .put("max", number(d.stationary().max().value())))
        .put("warnings", d.warnings())
        .put(
            "notes",
            new JsonObject()
                .put("sigmaMax", spectrum.sigmaMax().how())
                .put("sigmaMinPlus", spectrum.sigmaMinPlus().how())
                .put("rhoSigmaW", spectrum.rhoSigmaW().how())
                .put("secondEigenvalue", spectrum.secondEigenvalue().how())
                .put("stationary", d.stationary().how()));
  }

  private static JsonObject range(Diagnosis.Range range) {
    return new JsonObject().put("min", range.min()).put("max", range.max());
  }

  private static @Nullable Double number(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  private static void print(NamedNetwork network, Diagnosis d, PrintWriter out) {
    out.printf(
        "%s, %s weights: %s, %s%n%n",
        network.topology().spec(),
        network.weights().spec(),
        NumberText.count(d.clients(), "client"),
        NumberText.count(d.edges(), "link"));
    line(out, "hears", range(d.inDegree(), "other"));
    line(out, "is heard by", range(d.outDegree(), "other"));
    line(out, "heard by nobody", NumberText.count(d.unheard().length, "client"));
    line(out, "in no closed class", NumberText.count(d.transientClients().length, "client"));
    line(out, "closed classes", classes(d.closedClassSizes()));
    line(out, "irreducible", d.irreducible() ? "yes: everyone reaches everyone" : "no");
    line(out, "period", d.period() == 1 ? "1: mixing converges" : Long.toString(d.period()));
    line(
        out,
        "SE(W)",
        NumberText.text(d.se())
            + (d.expectedSe2().isPresent()
                ? " (expected %s)"
                    .formatted(NumberText.text(Math.sqrt(d.expectedSe2().getAsDouble())))
                : ""));
    Spectrum spectrum = d.spectrum();
    line(out, "σmax(W)", measured(spectrum.sigmaMax()));
    line(out, "σmin⁺(I − W)", measured(spectrum.sigmaMinPlus()));
    line(out, "λmax(Σ_w)^½", measured(spectrum.rhoSigmaW()));
    line(out, "second eigenvalue", measured(spectrum.secondEigenvalue()));
    OptionalDouble least = d.stationary().min().value();
    OptionalDouble most = d.stationary().max().value();
    line(
        out,
        "stationary weight",
        least.isPresent() && most.isPresent()
            ? "%s to %s of a uniform share, %s"
                .formatted(
                    NumberText.text(least.getAsDouble() * d.clients()),
                    NumberText.text(most.getAsDouble() * d.clients()),
                    d.stationary().how())
            : "– " + d.stationary().how());
    if (!d.warnings().isEmpty()) {
      out.println();
    }
    d.warnings().forEach(warning -> out.println("! " + warning));
  }

  private static void line(PrintWriter out, String what, String value) {
    out.printf("  %-20s %s%n", what, value);
  }

  private static String range(Diagnosis.Range range, String noun) {
    return range.min() == range.max()
        ? NumberText.count(range.min(), noun)
        : "%d to %s".formatted(range.min(), NumberText.count(range.max(), noun));
  }

  private static String classes(List<Integer> sizes) {
    return sizes.size() > LISTED
        ? Integer.toString(sizes.size())
        : "%d, of %s"
                .formatted(
                    sizes.size(),
                    sizes.stream().map(String::valueOf).collect(Collectors.joining(", ")))
            + (sizes.size() == 1 && sizes.getFirst() == 1 ? " client" : " clients");
  }

  private static String measured(Measured value) {
    return value.value().isPresent()
        ? "%s, %s".formatted(NumberText.text(value.value().getAsDouble()), value.how())
        : "– " + value.how();
  }
}
