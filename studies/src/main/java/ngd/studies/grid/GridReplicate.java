package ngd.studies.grid;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import ngd.core.algorithm.Algorithm;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.fit.FitSetup;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.model.Objective;
import ngd.core.network.Activation;
import ngd.core.network.LinkFailures;
import ngd.core.network.NamedNetwork;
import ngd.core.network.NetworkSchedule;
import ngd.core.question.ClientKeys;
import ngd.core.question.MethodKeys;
import ngd.core.random.Streams;
import ngd.core.simulation.Measure;
import ngd.core.simulation.SimulatedRun;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trust;
import ngd.core.world.Diverged;
import ngd.core.world.Suitability;
import org.jspecify.annotations.Nullable;

/**
 * One replicate of a grid: all its cells on common random numbers. Data are drawn once for a model
 * and a number of rows, arranged once for all networks, and each network is drawn once for all step
 * sizes, so that cells differ in nothing but what the grid varies.
 */
final class GridReplicate {
  private record DataKey(String data, int rows) {
    static DataKey of(Cell cell) {
      return new DataKey(cell.data(), cell.rows());
    }
  }

  private record ObjectiveKey(DataKey data, int clients, Arrangement arrangement, String loss) {
    static ObjectiveKey of(Cell cell) {
      return new ObjectiveKey(
          DataKey.of(cell), cell.clients(), cell.arrangement(), cell.loss().name());
    }
  }

  private record NetworkKey(
      String network,
      String weights,
      Optional<LinkFailures> failures,
      Optional<Activation> activation) {
    static NetworkKey of(Cell cell) {
      return new NetworkKey(
          cell.network(),
          cell.weights(),
          cell.question().find(MethodKeys.LINK_FAILURES),
          cell.question().find(MethodKeys.ACTIVATION));
    }
  }

  private final GridLayout layout;
  private final Streams streams;
  private @Nullable Table table;
  private double[] target = {};
  private @Nullable DataKey drawn;
  private final Map<NetworkKey, NetworkSchedule> networks = new LinkedHashMap<>();

  private GridReplicate(GridLayout layout, Streams streams) {
    this.layout = layout;
    this.streams = streams;
  }

  static double[] of(GridLayout layout, Streams streams) {
    return new GridReplicate(layout, streams).values();
  }

  private double[] values() {
    double[] values = new double[layout.width()];
    Arrays.fill(values, Double.NaN);
    ObjectiveKey last = null;
    Objective objective = null;
    for (int c = 0; c < layout.cells().size(); c++) {
      Cell cell = layout.cells().get(c);
      ObjectiveKey key = ObjectiveKey.of(cell);
      // Cells that share data stand together, so one objective is held at a time.
      if (objective == null || !key.equals(last)) {
        objective = objective(cell);
        last = key;
        networks.clear();
        int global = layout.global(cell);
        if (Double.isNaN(values[global]) && cell.simulated().isPresent()) {
          values[global] = globalLogMse(cell, objective.shards());
        }
      }
      curve(cell, objective, values, layout.start(c));
    }
    return values;
  }

  /** What each client minimises; sets what its curves are compared with. */
  private Objective objective(Cell cell) {
    if (cell.simulated().isPresent()) {
      target = cell.model().truth();
      return cell.loss().over(shards(cell));
    }
    FitSetup setup = OwnData.setup(cell.question(), streams);
    target = OwnData.estimate(setup);
    return setup.loss().over(setup.sample().shards());
  }

  private Shards shards(Cell cell) {
    Table rows = table(cell);
    return cell.arrangement()
        .partition()
        .assign(rows, OptionalInt.of(cell.clients()), cell.arrangement().placement(), streams)
        .shards(rows);
  }

  private Table table(Cell cell) {
    Table known = table;
    if (known == null || !DataKey.of(cell).equals(drawn)) {
      known = cell.model().table(cell.rows(), streams);
      table = known;
      drawn = DataKey.of(cell);
    }
    return known;
  }

  private NetworkSchedule network(Cell cell, Objective objective) {
    return networks.computeIfAbsent(
        NetworkKey.of(cell), _ -> network(cell, objective.shards().rowsArray(), streams));
  }

  /**
   * W of a cell, by round, drawn where it is random.
   *
   * @param sizes the rows of each client, by which some rules weigh
   */
  static NetworkSchedule network(Cell cell, int[] sizes, Streams streams) {
    return NamedNetwork.of(cell.topology(streams), ClientKeys.weights(cell.question()), sizes)
        .with(whole -> MethodKeys.impaired(cell.question(), whole, streams))
        .schedule();
  }

  /** The log MSE of the pooled estimate, infinite where the data determine none. */
  private static double globalLogMse(Cell cell, Shards shards) {
    try {
      // Of events in time all rows are compared, as no client has a baseline of its own.
      PaperModel model = cell.model();
      double[] estimate =
          GlobalEstimate.of(cell.loss(), model.timed() ? shards.asOne() : shards).theta();
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
  private void curve(Cell cell, Objective objective, double[] values, int start) {
    NetworkSchedule network = network(cell, objective);
    Trust trust = MethodKeys.trust(cell.question());
    Suitability suitability = new Suitability(network, objective.loss(), trust.mixing());
    suitability.require(cell.choice());
    Algorithm<?> algorithm =
        cell.choice()
            .algorithm(
                suitability.scales(cell.choice().descriptor(), objective.shards().rowsArray()),
                objective.loss() instanceof Linear,
                suitability.limit(cell.choice()));
    Measure logMse = Measure.logMse(target);
    int point = 0;
    Simulation simulation = new Simulation(network, objective, streams, 1).with(trust);
    try (SimulatedRun run = simulation.begin(algorithm, MethodKeys.impairments(cell.question()))) {
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
