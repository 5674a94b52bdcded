package ngd.app.window;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import ngd.core.InvalidInput;
import ngd.core.network.Diagnosis;
import ngd.core.network.Graph;
import ngd.core.network.Measured;
import ngd.core.network.MissingLinks;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.run.JsonObject;
import ngd.studies.figure.Figure;
import ngd.studies.figure.NetworkFigure;
import ngd.studies.figure.NetworkLayout;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Networks for the designer: made from their words, from an edge list or from what was drawn, laid
 * out, and diagnosed as they are, unfinished ones included.
 */
final class NetworkApi {
  /** What a page can still draw. */
  static final int MOST_CLIENTS = 5000;

  static final int MOST_LINKS = 400_000;

  private static final FormWords FORM =
      new FormWords(
          Map.of("network", "Kind", "clients", "Clients", "weights", "Weights", "seed", "Seed"));

  PageReply answer(PageRequest request) throws IOException {
    String what = String.join("/", request.parts(2));
    if (!request.method().equals("POST")) {
      return PageReply.error(405, "networks need POST");
    }
    JsonNode asked = request.json();
    return FORM.asking(() -> answer(what, asked));
  }

  private static PageReply answer(String what, JsonNode asked) {
    return switch (what) {
      case "make" -> made(asked);
      case "import" -> imported(asked);
      case "diagnosis" -> PageReply.json(diagnosis(drawn(asked)));
      case "spectrum" -> PageReply.json(spectrum(drawn(asked).diagnosis()));
      case "layout" ->
          PageReply.json(
              new JsonObject().put("places", places(NetworkLayout.of(drawn(asked).network()))));
      case "figure" -> figure(asked);
      default -> PageReply.error(404, "no such request about networks");
    };
  }

  /**
   * A network under design.
   *
   * @param deaf the clients that hear nobody yet; until they do, they count as alone
   */
  private record Drawn(Diagnosis diagnosis, List<Integer> deaf) {
    Network network() {
      return diagnosis.network();
    }
  }

  /** A network by its words. */
  private record Named(Topology topology, Diagnosis diagnosis) {}

  private static Named named(JsonNode asked) {
    int clients = clients(asked);
    String spec = text(asked, "network", "");
    if (spec.startsWith("file:")) {
      throw new InvalidInput("network: files are imported, not named here");
    }
    Topology topology = Topology.parse(spec, clients, Streams.of(asked.path("seed").asLong(1)));
    if (topology.changes()) {
      throw new InvalidInput(
          "network: the designer draws constant networks; `%s` changes from round to round: a fit can use it, and `ngd network` analyses it"
              .formatted(spec));
    }
    Weights weights = Weights.parse(text(asked, "weights", "uniform"), topology, new int[0]);
    requireFew(topology);
    return new Named(topology, Diagnosis.of(topology, weights));
  }

  private static PageReply made(JsonNode asked) {
    Named named = named(asked);
    return PageReply.json(
        whole(
            new Drawn(named.diagnosis(), List.of()),
            NetworkLayout.of(named.topology(), named.diagnosis().network())));
  }

  private static void requireFew(Topology topology) {
    if (topology instanceof Topology.Complete
        && (long) topology.clients() * topology.clients() > MOST_LINKS) {
      throw new InvalidInput(
          "network: a page can draw %d links; `complete` with %d clients has more"
              .formatted(MOST_LINKS, topology.clients()));
    }
  }

  private static PageReply imported(JsonNode asked) {
    Drawn drawn = listed(text(asked, "csv", ""));
    return PageReply.json(whole(drawn, NetworkLayout.of(drawn.network())));
  }

  /** The network of an edge list, with the weights that it states, if it does. */
  private static Drawn listed(String csv) {
    int clients = clientsIn(csv);
    if (clients > MOST_CLIENTS) {
      throw new InvalidInput(
          "edge list: a page can draw %d clients; it names client %d"
              .formatted(MOST_CLIENTS, clients - 1));
    }
    Topology topology = new Topology.EdgeFile(Math.max(1, clients), "edge list", Optional.of(csv));
    return new Drawn(Diagnosis.of(topology, Weights.standard(topology)), List.of());
  }

