package ngd.studies;

import java.util.Map;
import ngd.core.random.Streams;

/**
 * A study of all combinations on a grid, each replicate on common random numbers.
 *
 * @param title the heading in the report
 */
public record GridStudy(
    String name, String title, Grid grid, Presentation presentation, int defaultReplicates)
    implements Study {

  /** What is made of the curves. */
  public enum Presentation {
    /** Medians over iterations: the paper's figures 2 to 4. */
    CURVES,
    /** The same for a user's grid, whose table names every axis. */
    OWN,
    /** The last log MSE of every replicate over the networks' degrees: the paper's figure 5. */
    DEGREES,
    /** The last medians, arrangements side by side. */
    PLACEMENTS
  }

  @Override
  public Map<String, Object> settings() {
    return grid.settings();
  }

  @Override
  public int width() {
    return layout().width();
  }

  GridLayout layout() {
    return new GridLayout(grid);
  }

  @Override
  public long rounds() {
    return grid.cells().stream().mapToLong(Cell::rounds).sum();
  }

  /** In microseconds, about: a linear round costs by clients, any other by rows. */
  @Override
  public double cost() {
    return grid.cells().stream()
        .mapToDouble(
            cell ->
                cell.rounds()
                    * switch (cell.model()) {
                      case LINEAR -> 0.02 * cell.clients();
                      case LOGISTIC -> 0.003 * cell.rows();
                      case POISSON -> 0.0038 * cell.rows();
                    })
        .sum();
  }

  @Override
  public double[] replicate(Streams streams) {
    return GridReplicate.of(layout(), streams);
  }

  @Override
  public Section report(Results results, Output output) {
    return switch (presentation) {
      case CURVES, OWN -> new CurvesReport(this, results).write(output);
      case DEGREES -> new DegreesReport(this, results).write(output);
      case PLACEMENTS -> new PlacementsReport(this, results).write(output);
    };
  }
}
