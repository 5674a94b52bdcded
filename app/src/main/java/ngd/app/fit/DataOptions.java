package ngd.app.fit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import ngd.app.terminal.Location;
import ngd.app.terminal.Problems;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.preparation.Missing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where the data are. */
final class DataOptions {
  /** Stands in no address, so a configuration file's list can be told from one long address. */
  static final String SEPARATOR = "\u001f";

  @Option(
      names = "--data",
      paramLabel = "PLACE",
      converter = Location.Reader.class,
      description =
          "A file with a header (.csv, .tsv, .parquet, .jsonl; text may be gzipped), a pattern such as"
              + " 'visits/*.parquet', or a jdbc: URL with --query; $${NAME} in a URL is an environment variable.")
  private @Nullable Location data;

  @Option(
      names = "--site",
      paramLabel = "NAME=PLACE",
      split = SEPARATOR,
      hideParamSyntax = true,
      description =
          "A site and where its data are; once for each site, which is then one client. Needs --formula.")
  private List<String> sites = List.of();

  @Option(
      names = "--query",
      paramLabel = "SQL",
      split = SEPARATOR,
      hideParamSyntax = true,
      description =
          "A table, or what to ask the database for (of a file: from data); NAME=SQL for one site alone.")
  private List<String> queries = List.of();

  @Option(
      names = "--missing",
      paramLabel = "WORD",
      description = "Rows with missing values: drop (the default; they are counted) or fail.")
  private @Nullable String missing;

  @Option(
      names = "--na",
      paramLabel = "WORD",
      split = ",",
      description =
          "Words that mean a missing value, beside empty fields, such as '?'; NA by default.")
  private List<String> na = List.of();

  boolean given() {
    return data != null || !sites.isEmpty();
  }

  /** The one file or database, where it is not sites. */
  @Nullable Location data() {
    return data;
  }

  boolean hasSites() {
    return !sites.isEmpty();
  }

  /** Whether only the engines can read it: the plain reader of numbers knows CSV files alone. */
  boolean needsEngine() {
    return hasSites()
        || !queries.isEmpty()
        || !na.isEmpty()
        || missing != null
        || (data != null
            && !data.text().toLowerCase(Locale.ROOT).matches(".*\\.(csv|txt)(\\.gz)?"));
  }

  @Nullable Missing missing(Problems problems) {
    return problems.collect(() -> Missing.parse(missing == null ? "drop" : missing));
  }

  /** Missing values are what a description counts. */
  void refuseMissing(Problems problems) {
    problems.require(
        missing == null, "--missing: goes with a fit; a description counts what is missing");
  }

  /** The tables' addresses in the order of the clients; problems say what is wrong with them. */
  List<TableAddress> addresses(Problems problems) {
    Map<String, String> places = new LinkedHashMap<>();
    if (data != null && !sites.isEmpty()) {
      problems.add("--data and --site: only one of them may be given");
    }
    if (data != null) {
      places.put("data", data.text());
    }
    for (String site : sites) {
      int equals = site.indexOf('=');
      if (equals < 1 || equals == site.length() - 1) {
        problems.add(
            "--site: the form is NAME=PLACE, such as north=north.csv; got `%s`"
                .formatted(shown(site)));
      } else if (places.put(site.substring(0, equals), site.substring(equals + 1)) != null) {
        problems.add(
            "--site: every site needs a name of its own; `%s` stands twice"
                .formatted(site.substring(0, equals)));
      }
    }
    List<TableAddress> addresses = new ArrayList<>();
    places.forEach(
        (name, place) -> addresses.add(new TableAddress(name, place, query(name, places), na)));
    return addresses;
  }

  /** Words before a URL are shown, the URL itself never. */
  private static String shown(String site) {
    int url = site.indexOf("jdbc:");
    return url < 0 ? site : site.substring(0, url) + "jdbc:…";
  }

  private Optional<String> query(String name, Map<String, String> places) {
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
  static @Nullable List<SiteTable> open(List<TableAddress> addresses, Problems problems) {
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