  /** How many clients the first two columns name; what is wrong with them is said later. */
  private static int clientsIn(String csv) {
    int largest = -1;
    Set<String> names = new HashSet<>();
    for (String line : csv.lines().skip(1).filter(one -> !one.isBlank()).toList()) {
      String[] cells = line.split(",", 3);
      for (int i = 0; i < Math.min(2, cells.length); i++) {
        names.add(cells[i].strip());
        try {
          largest = Math.max(largest, Integer.parseInt(cells[i].strip()));
        } catch (NumberFormatException e) {
          // A name, or a mistake that the reader of edge lists explains.
        }
      }
    }
    return largest < 0 ? names.size() : 1 + largest;
  }

  /** The network that a page describes: by its words, as an edge list or by its links. */
  static Network network(JsonNode asked) {
    if (!asked.path("network").isString()) {
      Drawn drawn = drawn(asked);
      if (!drawn.deaf().isEmpty()) {
        throw new InvalidInput(
            "network: every client must hear another; " + hearNobody(drawn.deaf()));
      }
      return drawn.network();
    }
    return named(asked).diagnosis().network();
  }

  /** Whom each client hears besides itself. */
  static List<List<Integer>> hears(Network network) {
    List<List<Integer>> hears = new ArrayList<>();
    for (int m = 0; m < network.clients(); m++) {
      hears.add(new ArrayList<>());
    }
    List<Integer> links = links(network);
    for (int i = 0; i < links.size(); i += 2) {
      hears.get(links.get(i)).add(links.get(i + 1));
    }
    return hears;
  }

  private static Drawn drawn(JsonNode asked) {
    if (asked.path("csv").isString()) {
      return listed(asked.path("csv").asString());
    }
    int clients = clients(asked);
    JsonNode links = asked.path("links");
    if (!links.isArray() || links.size() % 2 != 0 || links.size() / 2 > MOST_LINKS) {
      throw new InvalidInput(
          "links: must be pairs of clients, at most %d of them".formatted(MOST_LINKS));
    }
    List<List<Integer>> hears = new ArrayList<>();
    for (int m = 0; m < clients; m++) {
      hears.add(new ArrayList<>());
    }
    for (int i = 0; i < links.size(); i += 2) {
      int client = links.get(i).asInt(-1);
      if (client < 0 || client >= clients) {
        throw new InvalidInput(
            "links: a client must lie in [0, %d]; got %s".formatted(clients - 1, links.get(i)));
      }
      hears.get(client).add(links.get(i + 1).asInt(-1));
    }
    List<Integer> deaf = new ArrayList<>();
    for (int m = 0; m < clients; m++) {
      if (hears.get(m).isEmpty() && clients > 1) {
        deaf.add(m);
      }
    }
    if (!deaf.isEmpty()) {
      return new Drawn(Diagnosis.of(unfinished(hears)), deaf);
    }
    int[][] rows = new int[clients][];
    for (int m = 0; m < clients; m++) {
      rows[m] = hears.get(m).stream().mapToInt(Integer::intValue).toArray();
    }
    Topology none = new Topology.Complete(Math.max(1, clients));
    Weights weights = Weights.parse(text(asked, "weights", "uniform"), none, new int[0]);
    return new Drawn(Diagnosis.of(Network.of(Graph.of(rows), weights)), deaf);
  }

