package ngd.studies.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalInt;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.theory.Problem;
import ngd.core.theory.StableSolution;
import org.junit.jupiter.api.Test;

class GridReplicateTest {
  private static Grid grid(List<String> networks, List<Grid.Step> steps) {
    return new Grid(
        List.of(new Grid.ModelAxis(PaperModel.LINEAR, steps)),
        List.of(400),
        List.of(20),
        List.of(Arrangement.RANDOM, Arrangement.SORTED, Arrangement.SORTED_DEALT),
        networks,
        List.of("uniform"),
        List.of("ngd"));
  }

  /** Oracle: the stable solution of {@code theory}, a linear solve that runs no algorithm. */
  @Test
  void of_longRuns_endAtTheStableSolution() {
    GridLayout layout =
        new GridLayout(
            grid(
                List.of("circle:1", "fixed:2", "central"),
                List.of(new Grid.Step("0.02", 4000, 1000), new Grid.Step("0.05", 4000, 1000))));
    Streams streams = Streams.of(5).replicate(3);
    double[] values = GridReplicate.of(layout, streams);
    Table table = PaperModel.LINEAR.table(400, streams);
    for (int c = 0; c < layout.cells().size(); c++) {
      Cell cell = layout.cells().get(c);
      Shards shards =
          Partition.parse(cell.arrangement().partition())
              .assign(
                  table,
                  OptionalInt.of(20),
                  Placement.parse(cell.arrangement().placement()),
                  streams)
              .shards(table);
      StableSolution stable =
          StableSolution.of(
              Problem.of(
                  Network.of(Topology.parse(cell.network(), 20, streams)),
                  new Linear(),
                  shards,
                  Double.parseDouble(cell.alpha())));
      double distance = stable.distanceTo(PaperModel.LINEAR.truth()).orNaN();
      assertThat(values[layout.last(c)])
          .as("%s", cell)
          .isCloseTo(2 * Math.log(distance), within(1e-6));
    }
  }

  /** Common random numbers: what else the grid holds changes no bit of a cell. */
  @Test
  void of_aSmallerGrid_givesTheSameBitsForTheSharedCells() {
    List<Grid.Step> both = List.of(new Grid.Step("0.01", 60, 20), new Grid.Step("0.05", 60, 20));
    GridLayout large = new GridLayout(grid(List.of("central", "fixed:2", "circle:1"), both));
    GridLayout small = new GridLayout(grid(List.of("fixed:2"), both.subList(1, 2)));
    Streams streams = Streams.of(9).replicate(12);
    double[] ofLarge = GridReplicate.of(large, streams);
    double[] ofSmall = GridReplicate.of(small, streams);
    assertThat(ofLarge[0]).isEqualTo(ofSmall[0]);
    for (int c = 0; c < small.cells().size(); c++) {
      int same = large.cells().indexOf(small.cells().get(c));
      for (int i = 0; i < small.cells().get(c).points(); i++) {
        assertThat(ofLarge[large.start(same) + i]).isEqualTo(ofSmall[small.start(c) + i]);
      }
    }
  }

  /** Oracle: the definition at θ = 0, log ‖θ0‖². */
  @Test
  void of_anyCell_startsAtTheTruthsNorm() {
    GridLayout layout =
        new GridLayout(grid(List.of("circle:1"), List.of(new Grid.Step("0.01", 1, 1))));
    double[] values = GridReplicate.of(layout, Streams.of(1));
    assertThat(values[layout.start(0)]).isCloseTo(Math.log(9 + 2.25 + 4), within(1e-12));
  }

  @Test
  void of_aStepSizeBeyondAllLimits_isInfiniteToTheEnd() {
    GridLayout layout =
        new GridLayout(grid(List.of("circle:1"), List.of(new Grid.Step("9", 2000, 500))));
    double[] values = GridReplicate.of(layout, Streams.of(1));
    assertThat(values[layout.start(0)]).isFinite();
    assertThat(values[layout.last(0)]).isEqualTo(Double.POSITIVE_INFINITY);
  }
}
