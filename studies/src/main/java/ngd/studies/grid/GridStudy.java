package ngd.studies.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import ngd.core.NumberText;
import ngd.core.Problems;
import ngd.core.random.Streams;
import ngd.studies.ReplicatedStudy;
import ngd.studies.Workplace;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * A study of all combinations on a grid, each replicate on common random numbers.
 *
 * @param title the heading in the report
 */
public record GridStudy(
    String name, String title, Grid grid, Presentation presentation, int defaultReplicates)
    implements ReplicatedStudy {

  /** A user's grid says nothing of the paper, and names its own methods. */
  @Override
  public List<String> opening() {
    if (!presentation.own()) {
      return ReplicatedStudy.super.opening();
    }
    List<String> methods =
        grid.cells().stream()
            .map(cell -> cell.choice().descriptor())
            .distinct()
            .map(one -> "%s: %s".formatted(one.name(), one.summary()))
            .toList();
    List<String> opening = new ArrayList<>();
    opening.add(
        "%s. The figures show the natural logarithm of the mean squared error over clients, MSE = ‖θ* − θ0*‖²/M, against %s."
            .formatted(
                String.join("; ", methods),
                grid.cells().stream().allMatch(cell -> cell.simulated().isPresent())
                    ? "the true parameter"
                    : "the estimate from the pooled data, as the true parameter of own data is not known"));
    grid.notes().forEach(note -> opening.add(note + "."));
    return opening;
  }

  @Override
  public Map<String, Object> settings() {
    return GridSettings.of(grid.cells());
  }

  @Override
  public void check(Workplace place, Problems problems) {
    new GridCheck(grid.cells(), place.seed(), replicates(place)).check(problems);
  }

  @Override
  public List<String> notes() {
    return grid.notes();
  }

  /** In how many cells runs diverged, with the first of them. */
  @Override
  public List<String> warnings(Results results) {
    GridLayout layout = layout();
    CurveLabels labels = new CurveLabels(layout.cells());
    List<String> lost = new ArrayList<>();
    for (int c = 0; c < layout.cells().size(); c++) {
      double[] ends = results.column(layout.last(c));
      long diverged = DoubleStream.of(ends).filter(end -> end == Double.POSITIVE_INFINITY).count();
      if (diverged > 0) {
        lost.add(
            "%s (%d of %s)"
                .formatted(
                    title(layout.cells().get(c), labels),
                    diverged,
                    NumberText.count(ends.length, "replicate")));
      }
    }
    if (lost.isEmpty()) {
      return List.of();
    }
    return List.of(
        "runs diverged in %d of %s: %s%s"
            .formatted(
                lost.size(),
                NumberText.count(layout.cells().size(), "cell"),
                lost.getFirst(),
                lost.size() > 1 ? ", …" : ""));
  }

  private static String title(Cell cell, CurveLabels labels) {
    return "%s, %s, α = %s".formatted(cell.arrangement().title(), labels.named(cell), cell.alpha());
  }

  @Override
  public int width() {
    return layout().width();
  }

  public GridLayout layout() {
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
                    * cell.simulated()
                        .map(
                            model ->
                                switch (model) {
                                  case LINEAR -> 0.02 * cell.clients();
                                  case LOGISTIC -> 0.003 * cell.rows();
                                  case POISSON -> 0.0038 * cell.rows();
                                  case SURVIVAL -> 0.03 * cell.rows();
                                })
                        .orElse(0.004 * cell.rows()))
        .sum();
  }

  @Override
  public double[] replicate(Streams streams) {
    return GridReplicate.of(layout(), streams);
  }

  @Override
  public boolean replicateTable(Results results, Output output) {
    ReplicateTable.write(name, layout(), results, output);
    return true;
  }

  @Override
  public Section report(Results results, Output output) {
    return presentation.of(this, results, output);
  }
}
