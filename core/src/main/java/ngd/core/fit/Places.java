package ngd.core.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.SideBySide;
import ngd.core.data.DatabaseUrl;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.data.TextFormat;
import ngd.core.formula.Dictionary;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
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
    boolean known = requireKnownSites(question, places.keySet(), problems);
    Dictionary dictionary =
        question
            .find(DataKeys.DICTIONARY)
            .map(file -> problems.collect(() -> Dictionary.read(Path.of(file))))
            .orElse(Dictionary.NONE);
    List<TableAddress> addresses = new ArrayList<>();
    places.forEach(
        (name, place) ->
            addresses.add(
                new TableAddress(
                    name,
                    place,
                    DataKeys.ofSite(name, places.keySet(), queries),
                    na,
                    known ? DataKeys.format(question, name, places.keySet()) : TextFormat.STANDARD,
                    dictionary)));
    return addresses;
  }

  /** Words before a URL are shown, the URL itself never. */
  private static String shown(String site) {
    int url = site.indexOf("jdbc:");
    return url < 0 ? site : site.substring(0, url) + "jdbc:…";
  }

  /** A mistyped site before a value would otherwise make the value hold for all. */
  private static boolean requireKnownSites(
      Question question, Set<String> sites, Problems problems) {
    boolean known = true;
    for (Key<List<String>> key : List.of(DataKeys.DECIMAL, DataKeys.ENCODING)) {
      for (String value : question.find(key).orElse(List.of())) {
        int equals = value.indexOf('=');
        if (equals >= 0 && !sites.contains(value.substring(0, equals))) {
          problems.add(
              "--%s: the site must be one of %s; got `%s`"
                  .formatted(key.name(), String.join(", ", sites), value));
          known = false;
        }
      }
    }
    return known;
  }

  /** Refuses tables that do not hold what a dictionary says of some columns, each by itself. */
  public static void requireFit(List<? extends SiteTable> tables, Collection<String> columns) {
    Problems problems = new Problems();
    for (SiteTable table : tables) {
      var _ =
          problems.collect(
              () -> {
                table.requireFit(columns);
                return table;
              });
    }
    problems.throwIfAny();
  }

  /** A table, or what stands in its way, which is said to whoever asks for it. */
  private static Supplier<SiteTable> opened(TableAddress address) {
    try {
      SiteTable table = address.open();
      return () -> table;
    } catch (InvalidInput e) {
      return () -> {
        throw e;
      };
    }
  }

  /** Opens all, or none where there is a problem. */
  public static @Nullable List<SiteTable> open(List<TableAddress> addresses, Problems problems) {
    List<SiteTable> tables = new ArrayList<>();
    for (Supplier<SiteTable> opened : SideBySide.each(addresses, Places::opened)) {
      SiteTable table = problems.collect(opened);
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
