package ngd.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The quartiles over replicates of a grid's curves and global estimates. */
final class Medians {
  private final GridLayout layout;
  private final List<List<Quartiles>> curves = new ArrayList<>();
  private final Results results;

  Medians(GridLayout layout, Results results) {
    this.layout = layout;
    this.results = results;
    for (int c = 0; c < layout.cells().size(); c++) {
      List<Quartiles> curve = new ArrayList<>();
      results.columns(
          layout.start(c),
          layout.cells().get(c).points(),
          (values, point) -> curve.add(Quartiles.of(values)));
      curves.add(List.copyOf(curve));
    }
  }

  int replicates() {
    return results.replicates();
  }

  List<Cell> cells() {
    return layout.cells();
  }

  List<Cell> cells(Predicate<Cell> which) {
    return cells().stream().filter(which).toList();
  }

  List<Quartiles> curve(Cell cell) {
    return curves.get(cells().indexOf(cell));
  }

  /** The quartiles after the last round. */
  Quartiles last(Cell cell) {
    return curve(cell).getLast();
  }

  Quartiles global(Cell cell) {
    return Quartiles.of(results.column(layout.global(cell)));
  }

  /**
   * The first look from which on the median stays within {@code near} of its last value, in rounds:
   * how long a curve takes.
   */
  int settled(Cell cell, double near) {
    List<Quartiles> curve = curve(cell);
    double end = curve.getLast().median();
    int point = curve.size() - 1;
    while (point > 0 && Math.abs(curve.get(point - 1).median() - end) <= near) {
      point--;
    }
    return cell.round(point);
  }

  /** How much the median still moved over the last tenth of the rounds. */
  double lateMove(Cell cell) {
    List<Quartiles> curve = curve(cell);
    int before = curve.size() - 1 - Math.max(1, curve.size() / 10);
    return Math.abs(curve.getLast().median() - curve.get(Math.max(0, before)).median());
  }
}
