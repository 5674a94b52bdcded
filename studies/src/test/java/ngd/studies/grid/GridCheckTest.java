package ngd.studies.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import ngd.core.Problems;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.question.ClientKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

class GridCheckTest {
  private static final int REPLICATES = 40;

  private static List<String> problems(Axis... axes) {
    List<Axis> all = new ArrayList<>();
    all.add(Axis.of(ModelKeys.SIMULATE, "linear", "poisson"));
    all.add(Axis.of(ModelKeys.ROWS, "100"));
    all.add(Axis.of(ClientKeys.CLIENTS, "10"));
    all.addAll(List.of(axes));
    all.add(Axis.of(MethodKeys.ALPHA, "0.01", "0.02"));
    all.add(Axis.of(MethodKeys.ROUNDS, "10"));
    Problems problems = new Problems();
    new GridCheck(Grid.of(all).cells(), 3, REPLICATES).check(problems);
    List<String> found = new ArrayList<>();
    problems.each(found::add);
    return found;
  }

  @Test
  void check_someCellsIncompatible_namesEachCombinationOnce() {
    assertThat(
            problems(
                Axis.of(ClientKeys.NETWORK, "circle:1", "ring:2"),
                Axis.of(ClientKeys.WEIGHTS, "uniform", "metropolis"),
                Axis.of(MethodKeys.ALGORITHM, "ngd", "extra")))
        .satisfiesExactly(
            one ->
                assertThat(one)
                    .startsWith(
                        "10 clients, network circle:1, weights uniform, algorithm extra (4 cells):"
                            + " algorithm `extra`: needs"),
            two ->
                assertThat(two)
                    .startsWith(
                        "10 clients, network circle:1, weights metropolis, algorithm ngd (4"),
            three ->
                assertThat(three)
                    .startsWith(
                        "10 clients, network circle:1, weights metropolis, algorithm extra"));
  }

  @Test
  void check_cellsThatGoTogether_findsNothing() {
    assertThat(
            problems(
                Axis.of(ClientKeys.NETWORK, "ring:2", "torus"),
                Axis.of(ClientKeys.WEIGHTS, "lazy-metropolis"),
                Axis.of(MethodKeys.ALGORITHM, "ngd", "extra", "diging")))
        .isEmpty();
  }

  /** Oracle: the classes of the network of each replicate. */
  @Test
  void check_aRandomNetworkThatSuitsInSomeReplicates_countsTheOthers() {
    int reducible = 0;
    int first = -1;
    for (int r = 0; r < REPLICATES; r++) {
      Topology topology = Topology.parse("fixed:3", 10, Streams.of(3).replicate(r));
      if (CommunicatingClasses.of(Network.of(topology)).count() > 1) {
        reducible++;
        first = first < 0 ? r : first;
      }
    }
    assertThat(reducible).isBetween(1, REPLICATES - 1);
    assertThat(
            problems(
                Axis.of(ClientKeys.NETWORK, "fixed:3"),
                Axis.of(MethodKeys.ALGORITHM, "ngd", "balanced-ngd")))
        .singleElement()
        .asString()
        .contains("network fixed:3, weights uniform, algorithm balanced-ngd (4 cells)")
        .contains(
            "in %d of %d replicates, the first being %d:".formatted(reducible, REPLICATES, first));
  }

  /** By rows, weights are doubly stochastic where all clients hold as many, and not else. */
  @Test
  void check_weightsByRows_looksAtTheRows() {
    assertThat(
            problems(
                Axis.of(ClientKeys.PARTITION, "random", "dirichlet:0.3"),
                Axis.of(ClientKeys.NETWORK, "torus"),
                Axis.of(ClientKeys.WEIGHTS, "metropolis:rows"),
                Axis.of(MethodKeys.ALGORITHM, "diging")))
        .allSatisfy(problem -> assertThat(problem).contains("doubly stochastic"))
        .hasSize(2);
  }
}
