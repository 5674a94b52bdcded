package ngd.core.question;

import java.util.List;
import ngd.core.data.DatabaseUrl;
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
              "Data: a file with a header (.csv, .tsv, .parquet, .jsonl; text may be gzipped), a pattern such as"
                  + " 'visits/*.parquet', or a jdbc: URL with --query; $${NAME} in a URL is an environment variable.");

  public static final Key<List<String>> SITE =
      Key.repeated("site", "NAME=PLACE")
          .files(DataKeys::placeOfSite)
          .stored(DatabaseUrl::stored)
          .when(question -> !question.says(DATA), "only one of --data and --site may be given")
          .help(
              "A site and its data, as for --data; repeat for each site, each of which is one client. Needs --formula.");

  public static final Key<List<String>> QUERY =
      Key.repeated("query", "SQL")
          .when(DataKeys::readable, NEEDS_DATA)
          .help(
              "Table or SQL query to read (for a file, over the table data); NAME=SQL applies to one site only.");

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

  /** All of them. */
  public static final List<Key<?>> ALL = List.of(DATA, SITE, QUERY, MISSING, NA);

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
