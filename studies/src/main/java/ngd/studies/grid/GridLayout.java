package ngd.studies.grid;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the numbers of a grid's replicate lie: first the global estimates' log MSE, one for each
 * model, number of rows and loss, then each cell's curve.
 */
public final class GridLayout {
  private record DataKey(String data, int rows, String loss) {
    static DataKey of(Cell cell) {
      return new DataKey(cell.data(), cell.rows(), cell.loss().name());
    }
  }

  private final List<Cell> cells;
  private final Map<DataKey, Integer> globals = new LinkedHashMap<>();
  private final int[] starts;

  public GridLayout(Grid grid) {
    cells = grid.cells();
    for (Cell cell : cells) {
      globals.putIfAbsent(DataKey.of(cell), globals.size());
    }
    starts = new int[cells.size() + 1];
    starts[0] = globals.size();
    for (int c = 0; c < cells.size(); c++) {
      starts[c + 1] = Math.addExact(starts[c], cells.get(c).points());
    }
  }

  public List<Cell> cells() {
    return cells;
  }

  public int width() {
    return starts[cells.size()];
  }

  /** The place of the global estimate that a cell is compared with. */
  public int global(Cell cell) {
    return globals.getOrDefault(DataKey.of(cell), -1);
  }

  /** The place of the first look at cell c. */
  public int start(int c) {
    return starts[c];
  }

  /** The place of the last look at cell c. */
  public int last(int c) {
    return starts[c + 1] - 1;
  }
}