  /** Uniform weights; who hears nobody keeps its own estimate. */
  private static Network unfinished(List<List<Integer>> hears) {
    int clients = hears.size();
    if (clients > 1000) {
      throw new InvalidInput(
          "network: every client must hear another one; of %d clients some hear none"
              .formatted(clients));
    }
    double[][] w = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      List<Integer> own = hears.get(m);
      for (int k : own) {
        if (k < 0 || k >= clients || k == m || w[m][k] > 0) {
          throw new InvalidInput(
              "links: client %d cannot hear %d, or hears it twice".formatted(m, k));
        }
        w[m][k] = 1.0 / own.size();
      }
      if (own.isEmpty()) {
        w[m][m] = 1;
      }
    }
    return Network.of(w);
  }

  /** Who hears whom, pair after pair, without the clients' weights on themselves. */
  static List<Integer> links(Network network) {
    List<Integer> links = new ArrayList<>();
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        if (network.heard()[e] != m) {
          links.add(m);
          links.add(network.heard()[e]);
        }
      }
    }
    return links;
  }

  private static JsonObject whole(Drawn drawn, NetworkLayout layout) {
    Network network = drawn.network();
    List<Integer> links = links(network);
    if (links.size() / 2 > MOST_LINKS) {
      throw new InvalidInput(
          "network: a page can draw %d links; this one has %d"
              .formatted(MOST_LINKS, links.size() / 2));
    }
    return new JsonObject()
        .put("clients", network.clients())
        .put("links", links)
        .put("places", places(layout))
        .put("diagnosis", diagnosis(drawn));
  }

  static List<Double> places(NetworkLayout layout) {
    List<Double> places = new ArrayList<>();
    for (int m = 0; m < layout.clients(); m++) {
      places.add(Math.rint(layout.x(m) * 1e4) / 1e4);
      places.add(Math.rint(layout.y(m) * 1e4) / 1e4);
    }
    return places;
  }

  /** All that is found quickly; the spectrum is asked for separately. */
  private static JsonObject diagnosis(Drawn drawn) {
    Diagnosis d = drawn.diagnosis();
    List<Integer> classOf = new ArrayList<>();
    for (int m = 0; m < d.clients(); m++) {
      classOf.add(d.classes().classOf(m));
    }
    List<JsonObject> classes = new ArrayList<>();
    for (int c = 0; c < d.classes().count(); c++) {
      classes.add(
          new JsonObject().put("size", d.classes().size(c)).put("closed", d.classes().closed(c)));
    }
    List<String> warnings = new ArrayList<>();
    if (!drawn.deaf().isEmpty()) {
      warnings.add(
          "%s and so cannot average: draw a link to each, or the network cannot be used"
              .formatted(hearNobody(drawn.deaf())));
    }
    warnings.addAll(d.warnings());
    return new JsonObject()
        .put("clients", d.clients())
        .put("links", d.edges())
        .put("usable", drawn.deaf().isEmpty())
        .put("deaf", drawn.deaf())
        .put("se", d.se())
        .put("expectedSe2", number(d.expectedSe2()))
        .put("unheard", list(d.unheard()))
        .put("transient", list(d.transientClients()))
        .put("classOf", classOf)
        .put("classes", classes)
        .put("irreducible", d.irreducible())
        .put("period", d.period())
        .put("hears", range(d.inDegree()))
        .put("heardBy", range(d.outDegree()))
        .put(
            "pi",
            d.stationary()
                .distribution()
                .map(pi -> (Object) Arrays.stream(pi).boxed().toList())
                .orElse(null))
        .put("piHow", d.stationary().how())
        .put("warnings", warnings)
        .put("missing", missing(d));
  }

  private static String hearNobody(List<Integer> deaf) {
    return deaf.size() == 1
        ? "client %d hears nobody".formatted(deaf.getFirst())
        : "%d clients hear nobody".formatted(deaf.size());
  }

  /** The links that would connect all, as pairs; none where there are too many to be advice. */
  private static List<Integer> missing(Diagnosis d) {
    List<Integer> pairs = new ArrayList<>();
    if (d.clients() <= 1000 && !d.irreducible()) {
      for (MissingLinks.MissingLink link : MissingLinks.of(d.network())) {
        pairs.add(link.client());
        pairs.add(link.other());
      }
    }
    return pairs;
  }

  private static JsonObject spectrum(Diagnosis d) {
    Measured second = d.spectrum().secondEigenvalue();
    OptionalDouble value = second.value();
    return new JsonObject()
        .put("secondEigenvalue", number(value))
        .put("gap", value.isPresent() ? Math.max(0, 1 - value.getAsDouble()) : null)
        .put("how", second.how());
  }

  private static PageReply figure(JsonNode asked) {
    Drawn drawn = drawn(asked);
    JsonNode places = asked.path("places");
    double[] at = new double[2 * drawn.network().clients()];
    for (int i = 0; i < at.length; i++) {
      at[i] = places.path(i).asDouble(0);
    }
    String title = text(asked, "title", "drawn network").replaceAll("[^A-Za-z0-9:.,() -]", "");
    Figure figure = new NetworkFigure(title, drawn.diagnosis(), NetworkLayout.at(at)).figure();
    return PageReply.drawn(figure, text(asked, "format", "svg"), "network");
  }

  private static int clients(JsonNode asked) {
    int clients = asked.path("clients").asInt(0);
    if (clients < 1 || clients > MOST_CLIENTS) {
      throw new InvalidInput(
          "clients: must lie in [1, %d], what a page can draw; got %s"
              .formatted(MOST_CLIENTS, asked.path("clients")));
    }
    return clients;
  }

  static String text(JsonNode asked, String name, String otherwise) {
    JsonNode node = asked.path(name);
    return node.isString() ? node.asString() : otherwise;
  }

  private static JsonObject range(Diagnosis.Range range) {
    return new JsonObject().put("min", range.min()).put("max", range.max());
  }

  private static List<Integer> list(int[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static @Nullable Double number(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
