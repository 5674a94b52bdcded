package ngd.core.preparation;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.core.formula.ColumnType;

/** What is said of one variable, of all sites together or of one. */
public sealed interface Summary {
  String column();

  /** The site, or nothing where it is all of them. */
  Optional<String> site();

  /** The rows in which it has a value. */
  long n();

  long missing();

  /**
   * A variable of numbers, or of dates or times as numbers.
   *
   * @param mean and standard deviation; NaN where there are too few values
   * @param quantiles at {@link Description#SHARES}, each at most {@code quantileError} from a value
   *     of which that share is no larger
   * @param minimum and maximum: single values, reported only on request
   */
  record OfNumbers(
      String column,
      ColumnType type,
      Optional<String> site,
      long n,
      long missing,
      double mean,
      double standardDeviation,
      List<Double> quantiles,
      double quantileError,
      OptionalDouble minimum,
      OptionalDouble maximum)
      implements Summary {}

  /**
   * A variable of levels, each with the rows that have it.
   *
   * @param counts where some are withheld, lower bounds
   * @param withheld rows of levels that have too few rows at a site, and of those that would give
   *     their number away
   */
  record OfLevels(
      String column,
      Optional<String> site,
      long n,
      long missing,
      SequencedMap<String, Long> counts,
      long withheld)
      implements Summary {}

  /** A variable of which no more is said, and why. */
  record Withheld(String column, Optional<String> site, long n, long missing, String reason)
      implements Summary {}
}
