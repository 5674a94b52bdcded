package ngd.app;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.core.NumberText;
import ngd.core.network.Diagnosis;
import ngd.core.network.Measured;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Spectrum;
import ngd.core.network.Topology;
import ngd.core.run.JsonObject;
import ngd.studies.figure.Figure;
import ngd.studies.figure.NetworkFigure;
import ngd.studies.figure.NetworkLayout;
import org.jspecify.annotations.Nullable;

/** What is known of a network, on a page and as JSON: its links, and W or what it comes to. */
final class NetworkReport {
  /** More closed classes than this are counted, not listed. */
  private static final int LISTED = 12;

  private final NamedNetwork network;
  private final OptionalInt period;

  /** Every link of any round. */
  private final Diagnosis links;

  /** W; of a network that changes its product over a period, or its expectation. */
  private final Diagnosis judged;

  /** How much each client's data count. */
  private final Optional<double[]> stationary;

  NetworkReport(NamedNetwork network) {
    this.network = network;
    NetworkSchedule schedule = network.schedule();
    period = schedule.period();
    List<String> names = Topology.names(network.topology());
    judged =
        changes()
            ? Diagnosis.of(schedule.overPeriod(), names)
            : Diagnosis.of(network.topology(), network.weights());
    stationary = changes() ? schedule.stationary() : judged.stationary().distribution();
    links = changes() ? Diagnosis.of(schedule.mean(), names) : judged;
  }

  private boolean changes() {
    return !(network.schedule() instanceof Network);
  }

  /** All links that there ever are, as a picture. */
  Figure figure() {
    String title = "%s, %s weights".formatted(network.topology().spec(), network.weights().spec());
    return new NetworkFigure(title, links, NetworkLayout.of(network.topology(), network.network()))
        .figure();
  }

  /** {@code stationary.csv}: π, a line for each client, where there is one. */
  Optional<List<List<String>>> weights() {
    return stationary.map(
        pi -> {
          List<List<String>> lines = new ArrayList<>(List.of(List.of("client", "weight")));
          for (int client = 0; client < pi.length; client++) {
            lines.add(List.of(judged.name(client), Double.toString(pi[client])));
          }
          return lines;
        });
  }

  /**
   * The weights as {@code --network file:} reads them, by round where they change; none where every
   * round is drawn.
   */
  Optional<List<List<String>>> edges() {
    if (period.isEmpty()) {
      return Optional.empty();
    }
    List<List<String>> lines = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("client", "hears", "weight"));
    if (changes()) {
      header.add("round");
    }
    lines.add(header);
    for (int t = 0; t < period.getAsInt(); t++) {
      Network w = network.schedule().at(t);
      for (int client = 0; client < w.clients(); client++) {
        for (int k = w.offsets()[client]; k < w.offsets()[client + 1]; k++) {
          List<String> line =
              new ArrayList<>(
                  List.of(
                      judged.name(client),
                      judged.name(w.heard()[k]),
                      Double.toString(w.weights()[k])));
          if (changes()) {
            line.add(Integer.toString(t));
          }
          lines.add(line);
        }
      }
    }
    return Optional.of(lines);
  }

  private OptionalDouble least() {
    return stationary.map(pi -> Arrays.stream(pi).min()).orElse(OptionalDouble.empty());
  }

  private OptionalDouble most() {
    return stationary.map(pi -> Arrays.stream(pi).max()).orElse(OptionalDouble.empty());
  }

  private String aboutWeights() {
    return stationary.isPresent() && changes() && period.isPresent()
        ? "the mean over the rounds of a period"
        : judged.stationary().how();
  }

  /** By what a network that changes is judged. */
  private String basis() {
    return period.isPresent()
        ? "the product of W over a period of %d rounds".formatted(period.getAsInt())
        : "the expected W of a round, as every round is drawn anew: what is said below holds on"
            + " average over the draws, not of any one run";
  }

  /** The links of a round, from the fewest to the most. */
  private Diagnosis.Range linksOfARound() {
    int[] counts =
        IntStream.range(0, period.orElseThrow())
            .map(t -> network.schedule().at(t).links())
            .toArray();
    return new Diagnosis.Range(
        Arrays.stream(counts).min().orElseThrow(), Arrays.stream(counts).max().orElseThrow());
  }

  private JsonObject rounds() {
    return new JsonObject()
        .put("period", period.isPresent() ? period.getAsInt() : null)
        .put("links", period.isPresent() ? range(linksOfARound()) : null)
        .put("judged", basis());
  }

  JsonObject json() {
    Diagnosis d = judged;
    Spectrum spectrum = d.spectrum();
    JsonObject json =
        new JsonObject()
            .put("clients", d.clients())
            .put("edges", links.edges())
            .put("inDegree", range(links.inDegree()))
            .put("outDegree", range(links.outDegree()));
    if (changes()) {
      json.put("rounds", rounds());
    }
    return json.put("unheard", links.unheard().length)
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
        .put("stationary", new JsonObject().put("min", number(least())).put("max", number(most())))
        .put("warnings", d.warnings())
        .put(
            "notes",
            new JsonObject()
                .put("sigmaMax", spectrum.sigmaMax().how())
                .put("sigmaMinPlus", spectrum.sigmaMinPlus().how())
                .put("rhoSigmaW", spectrum.rhoSigmaW().how())
                .put("secondEigenvalue", spectrum.secondEigenvalue().how())
                .put("stationary", aboutWeights()));
  }

  private static JsonObject range(Diagnosis.Range range) {
    return new JsonObject().put("min", range.min()).put("max", range.max());
  }

  private static @Nullable Double number(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  void print(PrintWriter out) {
    Diagnosis d = judged;
    out.printf(
        "%s, %s weights: %s, %s%n%n",
        network.topology().spec(),
        network.weights().spec(),
        NumberText.count(d.clients(), "client"),
        NumberText.count(links.edges(), "link") + (changes() ? " over all rounds" : ""));
    if (changes()) {
      out.printf("Judged by %s.%n%n", basis());
      if (period.isPresent()) {
        line(out, "links of a round", range(linksOfARound(), "link"));
      }
    }
    line(out, "hears", range(links.inDegree(), "other"));
    line(out, "is heard by", range(links.outDegree(), "other"));
    line(out, "heard by nobody", NumberText.count(links.unheard().length, "client"));
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
    OptionalDouble least = least();
    OptionalDouble most = most();
    line(
        out,
        "stationary weight",
        least.isPresent() && most.isPresent()
            ? "%s to %s of a uniform share, %s"
                .formatted(
                    NumberText.text(least.getAsDouble() * d.clients()),
                    NumberText.text(most.getAsDouble() * d.clients()),
                    aboutWeights())
            : "– " + aboutWeights());
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
