package ngd.studies.grid;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.algorithm.Need;
import ngd.core.data.Table;
import ngd.core.network.NetworkSchedule;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.random.Streams;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;

/**
 * Whether every cell's algorithm can work on its network: found before any is run, for all
 * replicates, since a random network may suit in one and not in another.
 */
record GridCheck(List<Cell> cells, long seed, int replicates) {
  private static final String BY_ROWS = "metropolis:rows";

  /** What a draw of the network has no part in. */
  private static final Set<Need> OF_NO_NETWORK =
      EnumSet.of(
          Need.CONSTANT_NETWORK,
          Need.PROXIMAL_STEPS,
          Need.HESSIAN,
          Need.LINK_GRADIENTS,
          Need.MEAN_MIXING);

  /** What cells must have in common for one answer to hold for all of them. */
  private record Case(
      String loss,
      int clients,
      String network,
      String weights,
      String algorithm,
      Mixing mixing,
      String sizes) {
    static Case of(Cell cell) {
      return new Case(
          cell.word(ModelKeys.LOSS),
          cell.clients(),
          cell.network(),
          cell.weights(),
          cell.algorithm(),
          MethodKeys.trust(cell.question()).mixing(),
          cell.weights().equals(BY_ROWS)
              ? "%s %d %s".formatted(cell.data(), cell.rows(), cell.arrangement())
              : "");
    }

    String title() {
      return "%s%d clients, network %s, weights %s, algorithm %s%s"
          .formatted(
              loss.isEmpty() ? "" : "loss %s, ".formatted(loss),
              clients,
              network,
              weights,
              algorithm,
              mixing instanceof Mixing.Mean ? "" : ", mix " + mixing.spec());
    }
  }

  void check(Problems problems) {
    Map<Case, List<Cell>> cases = new LinkedHashMap<>();
    for (Cell cell : cells) {
      cases.computeIfAbsent(Case.of(cell), _ -> new ArrayList<>()).add(cell);
    }
    cases.forEach(
        (one, those) ->
            problem(those.getFirst())
                .ifPresent(
                    problem ->
                        problems.add(
                            "%s (%s): %s"
                                .formatted(
                                    one.title(),
                                    NumberText.count(those.size(), "cell"),
                                    problem))));
  }

  /** What is wrong with a cell, and in how many replicates. */
  private Optional<String> problem(Cell cell) {
    Streams streams = Streams.of(seed);
    if (!dependsOnTheDraw(cell)) {
      return problem(cell, streams.replicate(0));
    }
    List<Optional<String>> found =
        IntStream.range(0, replicates)
            .parallel()
            .mapToObj(r -> problem(cell, streams.replicate(r)))
            .toList();
    List<Integer> failing =
        IntStream.range(0, replicates).filter(r -> found.get(r).isPresent()).boxed().toList();
    if (failing.isEmpty()) {
      return Optional.empty();
    }
    int first = failing.getFirst();
    return found
        .get(first)
        .map(
            problem ->
                failing.size() == replicates
                    ? problem
                    : "in %d of %d replicates, the first being %d: %s"
                        .formatted(failing.size(), replicates, first, problem));
  }

  private boolean dependsOnTheDraw(Cell cell) {
    boolean needy = !OF_NO_NETWORK.containsAll(cell.choice().needs());
    return (cell.topology(Streams.of(seed)).random()
            && (needy || !cell.weights().equals("uniform")))
        || (needy && cell.weights().equals(BY_ROWS));
  }

  private static Optional<String> problem(Cell cell, Streams streams) {
    try {
      NetworkSchedule network = GridReplicate.network(cell, sizes(cell, streams), streams);
      List<String> unmet =
          new Suitability(network, cell.loss(), MethodKeys.trust(cell.question()).mixing())
              .unmet(cell.choice());
      return unmet.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", unmet));
    } catch (InvalidInput impossible) {
      return Optional.of(String.valueOf(impossible.getMessage()));
    }
  }

  /** The rows of each client; none where no rule looks at them. */
  private static int[] sizes(Cell cell, Streams streams) {
    if (!cell.weights().equals(BY_ROWS)) {
      return new int[0];
    }
    if (cell.simulated().isEmpty()) {
      return OwnData.sample(cell.question(), streams).sizes();
    }
    Table table = cell.model().table(cell.rows(), streams);
    return cell.arrangement()
        .partition()
        .assign(table, OptionalInt.of(cell.clients()), cell.arrangement().placement(), streams)
        .sizes();
  }
}
