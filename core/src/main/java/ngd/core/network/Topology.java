package ngd.core.network;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;

/**
 * Who listens to whom, as a kind with its parameters; {@link #graph} lays the links.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="topology"}
 */
public sealed interface Topology
    permits ChangingTopology,
        Topology.Central,
        Topology.Circle,
        Topology.Fixed,
        Topology.Regular,
        Topology.Ring,
        Topology.Complete,
        Topology.Torus,
        Topology.Exponential,
        Topology.ErdosRenyi,
        Topology.SmallWorld,
        Topology.EdgeFile {

  int clients();

  /** The links; the same ones every time. */
  Graph graph();

  /** The words by which the command line and the manifest know this network. */
  default String spec() {
    return switch (this) {
      case Central _ -> "central";
      case Circle circle -> "circle:" + circle.degree();
      case Fixed fixed -> "fixed:" + fixed.degree();
      case Regular regular -> "regular:" + regular.degree();
      case Ring ring -> "ring:" + ring.reach();
      case Complete _ -> "complete";
      case Torus _ -> "torus";
      case Exponential _ -> "exponential";
      case ErdosRenyi drawn -> "erdos-renyi:" + drawn.probability();
      case SmallWorld drawn -> "small-world:%d:%s".formatted(drawn.reach(), drawn.probability());
      case ChangingTopology.OnePeerExponential _ -> "one-peer-exponential";
      case ChangingTopology.BaseKPlusOne base -> "base:" + base.degree();
      case ChangingTopology.Matching _ -> "random-matching";
      case EdgeFile file -> "file:" + file.name();
    };
  }

  /**
   * SE²(W) under uniform weights, exact or, for {@link Fixed}, in expectation; empty where no
   * closed form is known.
   */
  default OptionalDouble expectedSe2() {
    return switch (this) {
      case Central(int clients) -> {
        double excess = clients - 2;
        yield OptionalDouble.of(excess * excess / (clients - 1));
      }
      case Fixed fixed -> OptionalDouble.of(1.0 / fixed.degree() - 1.0 / (fixed.clients() - 1));
      case Circle _, Regular _, Ring _, Complete _, Torus _, Exponential _, ChangingTopology _ ->
          OptionalDouble.of(0);
      case ErdosRenyi _, SmallWorld _, EdgeFile _ -> OptionalDouble.empty();
    };
  }

  /** Whether rounds differ in their links. */
  default boolean changes() {
    return this instanceof ChangingTopology
        || (this instanceof EdgeFile file && file.statesRounds());
  }

  /** Whether the links are drawn, so that other streams give others. */
  default boolean random() {
    return switch (this) {
      case Fixed _, Regular _, ErdosRenyi _, SmallWorld _, ChangingTopology.Matching _ -> true;
      default -> false;
    };
  }

  /**
   * The topology that a specification such as {@code circle:2} names.
   *
   * @param streams where random kinds draw their links
   */
  static Topology parse(String spec, int clients, Streams streams) {
    return TopologyWords.parse(spec, clients, streams);
  }

  /** What clients are called: by an edge file that has names, or nothing. */
  static List<String> names(Topology topology) {
    return topology instanceof EdgeFile file ? file.names() : List.of();
  }

  /** The words of the weights that a network takes when none are asked for, a file's left out. */
  static String usualWeights(String spec) {
    return TopologyWords.changing(spec) ? "own" : "uniform";
  }

  /** Client 0 hears all others, and all others hear client 0. */
  record Central(int clients) implements Topology {
    public Central {
      TopologyWords.requireClients("central", clients, 2, "a centre and one more");
    }

    @Override
    public Graph graph() {
      int[] offsets =
          IntStream.rangeClosed(0, clients).map(m -> m == 0 ? 0 : clients + m - 2).toArray();
      int[] heard = new int[2 * (clients - 1)];
      for (int m = 1; m < clients; m++) {
        heard[m - 1] = m;
      }
      return Graph.adopt(offsets, heard);
    }
  }

  /** Each client hears the next {@code degree} clients, modulo M. */
  record Circle(int clients, int degree) implements Topology {
    public Circle {
      TopologyWords.requireDegree("circle", clients, degree);
    }

    @Override
    public Graph graph() {
      return circulant(clients, IntStream.rangeClosed(1, degree).toArray());
    }
  }

  /** Each client hears {@code degree} others, drawn once without replacement. */
  record Fixed(int clients, int degree, Streams streams) implements Topology {
    public Fixed {
      TopologyWords.requireDegree("fixed", clients, degree);
    }

    @Override
    public Graph graph() {
      return RandomLinks.fixed(clients, degree, streams);
    }
  }

  /**
   * Each client hears {@code degree} others and is heard by as many: a random union of permutations
   * without fixed points or repeats, strongly connected.
   */
  record Regular(int clients, int degree, Streams streams) implements Topology {
    public Regular {
      TopologyWords.requireDegree("regular", clients, degree);
    }

    @Override
    public Graph graph() {
      return RegularLinks.draw(clients, degree, streams);
    }
  }

  /** Each client hears the {@code reach} clients on each side of it, modulo M. */
  record Ring(int clients, int reach) implements Topology {
    public Ring {
      TopologyWords.requireClients("ring", clients, 2, "one to hear");
      if (reach < 1 || reach > clients / 2) {
        throw new InvalidInput(
            "ring: K must lie in [1, %d], half the clients; got %d".formatted(clients / 2, reach));
      }
    }

    @Override
    public Graph graph() {
      return circulant(
          clients,
          IntStream.rangeClosed(1, reach)
              .flatMap(hop -> IntStream.of(hop, clients - hop))
              .distinct()
              .toArray());
    }
  }

  /** Everyone hears everyone else. A single client is complete too: it hears only itself. */
  record Complete(int clients) implements Topology {
    public Complete {
      TopologyWords.requireClients("complete", clients, 1, "somebody");
    }

    @Override
    public Graph graph() {
      return circulant(clients, IntStream.range(1, clients).toArray());
    }
  }

  /** A grid as square as M allows, closed at its edges; each client hears its neighbours in it. */
  record Torus(int clients) implements Topology {
    public Torus {
      TopologyWords.requireClients("torus", clients, 4, "two rows of two");
      if (columns(clients) == clients) {
        throw new InvalidInput(
            "torus: the number of clients must be a product of two numbers of at least 2, rows"
                + " times"
                + " columns; %d is prime".formatted(clients));
      }
    }

    /** The smallest divisor of M that is at least its square root. */
    private static int columns(int clients) {
      int rows = (int) Math.sqrt(clients);
      while (clients % rows != 0) {
        rows--;
      }
      return clients / rows;
    }

    @Override
    public Graph graph() {
      int columns = columns(clients);
      int rows = clients / columns;
      int[][] hears = new int[clients][];
      for (int m = 0; m < clients; m++) {
        int row = m / columns;
        int column = m % columns;
        hears[m] =
            IntStream.of(
                    (row + 1) % rows * columns + column,
                    (row + rows - 1) % rows * columns + column,
                    row * columns + (column + 1) % columns,
                    row * columns + (column + columns - 1) % columns)
                .distinct()
                .toArray();
      }
      return Graph.of(hears);
    }
  }

  /** Client m hears m + 1, m + 2, m + 4, … modulo M, all hops below M. */
  record Exponential(int clients) implements Topology {
    public Exponential {
      TopologyWords.requireClients("exponential", clients, 2, "one to hear");
    }

    @Override
    public Graph graph() {
      return circulant(
          clients,
          IntStream.range(0, Integer.SIZE - Integer.numberOfLeadingZeros(clients - 1))
              .map(i -> 1 << i)
              .toArray());
    }
  }

  /** Each pair of clients hears each other with this probability, independently of the others. */
  record ErdosRenyi(int clients, double probability, Streams streams) implements Topology {
    public ErdosRenyi {
      TopologyWords.requireClients("erdos-renyi", clients, 2, "one to hear");
      if (!(probability > 0 && probability <= 1)) {
        throw new InvalidInput(
            "erdos-renyi: P must lie in (0, 1], it is a probability; got " + probability);
      }
    }

    @Override
    public Graph graph() {
      return RandomLinks.erdosRenyi(clients, probability, streams);
    }
  }

  /**
   * A ring of {@code reach} clients on each side in which each link is led elsewhere with this
   * probability (Watts and Strogatz 1998); links are mutual, and each client keeps the near end of
   * {@code reach} of them, so nobody is left alone.
   */
  record SmallWorld(int clients, int reach, double probability, Streams streams)
      implements Topology {
    public SmallWorld {
      TopologyWords.requireClients("small-world", clients, 3, "one on each side");
      if (reach < 1 || reach > (clients - 1) / 2) {
        throw new InvalidInput(
            "small-world: K must lie in [1, %d], so that the clients on both sides are different ones; got %d"
                .formatted((clients - 1) / 2, reach));
      }
      if (!(probability >= 0 && probability <= 1)) {
        throw new InvalidInput(
            "small-world: P must lie in [0, 1], it is a probability; got " + probability);
      }
    }

    @Override
    public Graph graph() {
      return RandomLinks.smallWorld(clients, reach, probability, streams);
    }
  }

  /**
   * The links of a CSV file with the header {@code client,hears[,weight][,round]}.
   *
   * @param name its path; messages begin with it
   * @param text what would stand in the file, where there is none, as for a network that was drawn
   * @param sites what clients are called, which the file may call them too; empty where they have
   *     no names
   */
  record EdgeFile(int clients, String name, Optional<String> text, List<String> sites)
      implements Topology {
    public EdgeFile {
      TopologyWords.requireClients("file", clients, 1, "somebody");
      sites = List.copyOf(sites);
    }

    public EdgeFile(int clients, String name, Optional<String> text) {
      this(clients, name, text, List.of());
    }

    /** The same file, which may call clients by these names. */
    public EdgeFile of(List<String> names) {
      return new EdgeFile(clients, name, text, names);
    }

    /** What the file calls its clients, in their order; empty where it has numbers. */
    public List<String> names() {
      return EdgeList.read(this).names();
    }

    public EdgeFile(int clients, Path path) {
      this(clients, path.toString(), Optional.empty());
    }

    @Override
    public Graph graph() {
      return EdgeList.read(this).graph();
    }

    /** Whether the file states rounds, each of which then has links of its own. */
    public boolean statesRounds() {
      return EdgeList.statesRounds(this);
    }

    /** Whether the file states weights, which then are the weights of the network. */
    public boolean statesWeights() {
      return EdgeList.statesWeights(this);
    }
  }

  /** Client m hears m + hop modulo M, for each of these hops. */
  private static Graph circulant(int clients, int[] hops) {
    int[] offsets = new int[clients + 1];
    for (int m = 0; m < clients; m++) {
      offsets[m + 1] = Graph.offset(offsets[m] + (long) hops.length);
    }
    int[] heard = new int[offsets[clients]];
    for (int m = 0; m < clients; m++) {
      for (int i = 0; i < hops.length; i++) {
        heard[offsets[m] + i] = (int) ((m + (long) hops[i]) % clients);
      }
    }
    return Graph.adopt(offsets, heard);
  }
}
