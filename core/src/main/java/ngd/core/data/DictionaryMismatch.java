package ngd.core.data;

import java.util.List;
import ngd.core.InvalidInput;

/** A site's table that does not hold what the dictionary says. */
public final class DictionaryMismatch extends InvalidInput {
  private static final long serialVersionUID = 1;

  private final String known;

  /**
   * @param found a sentence for each column, for the site's own people
   * @param known the same for others: nothing of the rows
   */
  DictionaryMismatch(String site, List<String> found, List<String> known) {
    super(
        String.join("\n", found.stream().map(one -> "site %s: %s".formatted(site, one)).toList()));
    this.known = String.join("; ", known);
  }

  /** What others may know of it. */
  public String known() {
    return known;
  }
}
