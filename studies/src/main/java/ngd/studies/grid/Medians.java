package ngd.studies.grid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import ngd.core.simulation.Quartiles;
import ngd.studies.store.Results;

/** The quartiles over replicates of a grid's curves and global estimates. */
public final class Medians {
  private final List<Cell> cells;
  private final Map<Cell, List<Quartiles>> curves = new LinkedHashMap<>();
  private final Map<Cell, Quartiles> globals = new LinkedHashMap<>();
  private final int replicates;

  /**
   * Medians that are known.
   *
   * @param curves a cell's quartiles at each look
   * @param globals those of the global estimate that a cell is compared with
   */
  public Medians(
      List<Cell> cells,
      Function<Cell, List<Quartiles>> curves,
      Function<Cell, Quartiles> globals,
      int replicates) {
    this.cells = List.copyOf(cells);
    this.replicates = replicates;
    for (Cell cell : cells) {
      this.curves.put(cell, List.copyOf(curves.apply(cell)));
      this.globals.put(cell, globals.apply(cell));
    }
  }

  /** Those of stored replicates. */
  public static Medians of(GridLayout layout, Results results) {
    Map<Cell, Integer> starts = new LinkedHashMap<>();
    for (int c = 0; c < layout.cells().size(); c++) {
      starts.put(layout.cells().get(c), layout.start(c));
    }
    Map<Integer, Quartiles> globals = new LinkedHashMap<>();
    return new Medians(
        layout.cells(),
        cell -> {
          List<Quartiles> curve = new ArrayList<>();
          results.columns(
              Objects.requireNonNull(starts.get(cell)),
              cell.points(),
              (values, point) -> curve.add(Quartiles.of(values)));
          return curve;
        },
        cell ->
            globals.computeIfAbsent(
                layout.global(cell), place -> Quartiles.of(results.column(place))),
        results.replicates());
  }

  public int replicates() {
    return replicates;
  }

  public List<Cell> cells() {
    return cells;
  }

  public List<Cell> cells(Predicate<Cell> which) {
    return cells.stream().filter(which).toList();
  }

  /** The quartiles at each look. */
  public List<Quartiles> curve(Cell cell) {
    return Objects.requireNonNull(curves.get(cell), "a cell of another grid");
  }

  /** The quartiles after the last round. */
  public Quartiles last(Cell cell) {
    return curve(cell).getLast();
  }

  /** The quartiles of the global estimate that a cell is compared with. */
  public Quartiles global(Cell cell) {
    return Objects.requireNonNull(globals.get(cell), "a cell of another grid");
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
