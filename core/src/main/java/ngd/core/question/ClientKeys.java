package ngd.core.question;

import java.util.List;
import java.util.Optional;
import ngd.core.NumberText;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.network.Topology;
import ngd.core.random.Streams;

/** Who the clients are, which rows they hold, and who hears whom. */
public final class ClientKeys {
  private static final String FILE = "file:";

  private ClientKeys() {}

  public static final Key<Integer> CLIENTS =
      Key.whole("clients", "M", 1)
          .help("Number of clients, where neither sites nor the partition imply it.");

  public static final Key<Partition> PARTITION =
      Key.of("partition", "SPEC", Partition::parse, Partition::spec)
          .standard("random")
          .when(
              question -> !question.says(DataKeys.SITE) && !dealtByEvents(question),
              question ->
                  question.says(DataKeys.SITE)
                      ? "works only with --data or --simulate; each site keeps its own rows"
                      : "must be random or rows:n1,n2,… with --simulate survival; others deal rows"
                          + " out by their events, and a model stratified by client then has other"
                          + " coefficients")
          .help(
              "How the rows are split into parts: random (the default), sorted, dirichlet:A,"
                  + " column:NAME, rows:n1,n2,…");

  public static final Key<Placement> PLACEMENT =
      Key.of("placement", "WORD", Placement::parse, Placement::spec)
          .standard("in-order")
          .when(
              question -> !question.says(DataKeys.SITE),
              "works only with --data or --simulate; sites are clients in the order given")
          .help("Which client gets which part: in-order (the default) or random.");

  public static final Key<String> NETWORK =
      Key.text("network", "SPEC")
          .files(spec -> spec.startsWith(FILE) ? FILE.length() : -1)
          .help(
              "Network, who hears whom: central, circle:D, fixed:D, regular:D, ring:K, complete,"
                  + " torus, exponential, erdos-renyi:P, small-world:K:P, one that changes from"
                  + " round to round (one-peer-exponential, base:K, random-matching), or"
                  + " file:edges.csv with the header client,hears[,weight][,round].");

  public static final Key<String> WEIGHTS =
      Key.text("weights", "WORD")
          .offering(List.of("uniform", "metropolis", "lazy-metropolis", "metropolis:rows", "file"))
          .standard(
              question ->
                  question
                      .find(NETWORK)
                      .filter(network -> !network.startsWith(FILE))
                      .map(Topology::usualWeights))
          .help(
              "Weights of the network: uniform (the default), metropolis, lazy-metropolis, lazy:S,"
                  + " metropolis:rows, file (the default if the file has weights), or own (of"
                  + " networks that change).");

  public static final Key<Long> SEED =
      Key.of("seed", "S", ClientKeys::seed, seed -> Long.toString(seed))
          .standard("1")
          .help("Random seed; 1 by default.");

  /** All of them. */
  public static final List<Key<?>> ALL =
      List.of(CLIENTS, PARTITION, PLACEMENT, NETWORK, WEIGHTS, SEED);

  /** Whether simulated events in time decide who holds which row. */
  private static boolean dealtByEvents(Question question) {
    Partition cut = question.get(PARTITION);
    return question.find(ModelKeys.SIMULATE).filter(PaperModel::timed).isPresent()
        && (cut instanceof Partition.Sorted || cut instanceof Partition.Dirichlet);
  }

  /** Everything random in a question's answer comes from these. */
  public static Streams streams(Question question) {
    return Streams.of(question.get(SEED));
  }

  /** Who hears whom among the clients; an edge file may call sites by their names. */
  public static Topology topology(Question question, int clients, Streams streams) {
    Topology topology = Topology.parse(question.get(NETWORK), clients, streams);
    return topology instanceof Topology.EdgeFile file && question.says(DataKeys.SITE)
        ? file.of(DataKeys.siteNames(question))
        : topology;
  }

  /** The weights, where they are said or hold anyway. */
  public static Optional<String> weights(Question question) {
    return question.find(WEIGHTS);
  }

  private static Long seed(String text) {
    return NumberText.read(
        text, Long::valueOf, () -> "seed: must be a whole number; got `%s`".formatted(text));
  }
}
