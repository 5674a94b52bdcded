package ngd.studies.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import ngd.studies.report.Quartiles;
import ngd.studies.store.Results;

/** The quartiles over replicates of a grid's curves and global estimates. */
public final class Medians {
  private final GridLayout layout;
  private final List<List<Quartiles>> curves = new ArrayList<>();
  private final Results results;

  public Medians(GridLayout layout, Results results) {
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

  public int replicates() {
    return results.replicates();
  }

  public List<Cell> cells() {
    return layout.cells();
  }

  public List<Cell> cells(Predicate<Cell> which) {
    return cells().stream().filter(which).toList();
  }

  public List<Quartiles> curve(Cell cell) {
    return curves.get(cells().indexOf(cell));
  }

  /** The quartiles after the last round. */
  public Quartiles last(Cell cell) {
    return curve(cell).getLast();
  }

  public Quartiles global(Cell cell) {
    return Quartiles.of(results.column(layout.global(cell)));
  }

  /**
   * The first look from which on the median stays within {@code near} of its last value, in rounds:
   * how long a curve takes.
   */
  public int settled(Cell cell, double near) {
    List<Quartiles> curve = curve(cell);
    double end = curve.getLast().median();
    int point = curve.size() - 1;
    while (point > 0 && Math.abs(curve.get(point - 1).median() - end) <= near) {
      point--;
    }
    return cell.round(point);
  }

  /** How much the median still moved over the last tenth of the rounds. */
  public double lateMove(Cell cell) {
    List<Quartiles> curve = curve(cell);
    int before = curve.size() - 1 - Math.max(1, curve.size() / 10);
    return Math.abs(curve.getLast().median() - curve.get(Math.max(0, before)).median());
  }
}
