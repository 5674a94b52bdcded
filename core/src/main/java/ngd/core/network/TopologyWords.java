package ngd.core.network;

import java.nio.file.Path;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Vocabulary;
import ngd.core.random.Streams;

/** Reads the words by which networks are named. */
final class TopologyWords {
  private static final Vocabulary NETWORKS =
      new Vocabulary(
          "network",
          List.of(
              "central",
              "circle:D",
              "fixed:D",
              "regular:D",
              "ring:K",
              "complete",
              "torus",
              "exponential",
              "erdos-renyi:P",
              "small-world:K:P",
              "one-peer-exponential",
              "base:K",
              "random-matching",
              "file:edges.csv"));

  private TopologyWords() {}

  static Topology parse(String spec, int clients, Streams streams) {
    if (spec.startsWith("file:") && spec.length() > "file:".length()) {
      // A path may hold colons of its own.
      return new Topology.EdgeFile(clients, Path.of(spec.substring("file:".length())));
    }
    List<String> given = NETWORKS.parameters(spec);
    String word = spec.strip().split(":", 2)[0];
    return switch (word) {
      case "central" -> new Topology.Central(clients);
      case "circle" -> new Topology.Circle(clients, whole("circle:D", "D", given.get(0)));
      case "fixed" -> new Topology.Fixed(clients, whole("fixed:D", "D", given.get(0)), streams);
      case "regular" ->
          new Topology.Regular(clients, whole("regular:D", "D", given.get(0)), streams);
      case "ring" -> new Topology.Ring(clients, whole("ring:K", "K", given.get(0)));
      case "complete" -> new Topology.Complete(clients);
      case "torus" -> new Topology.Torus(clients);
      case "exponential" -> new Topology.Exponential(clients);
      case "erdos-renyi" ->
          new Topology.ErdosRenyi(clients, number("erdos-renyi:P", "P", given.get(0)), streams);
      case "small-world" ->
          new Topology.SmallWorld(
              clients,
              whole("small-world:K:P", "K", given.get(0)),
              number("small-world:K:P", "P", given.get(1)),
              streams);
      case "one-peer-exponential" -> new ChangingTopology.OnePeerExponential(clients);
      case "base" -> new ChangingTopology.BaseKPlusOne(clients, whole("base:K", "K", given.get(0)));
      case "random-matching" -> new ChangingTopology.Matching(clients, streams);
      case "file" ->
          throw new InvalidInput(
              "network: the form is `file:edges.csv`, a path after the colon; got `%s`"
                  .formatted(spec));
      default -> throw NETWORKS.unknown(spec);
    };
  }

  /** Whether a specification is of a kind that changes from round to round. */
  static boolean changing(String spec) {
    return List.of("one-peer-exponential", "base", "random-matching")
        .contains(spec.strip().split(":", 2)[0]);
  }

  static void requireClients(String kind, int clients, int least, String reason) {
    if (clients < least) {
      throw new InvalidInput(
          "%s: the number of clients must be at least %d, %s; got %d"
              .formatted(kind, least, reason, clients));
    }
  }

  static void requireDegree(String kind, int clients, int degree) {
    requireClients(kind, clients, 2, "one to hear");
    if (degree < 1 || degree >= clients) {
      throw new InvalidInput(
          "%s: degree D must lie in [1, %d], the other clients; got %d"
              .formatted(kind, clients - 1, degree));
    }
  }

  static int whole(String form, String name, String text) {
    return NumberText.read(
        text,
        Integer::parseInt,
        () -> "%s: %s must be a whole number; got `%s`".formatted(form, name, text));
  }

  static double number(String form, String name, String text) {
    return NumberText.read(
        text,
        Double::parseDouble,
        () -> "%s: %s must be a number; got `%s`".formatted(form, name, text));
  }
}
