package ngd.core.preparation;

import java.util.Set;

/**
 * What a site leaves out of a description since, with what it answered before, it would show too
 * few rows.
 *
 * @param columns of which it says nothing
 * @param quantiles the columns whose quantiles it leaves out: counts in bins, less those of an
 *     earlier description over other rows, would show the values of the rows between them
 */
public record Withholding(Set<String> columns, Set<String> quantiles) {
  /** Everything is told. */
  public static final Withholding NONE = new Withholding(Set.of(), Set.of());

  public Withholding {
    columns = Set.copyOf(columns);
    quantiles = Set.copyOf(quantiles);
  }
}
