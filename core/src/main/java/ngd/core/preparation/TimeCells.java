package ngd.core.preparation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import ngd.core.NumberText;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.data.TimeChange;
import ngd.core.formula.RiskTime;
import ngd.core.model.TimeGrid;

/**
 * How many of one site's rows leave, and enter, between two times of a grid, in each stratum; by
 * pairs also how many have an event of each kind, combined how many have none, and jointly all of
 * it in each class of the covariates that have few values. The sums over risk sets at neighbouring
 * times differ by sums over these rows.
 */
final class TimeCells {
  private static final double LEAVING = -1;
  private static final double ENTERING = -2;

  /** Stands for the weights in the place of a covariate. */
  private static final int WEIGHTS = -2;

  private final TimeGrid grid;
  private final DisclosureRules rules;

  private final List<String> fewEntering = new ArrayList<>();

  /** Of each stratum and kind, the rows whose event comes after the last time. */
  private final Map<Cell, Long> late = new TreeMap<>();

  /** Of each class by events, its rows whatever their times. */
  private final Map<Cell, Long> totals = new TreeMap<>();

  /** For each class, its rows in the intervals up to each, none before the first. */
  private final Map<Cell, long[]> upTo = new TreeMap<>();

  /**
   * A class of rows.
   *
   * @param kind the event, 0 for none; or {@link #LEAVING} or {@link #ENTERING}
   * @param column of the covariate, −1 for all rows, {@link #WEIGHTS} for the weights
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
    List<Integer> classed = classed(one, rules);
    TimeChange change = grid.change();
    one.forEach(
        0,
        (shard, _) -> {
          for (int i = 0; i < shard.rows(); i++) {
            if (shard.weight(i) == 0) {
              continue;
            }
            RiskTime time = shard.time(i);
            total(shard, i, shard.y(i), classed);
            if (time.stop() > grid.last() && shard.y(i) > 0 && rules.cells().addsUp()) {
              late.merge(new Cell(time.stratum(), shard.y(i), -1, 0), 1L, Long::sum);
            }
            each(shard, i, change, grid, classed, rules.cells(), this::count);
          }
        });
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

  /**
   * The covariates that put rows into classes. Weights of few values always do: sums of them, less
   * counts, are counts of the rows that have one of them.
   */
  private static List<Integer> classed(Shards one, DisclosureRules rules) {
    List<Integer> asked = new ArrayList<>(List.of(WEIGHTS));
    for (int j = 0; j < one.features() && rules.cells() == DisclosureRules.Cells.JOINT; j++) {
      asked.add(j);
    }
    Map<Integer, Set<Double>> values = new TreeMap<>();
    asked.forEach(column -> values.put(column, new HashSet<>()));
    one.forEach(0, (shard, _) -> values.forEach((column, seen) -> see(shard, column, seen)));
    // One weight for all rows makes no classes.
    return asked.stream()
        .filter(column -> column != WEIGHTS || values.get(column).size() > 1)
        .filter(column -> values.get(column).size() <= RowClasses.FEW_VALUES)
        .toList();
  }

  /** Adds the values of rows that count, no further than it takes to call them many. */
  private static void see(Shard shard, int column, Set<Double> seen) {
    for (int i = 0; i < shard.rows() && seen.size() <= RowClasses.FEW_VALUES; i++) {
      if (shard.weight(i) > 0) {
        seen.add(value(shard, i, column));
      }
    }
  }

  private static double value(Shard shard, int row, int column) {
    return column == WEIGHTS ? shard.weight(row) : shard.x(row, column) + 0.0;
  }

  /** Takes the cells of a row, each with its interval. */
  @FunctionalInterface
  private interface CellTaker {
    void take(Cell cell, int interval);
  }

  private static void each(
      Shard shard,
      int row,
      TimeChange change,
      TimeGrid grid,
      List<Integer> classed,
      DisclosureRules.Cells counted,
      CellTaker taker) {
    RiskTime time = change.time(shard.time(row));
    double event = change.event(shard.time(row), shard.y(row));
    int stop = grid.at(time.stop());
    of(shard, row, time, LEAVING, stop, classed, taker);
    if (counted.addsUp() || (counted != DisclosureRules.Cells.SINGLE && event > 0)) {
      of(shard, row, time, event, stop, classed, taker);
    }
    if (time.start() > 0) {
      of(shard, row, time, ENTERING, grid.at(time.start()), classed, taker);
    }
  }

  private static void of(
      Shard shard,
      int row,
      RiskTime time,
      double kind,
      int interval,
      List<Integer> classed,
      CellTaker taker) {
    taker.take(new Cell(time.stratum(), kind, -1, 0), interval);
    for (int j : classed) {
      taker.take(new Cell(time.stratum(), kind, j, value(shard, row, j)), interval);
    }
  }

  /**
   * The rows of every cell that is followed in sums and differences.
   *
   * @param one has this shard alone
   */
  static List<RowSet> followed(Shards one, TimeGrid grid, DisclosureRules rules) {
    List<Integer> classed = classed(one, rules);
    TimeChange change = grid.change();
    Map<Cell, Map<Integer, RowSet.Filler>> sets = new TreeMap<>();
    DisclosureRules.Cells followed = rules.cells().followed();
    one.forEach(
        0,
        (shard, first) -> {
          for (int i = 0; i < shard.rows(); i++) {
            int row = first + i;
            if (shard.weight(i) == 0) {
              continue;
            }
            each(
                shard,
                i,
                change,
                grid,
                classed,
                followed,
                (cell, interval) -> {
                  // Others add up to these.
                  if (cell.kind() != LEAVING || !followed.addsUp()) {
                    sets.computeIfAbsent(cell, _ -> new TreeMap<>())
                        .computeIfAbsent(interval, _ -> new RowSet.Filler())
                        .add(row);
                  }
                });
          }
        });
    return sets.values().stream()
        .flatMap(of -> of.values().stream())
        .map(RowSet.Filler::done)
        .toList();
  }

  private void total(Shard shard, int row, double kind, List<Integer> classed) {
    int stratum = shard.time(row).stratum();
    totals.merge(new Cell(stratum, kind, -1, 0), 1L, Long::sum);
    classed.forEach(
        j -> totals.merge(new Cell(stratum, kind, j, value(shard, row, j)), 1L, Long::sum));
  }

  private void count(Cell cell, int interval) {
    upTo.computeIfAbsent(cell, _ -> new long[grid.times().size() + 1])[interval + 1]++;
  }

  /** Why the last time is not one: too few rows have an event later. */
  List<String> fewLate() {
    return late.entrySet().stream()
        .filter(entry -> !rules.allows(entry.getValue()))
        .map(
            entry ->
                "%s with an event after the last time, %s%s; none or at least %d must have one (nfilter.tab); take another last time"
                    .formatted(
                        NumberText.count(entry.getValue(), "row"),
                        NumberText.text(grid.last()),
                        stratum(entry.getKey()),
                        rules.tab()))
        .toList();
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
            cell.column() == WEIGHTS
                ? " of one weight"
                : cell.column() < 0 ? "" : " in a class of a covariate",
            stratum(cell),
            rules.tab());
  }
}
