package ngd.core.data;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import ngd.core.formula.Dictionary;

/**
 * Where a site's table is to be found.
 *
 * @param site the name of the site
 * @param location a file, a pattern of files, or a {@code jdbc:} URL
 * @param query what to ask a database for, or of a file's rows, called {@code data}; all by default
 * @param missing the words that stand for a missing value, beside empty fields
 * @param format how it is written, where it is a text file
 * @param dictionary what its columns are agreed to hold
 */
public record TableAddress(
    String site,
    String location,
    Optional<String> query,
    List<String> missing,
    TextFormat format,
    Dictionary dictionary) {
  public TableAddress {
    missing = List.copyOf(missing);
  }

  /** A table of which nothing is agreed. */
  public TableAddress(
      String site,
      String location,
      Optional<String> query,
      List<String> missing,
      TextFormat format) {
    this(site, location, query, missing, format, Dictionary.NONE);
  }

  /** The same as a dictionary reads it. */
  public TableAddress with(Dictionary agreed) {
    return new TableAddress(site, location, query, missing, format, agreed);
  }

  /** A table of which a text file is written as most are. */
  public TableAddress(String site, String location, Optional<String> query, List<String> missing) {
    this(site, location, query, missing, TextFormat.STANDARD);
  }

  /** A table without a query. */
  public static TableAddress of(String site, String location) {
    return new TableAddress(site, location, Optional.empty(), List.of());
  }

  /** Opens the table: plain text here, all else by whichever provider the class path has. */
  public SiteTable open() {
    Supplier<SiteTable> engine = () -> TableProvider.first().open(this);
    return DictionaryTable.over(PlainTable.of(this, engine).orElseGet(engine), dictionary);
  }
}
