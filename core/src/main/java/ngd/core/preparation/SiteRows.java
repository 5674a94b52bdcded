package ngd.core.preparation;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many rows one site has.
 *
 * @param complete in which nothing that the formula uses is missing
 * @param dropped in which something is
 * @param missing for each expression in which anything is missing, in how many rows it is
 * @param notes what the site should know of its own columns; no other site is told
 */
public record SiteRows(
    String site, long complete, long dropped, Map<String, Long> missing, List<String> notes) {
  public SiteRows {
    notes = List.copyOf(notes);
  }

  /** Rows of which nothing else is to be said. */
  public SiteRows(String site, long complete, long dropped, Map<String, Long> missing) {
    this(site, complete, dropped, missing, List.of());
  }

  /** What is missing in how many rows, in words. */
  public String counted() {
    return missing.entrySet().stream()
        .map(
            e ->
                "%s in %d %s"
                    .formatted(e.getKey(), e.getValue(), e.getValue() == 1 ? "row" : "rows"))
        .collect(Collectors.joining(", "));
  }
}
