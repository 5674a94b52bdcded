package ngd.core.answer;

import java.util.List;
import ngd.core.NumberText;
import ngd.core.preparation.SiteRows;
import ngd.core.run.JsonObject;

/**
 * How many rows an answer rests on, and how many were left out for which reason.
 *
 * @param rows used, over all sites
 * @param dropped for missing values, over all sites
 * @param sites those of which more is known here: all in a rehearsal, its own at a peer
 */
public record RowsUsed(long rows, long dropped, List<SiteRows> sites) {
  public RowsUsed {
    sites = List.copyOf(sites);
  }

  /** All rows there were. */
  public static RowsUsed all(long rows) {
    return new RowsUsed(rows, 0, List.of());
  }

  /** A sentence for each place where rows were left out. */
  public List<String> notes() {
    return sites.stream()
        .filter(site -> site.dropped() > 0)
        .map(
            site ->
                "%s: %d of %s dropped; missing: %s"
                    .formatted(
                        site.site(),
                        site.dropped(),
                        NumberText.count(site.complete() + site.dropped(), "row"),
                        site.counted()))
        .toList();
  }

  /** Adds what every answer says of its rows. */
  JsonObject describe(JsonObject json) {
    return json.put("rows", rows)
        .put("rowsDropped", dropped)
        .put(
            "rowsBySite",
            sites.stream()
                .map(
                    site -> {
                      JsonObject missing = new JsonObject();
                      site.missing().forEach(missing::put);
                      return new JsonObject()
                          .put("site", site.site())
                          .put("rows", site.complete())
                          .put("dropped", site.dropped())
                          .put("missing", missing);
                    })
                .toList());
  }
}
