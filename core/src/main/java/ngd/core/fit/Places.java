package ngd.core.fit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.Problems;
import ngd.core.data.DatabaseUrl;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.question.DataKeys;
import ngd.core.question.Question;
import org.jspecify.annotations.Nullable;

/** The places of a question's data: one table, or a table a site. */
public final class Places {
  private Places() {}

  /** The tables' addresses in the order of the clients; problems say what is wrong with them. */
  public static List<TableAddress> addresses(Question question, Problems problems) {
    Map<String, String> places = new LinkedHashMap<>();
    question.find(DataKeys.DATA).ifPresent(place -> places.put("data", place));
    for (String site : question.find(DataKeys.SITE).orElse(List.of())) {
      int equals = site.indexOf('=');
      if (equals < 1 || equals == site.length() - 1) {
        problems.add(
            "--site: the form is NAME=PLACE, such as north=north.csv; got `%s`"
                .formatted(shown(site)));
      } else if (problems.collect(() -> DatabaseUrl.whole("site", site)) != null
          && places.put(site.substring(0, equals), site.substring(equals + 1)) != null) {
        problems.add(
            "--site: site names must differ; `%s` is given twice"
                .formatted(site.substring(0, equals)));
      }
    }
    List<String> queries = question.find(DataKeys.QUERY).orElse(List.of());
    List<String> na = question.find(DataKeys.NA).orElse(List.of());
    List<TableAddress> addresses = new ArrayList<>();
    places.forEach(
        (name, place) ->
            addresses.add(new TableAddress(name, place, query(name, places, queries), na)));
    return addresses;
  }

  /** Words before a URL are shown, the URL itself never. */
  private static String shown(String site) {
    int url = site.indexOf("jdbc:");
    return url < 0 ? site : site.substring(0, url) + "jdbc:…";
  }

  private static Optional<String> query(
      String name, Map<String, String> places, List<String> queries) {
    Optional<String> found = Optional.empty();
    for (String query : queries) {
      int equals = query.indexOf('=');
      String site = equals < 0 ? "" : query.substring(0, equals);
      if (!places.containsKey(site)) {
        found = found.isEmpty() ? Optional.of(query) : found;
      } else if (site.equals(name)) {
        return Optional.of(query.substring(equals + 1));
      }
    }
    return found;
  }

  /** Opens all, or none where there is a problem. */
  public static @Nullable List<SiteTable> open(List<TableAddress> addresses, Problems problems) {
    List<SiteTable> tables = new ArrayList<>();
    for (TableAddress address : addresses) {
      SiteTable table = problems.collect(address::open);
      if (table != null) {
        tables.add(table);
      }
    }
    if (tables.size() < addresses.size()) {
      tables.forEach(SiteTable::close);
      return null;
    }
    return tables;
  }
}
