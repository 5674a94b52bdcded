package ngd.studies.grid;

import java.util.ArrayList;
import java.util.List;
import ngd.core.question.Key;
import ngd.studies.report.Output;
import ngd.studies.store.Results;

/**
 * Every replicate's curves as one table: what a cell is asked, the replicate, the iteration and the
 * log(MSE) there, infinite where the run has diverged.
 */
final class ReplicateTable {
  private ReplicateTable() {}

  /** Writes {@code NAME-replicates.csv}. */
  static void write(String name, GridLayout layout, Results results, Output output) {
    List<Cell> cells = layout.cells();
    List<Key<?>> said =
        GridKeys.ALL.stream()
            .filter(key -> !CurveLabels.STEPS.subList(1, CurveLabels.STEPS.size()).contains(key))
            .filter(key -> cells.stream().anyMatch(cell -> !cell.word(key).isEmpty()))
            .toList();
    List<String> header = new ArrayList<>(said.stream().map(Key::name).toList());
    header.addAll(List.of("replicate", "iteration", "log_mse"));
    output.csv(
        name + "-replicates.csv",
        header,
        rows -> {
          for (int c = 0; c < cells.size(); c++) {
            add(cells.get(c), layout.start(c), said, results, rows);
          }
        });
  }

  private static void add(
      Cell cell, int start, List<Key<?>> said, Results results, Output.Rows rows) {
    List<String> words = said.stream().map(cell::word).toList();
    double[] curve = new double[cell.points()];
    for (int r = 0; r < results.replicates(); r++) {
      results.store().read(r, start, curve, 0, curve.length);
      for (int point = 0; point < curve.length; point++) {
        List<String> row = new ArrayList<>(words);
        row.add(Integer.toString(r));
        row.add(Integer.toString(cell.round(point)));
        row.add(Double.toString(curve[point]));
        rows.add(row);
      }
    }
  }
}
