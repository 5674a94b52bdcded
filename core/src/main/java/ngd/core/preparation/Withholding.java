package ngd.core.preparation;

import java.util.Map;
import java.util.Set;

/**
 * What a site leaves out of a description since, with what it answered before, it would show too
 * few rows.
 *
 * @param columns of which it says nothing
 * @param quantiles the columns whose quantiles it leaves out: counts in bins, less those of an
 *     earlier description over other rows, would show the values of the rows between them
 * @param bins what it makes of bins, which are known when mean and deviation of all sites are
 * @param tables of which it says nothing, by their names
 */
public record Withholding(
    Set<String> columns, Set<String> quantiles, Bins bins, Set<String> tables) {
  /** Everything is told. */
  public static final Withholding NONE = new Withholding(Set.of(), Set.of());

  /** Says of which columns a site counted in other bins before. */
  @FunctionalInterface
  public interface Bins {
    /**
     * @param layouts of the bins that it is about to count in, by column
     */
    Set<String> otherwise(Map<String, String> layouts);
  }

  public Withholding {
    columns = Set.copyOf(columns);
    quantiles = Set.copyOf(quantiles);
    tables = Set.copyOf(tables);
  }

  public Withholding(Set<String> columns, Set<String> quantiles) {
    this(columns, quantiles, _ -> Set.of());
  }

  public Withholding(Set<String> columns, Set<String> quantiles, Bins bins) {
    this(columns, quantiles, bins, Set.of());
  }
}
