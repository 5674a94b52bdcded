package ngd.core.answer;

import java.util.ArrayList;
import java.util.List;
import ngd.core.NumberText;
import ngd.core.preparation.SiteRows;
import ngd.core.run.JsonObject;

/**
 * How many rows an answer rests on, and how many were left out for which reason.
 *
 * @param rows used, over all sites
 * @param dropped for missing values, over all sites
 * @param columnsLeftOut the columns that a dot of the formula left out, and why
 * @param sites those of which more is known here: all in a rehearsal, its own at a peer
 */
public record RowsUsed(long rows, long dropped, List<SiteRows> sites, List<String> columnsLeftOut) {
  public RowsUsed {
    sites = List.copyOf(sites);
    columnsLeftOut = List.copyOf(columnsLeftOut);
  }

  /** All rows there were. */
  public static RowsUsed all(long rows) {
    return new RowsUsed(rows, 0, List.of(), List.of());
  }

  /** A sentence for all that was left out, and for what a site should know of its columns. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(columnsLeftOut);
    sites.forEach(site -> notes.addAll(site.notes()));
    notes.addAll(dropped(sites));
    return notes;
  }

  private static List<String> dropped(List<SiteRows> sites) {
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
        .put("columnsLeftOut", columnsLeftOut)
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
