package ngd.studies.grid;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepSize;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Glm;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.NoEstimate;
import ngd.core.model.Objective;
import ngd.core.model.Poisson;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.world.Diverged;
import org.jspecify.annotations.Nullable;

/**
 * One replicate of a grid: all its cells on common random numbers. Data are drawn once for a model
 * and a number of rows, arranged once for all networks, and each network is drawn once for all step
 * sizes, so that cells differ in nothing but what the grid varies.
 */
final class GridReplicate {
  private record ObjectiveKey(PaperModel model, int rows, int clients, Arrangement arrangement) {}

  private record NetworkKey(ObjectiveKey data, String network, String weights) {}

  private final GridLayout layout;
  private final Streams streams;
  private @Nullable Table table;
  private @Nullable PaperModel modelOfTable;
  private final Map<NetworkKey, Network> networks = new LinkedHashMap<>();

  private GridReplicate(GridLayout layout, Streams streams) {
    this.layout = layout;
    this.streams = streams;
  }

  static double[] of(GridLayout layout, Streams streams) {
    return new GridReplicate(layout, streams).values();
  }

  static Glm loss(PaperModel model) {
    return switch (model) {
      case LINEAR -> new Linear();
      case LOGISTIC -> new Logistic();
      case POISSON -> new Poisson();
    };
  }

  private double[] values() {
    double[] values = new double[layout.width()];
    Arrays.fill(values, Double.NaN);
    ObjectiveKey last = null;
    Objective objective = null;
    for (int c = 0; c < layout.cells().size(); c++) {
      Cell cell = layout.cells().get(c);
      ObjectiveKey key =
          new ObjectiveKey(cell.model(), cell.rows(), cell.clients(), cell.arrangement());
      // Cells that share data stand together, so one objective is held at a time.
      if (objective == null || !key.equals(last)) {
        objective = objective(cell);
        last = key;
        networks.clear();
        int global = layout.global(cell);
        if (Double.isNaN(values[global])) {
          values[global] = globalLogMse(cell.model(), objective.shards());
        }
      }
      curve(cell, objective, network(cell, key, objective), values, layout.start(c));
    }
    return values;
  }

  private Objective objective(Cell cell) {
    Table drawn = table(cell);
    Shards shards =
        Partition.parse(cell.arrangement().partition())
            .assign(
                drawn,
                OptionalInt.of(cell.clients()),
                Placement.parse(cell.arrangement().placement()),
                streams)
            .shards(drawn);
    return loss(cell.model()).over(shards);
  }

  private Table table(Cell cell) {
    Table drawn = table;
    if (drawn == null || modelOfTable != cell.model() || drawn.rows() != cell.rows()) {
      drawn = cell.model().table(cell.rows(), streams);
      table = drawn;
      modelOfTable = cell.model();
    }
    return drawn;
  }

  private Network network(Cell cell, ObjectiveKey data, Objective objective) {
    return networks.computeIfAbsent(
        new NetworkKey(data, cell.network(), cell.weights()),
        key -> {
          Topology topology = Topology.parse(key.network(), cell.clients(), streams);
          return Network.of(
              topology, Weights.parse(key.weights(), topology, objective.shards().rowsArray()));
        });
  }

  /** The log MSE of the pooled estimate, infinite where the data determine none. */
  private static double globalLogMse(PaperModel model, Shards shards) {
    try {
      double[] estimate = GlobalEstimate.of(loss(model), shards).theta();
      double[] truth = model.truth();
      double sum = 0;
      for (int j = 0; j < truth.length; j++) {
        sum += (estimate[j] - truth[j]) * (estimate[j] - truth[j]);
      }
      return Math.log(sum);
    } catch (NoEstimate none) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /** The log MSE at each look; infinite from the look on at which a run has diverged. */
  private void curve(Cell cell, Objective objective, Network network, double[] values, int start) {
    Algorithm.Rounds<?> algorithm =
        Algorithms.of(cell.algorithm(), StepSize.parse(cell.alpha()), network, objective);
    Measure logMse = Measure.logMse(cell.model().truth());
    int point = 0;
    try (Run<?> run = new Simulation(network, objective, streams, 1).start(algorithm)) {
      values[start] = logMse.of(run.theta());
      for (point = 1; point < cell.points(); point++) {
        run.advance(cell.round(point) - cell.round(point - 1));
        values[start + point] = logMse.of(run.theta());
      }
    } catch (Diverged diverged) {
      Arrays.fill(values, start + point, start + cell.points(), Double.POSITIVE_INFINITY);
    }
  }
}
