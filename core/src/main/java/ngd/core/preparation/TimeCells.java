package ngd.core.preparation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import ngd.core.NumberText;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.formula.RiskTime;
import ngd.core.model.TimeGrid;

/**
 * How many of one site's rows leave, and enter, between two times of a grid, in each stratum; by
 * pairs also how many have an event of each kind, and jointly how many have none, and all of it in
 * each class of the covariates that have few values. The sums over risk sets at neighbouring times
 * differ by sums over these rows.
 */
final class TimeCells {
  private static final double LEAVING = -1;
  private static final double ENTERING = -2;

  private final TimeGrid grid;
  private final DisclosureRules rules;

  private final List<String> fewEntering = new ArrayList<>();

  /** Of each class by events, its rows whatever their times. */
  private final Map<Cell, Long> totals = new TreeMap<>();

  /** For each class, its rows in the intervals up to each, none before the first. */
  private final Map<Cell, long[]> upTo = new TreeMap<>();

  /**
   * A class of rows.
   *
   * @param kind the event, 0 for none; or {@link #LEAVING} or {@link #ENTERING}
   * @param column of the covariate, −1 for all rows
   */
  private record Cell(int stratum, double kind, int column, double value)
      implements Comparable<Cell> {
    @Override
    public int compareTo(Cell other) {
      int order = Integer.compare(column, other.column);
      order = order == 0 ? Integer.compare(stratum, other.stratum) : order;
      order = order == 0 ? Double.compare(other.kind, kind) : order;
      return order == 0 ? Double.compare(value, other.value) : order;
    }
  }

  /**
   * Counts the rows of a shard.
   *
   * @param one has this shard alone
   */
  TimeCells(Shards one, TimeGrid grid, DisclosureRules rules) {
    this.grid = grid;
    this.rules = rules;
    Shard shard = grid.of(one).shard(0);
    Shard ungridded = one.shard(0);
    List<Integer> classed = classed(shard);
    for (int i = 0; i < shard.rows(); i++) {
      RiskTime time = shard.time(i);
      count(shard, i, time.stop(), LEAVING, classed);
      total(ungridded, i, ungridded.y(i), classed);
      if (rules.cells() == DisclosureRules.Cells.JOINT
          || (rules.cells() != DisclosureRules.Cells.SINGLE && shard.y(i) > 0)) {
        count(shard, i, time.stop(), shard.y(i), classed);
      }
      if (time.start() > 0) {
        count(shard, i, time.start(), ENTERING, classed);
      }
    }
    upTo.forEach(
        (cell, counts) -> {
          if (cell.kind() == ENTERING && cell.column() < 0 && !rules.allows(sum(counts))) {
            fewEntering.add(
                "%s late%s; none or at least %d must (nfilter.tab), as the rows at risk show them"
                    .formatted(
                        sum(counts) == 1 ? "1 row starts" : sum(counts) + " rows start",
                        stratum(cell),
                        rules.tab()));
          }
        });
    // Classes that are too small whatever the times are no matter of the grid; events after its
    // last time, which do not count, may leave too few of a class that is large enough.
    upTo.entrySet()
        .removeIf(
            entry ->
                !rules.allows(sum(entry.getValue()))
                    && !rules.allows(totals.getOrDefault(entry.getKey(), sum(entry.getValue()))));
    upTo.values()
        .forEach(
            counts -> {
              for (int k = 1; k < counts.length; k++) {
                counts[k] += counts[k - 1];
              }
            });
  }

  private static long sum(long[] counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  /** The covariates that put rows into classes. */
  private List<Integer> classed(Shard shard) {
    List<Integer> classed = new ArrayList<>();
    for (int j = 0; j < shard.features() && rules.cells() == DisclosureRules.Cells.JOINT; j++) {
      TreeSet<Double> values = new TreeSet<>();
      for (int i = 0; i < shard.rows() && values.size() <= RowClasses.FEW_VALUES; i++) {
        values.add(shard.x(i, j) + 0.0);
      }
      if (values.size() <= RowClasses.FEW_VALUES) {
        classed.add(j);
      }
    }
    return classed;
  }

  private void count(Shard shard, int row, double time, double kind, List<Integer> classed) {
    int stratum = shard.time(row).stratum();
    int interval = grid.at(time);
    count(new Cell(stratum, kind, -1, 0), interval);
    classed.forEach(j -> count(new Cell(stratum, kind, j, shard.x(row, j) + 0.0), interval));
  }

  private void total(Shard shard, int row, double kind, List<Integer> classed) {
    int stratum = shard.time(row).stratum();
    totals.merge(new Cell(stratum, kind, -1, 0), 1L, Long::sum);
    classed.forEach(
        j -> totals.merge(new Cell(stratum, kind, j, shard.x(row, j) + 0.0), 1L, Long::sum));
  }

  private void count(Cell cell, int interval) {
    upTo.computeIfAbsent(cell, _ -> new long[grid.times().size() + 1])[interval + 1]++;
  }

  /** Why no grid would do: rows that start late, of which there are too few in all. */
  List<String> fewEntering() {
    return List.copyOf(fewEntering);
  }

  private String stratum(Cell cell) {
    String stratum = grid.strata().get(cell.stratum());
    return stratum.isEmpty() ? "" : ", stratum " + stratum;
  }

  /** Whether there are any rows in the intervals after {@code from} up to {@code to}. */
  boolean any(int from, int to) {
    return upTo.values().stream().anyMatch(counts -> counts[to] > counts[from]);
  }

  /** Why the intervals after {@code from} up to {@code to} may not be one, if they may not. */
  Optional<String> objection(int from, int to) {
    for (Map.Entry<Cell, long[]> entry : upTo.entrySet()) {
      long count = entry.getValue()[to] - entry.getValue()[from];
      if (!rules.allows(count)) {
        return Optional.of(words(entry.getKey(), count, from, to));
      }
    }
    return Optional.empty();
  }

  private String words(Cell cell, long count, int from, int to) {
    return "%s %s between the times %s and %s%s%s; an interval must have none or at least %d of a class (nfilter.tab); take fewer times"
        .formatted(
            NumberText.count(count, "row"),
            cell.kind() == ENTERING
                ? "entering"
                : cell.kind() == LEAVING
                    ? "leaving"
                    : cell.kind() == 0 ? "without an event" : "with an event",
            NumberText.text(from == 0 ? 0 : grid.times().get(from - 1)),
            NumberText.text(grid.times().get(to - 1)),
            cell.column() < 0 ? "" : " in a class of a covariate",
            stratum(cell),
            rules.tab());
  }
}
