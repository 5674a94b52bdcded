package ngd.core.question;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import ngd.core.Memory;
import ngd.core.data.DatabaseUrl;
import ngd.core.data.TextFormat;
import ngd.core.preparation.Missing;

/** Where the data are, and how to read them. */
public final class DataKeys {
  private DataKeys() {}

  private static final String NEEDS_DATA = "needs --data or --site";

  public static final Key<String> DATA =
      Key.of("data", "PLACE", place -> DatabaseUrl.whole("data", place), place -> place)
          .files(DataKeys::placeOfData)
          .stored(DatabaseUrl::stored)
          .help(
              "Data: a file with a header (.csv, .tsv, .parquet, .jsonl, .xlsx; text may be"
                  + " gzipped), a pattern such as 'visits/*.parquet', a database file (.db,"
                  + " .sqlite, .duckdb), or a jdbc: URL with --query; $${NAME} in a URL is an"
                  + " environment variable.");

  public static final Key<List<String>> SITE =
      Key.repeated("site", "NAME=PLACE")
          .files(DataKeys::placeOfSite)
          .stored(DatabaseUrl::stored)
          .when(question -> !question.says(DATA), "only one of --data and --site may be given")
          .help(
              "A site and its data, as for --data; repeat for each site, each of which is one"
                  + " client of a fit.");

  public static final Key<List<String>> QUERY =
      Key.repeated("query", "SQL")
          .when(DataKeys::readable, NEEDS_DATA)
          .help(
              "Table or SQL query to read (for a file, over the table data); NAME=SQL applies to"
                  + " one site only.");

  public static final Key<Missing> MISSING =
      Key.of("missing", "WORD", Missing::parse, Missing::spec)
          .standard("drop")
          .when(DataKeys::readable, NEEDS_DATA)
          .help("Rows with missing values: drop (the default; they are counted) or fail.");

  public static final Key<List<String>> NA =
      Key.list("na", "WORD")
          .when(DataKeys::readable, NEEDS_DATA)
          .help(
              "Text that means a missing value, besides empty fields, such as '?'; NA by default.");

  public static final Key<List<String>> DECIMAL =
      Key.repeated("decimal", "SIGN", sign -> TextFormat.decimal(afterSite(sign)))
          .when(DataKeys::readable, NEEDS_DATA)
          .help(
              "Decimal sign of text files: . (the default) or , ; NAME=SIGN applies to one site"
                  + " only.");

  public static final Key<List<String>> ENCODING =
      Key.repeated("encoding", "NAME", name -> TextFormat.encoding(afterSite(name)))
          .when(DataKeys::readable, NEEDS_DATA)
          .help(
              "Character encoding of text files, such as latin-1, windows-1252 or utf-16; utf-8 by"
                  + " default. SITE=NAME applies to one site only.");

  public static final Key<String> DICTIONARY =
      Key.text("dictionary", "FILE")
          .files(_ -> 0)
          .when(DataKeys::readable, NEEDS_DATA)
          .help(
              "YAML file that says what columns hold: types, units and levels (docs/sources.md)."
                  + " Columns are read so, and others refused.");

  public static final Key<Memory> MEMORY =
      Key.of("memory", "SIZE", Memory::parse, Memory::word)
          .when(
              question -> question.says(SITE),
              "works only with --site; rows of --data that are cut among clients are in memory")
          .help(
              "Most memory for the sites' rows, such as 512m or 2g; all that the process may have"
                  + " by default. Larger tables are read in passes, and their rows kept in a"
                  + " sealed temporary file; the answer is the same (docs/sources.md).");

  /** What says how tables are read, wherever they are. */
  public static final List<Key<?>> READING = List.of(NA, DECIMAL, ENCODING);

  /** All of them. */
  public static final List<Key<?>> ALL =
      List.of(DATA, SITE, QUERY, MISSING, NA, DECIMAL, ENCODING, DICTIONARY, MEMORY);

  /**
   * How a site's text files are written.
   *
   * @param sites the names of all sites, which may stand before a value
   */
  public static TextFormat format(Question question, String site, Collection<String> sites) {
    return new TextFormat(
        ofSite(site, sites, question.find(DECIMAL).orElse(List.of()))
            .map(TextFormat::decimal)
            .orElse(TextFormat.STANDARD.decimal()),
        ofSite(site, sites, question.find(ENCODING).orElse(List.of()))
            .map(TextFormat::encoding)
            .orElse(TextFormat.STANDARD.encoding()));
  }

  /**
   * Of texts that may each begin with {@code SITE=}, the one for a site: its own, else the first.
   */
  public static Optional<String> ofSite(
      String site, Collection<String> sites, List<String> values) {
    Optional<String> found = Optional.empty();
    for (String value : values) {
      int equals = value.indexOf('=');
      String named = equals < 0 ? "" : value.substring(0, equals);
      if (!sites.contains(named)) {
        found = found.isEmpty() ? Optional.of(value) : found;
      } else if (site.equals(named)) {
        return Optional.of(value.substring(equals + 1));
      }
    }
    return found;
  }

  /** What the sites of a question are called, in the order of the clients. */
  public static List<String> siteNames(Question question) {
    return question.find(SITE).orElse(List.of()).stream()
        .map(site -> site.substring(0, Math.max(0, site.indexOf('='))))
        .toList();
  }

  private static String afterSite(String value) {
    return value.substring(value.indexOf('=') + 1);
  }

  /** Whether tables are read: from places of the question, or each site from its own. */
  static boolean readable(Question question) {
    return given(question) || !question.keys().contains(DATA);
  }

  /** Whether the data are in places of their own: a file, a database, sites. */
  public static boolean given(Question question) {
    return question.says(DATA) || question.says(SITE);
  }

  /** After a word such as {@code mnist:}; −1 where it is a database. */
  private static Integer placeOfData(String place) {
    if (place.startsWith(DatabaseUrl.PREFIX)) {
      return -1;
    }
    return place.matches("\\w{2,}:.*") ? place.indexOf(':') + 1 : 0;
  }

  /** Where the place begins in {@code NAME=PLACE}; −1 where it is a database. */
  private static Integer placeOfSite(String site) {
    int place = site.indexOf('=') + 1;
    return place == 0 || site.startsWith(DatabaseUrl.PREFIX, place) ? -1 : place;
  }
}
