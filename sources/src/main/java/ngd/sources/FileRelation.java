package ngd.sources;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import ngd.core.InvalidInput;

/** What DuckDB reads a file, or all files of a pattern, by. */
final class FileRelation {
  private static final Pattern GLOB = Pattern.compile("[*?\\[]");
  private static final Pattern PACKED = Pattern.compile("\\.(gz|zst)$");

  /** Bytes of text that are read once and kept, instead of anew for every question about them. */
  private static final long KEPT = 1L << 22;

  private FileRelation() {}

  /**
   * The table function for a location. Dates are those that begin with the year: of others DuckDB
   * would guess whether the day or the month comes first.
   *
   * @param types a clause that fixes the columns' types, or nothing where they are yet to be found
   */
  static String of(String location, List<String> missing, char decimal, String types) {
    requireThere(location);
    String path = literal(location);
    String extension = extension(location);
    return switch (extension) {
      case "csv", "tsv", "tab", "txt", "dat" -> {
        String words =
            (missing.isEmpty() ? List.of("", "NA") : withEmpty(missing))
                .stream().map(FileRelation::literal).collect(Collectors.joining(", "));
        String read =
            "read_csv(%s, header = true, nullstr = [%s], decimal_separator = '%s', dateformat = '%%Y-%%m-%%d'%s)"
                .formatted(
                    path,
                    words,
                    decimal,
                    types.isEmpty() ? ", sample_size = -1" : ", types = " + types);
        // OFFSET 0 keeps DuckDB from moving a query's casts into its reader of text: there 2.5 as
        // a whole number is 3 instead of 2, and true is none.
        yield "(SELECT * FROM %s OFFSET 0)".formatted(read);
      }
      case "parquet" -> "read_parquet(%s)".formatted(path);
      case "json", "jsonl", "ndjson" ->
          "read_json(%s, format = 'newline_delimited', sample_size = -1)".formatted(path);
      case "dta" -> throw exported(location, "Stata", "`export delimited`");
      case "sav", "zsav", "por" -> throw exported(location, "SPSS", "`SAVE TRANSLATE /TYPE=CSV`");
      case "sas7bdat", "xpt" -> throw exported(location, "SAS", "`PROC EXPORT DBMS=CSV`");
      case "xls", "ods" -> throw exported(location, "a spreadsheet program", "Save As");
      default ->
          throw new InvalidInput(
              "data: must be a file that ends in .csv, .tsv, .txt (.gz after text allowed), .xlsx, .parquet, .jsonl, .ndjson, .json, .db, .sqlite or .duckdb, or a jdbc: URL; got `%s`"
                  .formatted(location));
    };
  }

  /** There is no maintained reader of the format for Java (docs/decisions.md). */
  private static InvalidInput exported(String location, String program, String how) {
    return new InvalidInput(
        "data: files of %s must be exported to .csv or .parquet first, by %s or in R with haven and nanoparquet; got `%s`"
            .formatted(program, how, location));
  }

  /** Whether it is one file, not packed, whose rows may all be kept in memory. */
  static boolean isSmall(String location) {
    if (GLOB.matcher(location).find() || PACKED.matcher(location.toLowerCase(Locale.ROOT)).find()) {
      return false;
    }
    try {
      return Files.size(FileSystems.getDefault().getPath(location)) <= KEPT;
    } catch (IOException gone) {
      return false;
    }
  }

  static boolean isText(String location) {
    return List.of("csv", "tsv", "tab", "txt", "dat").contains(extension(location));
  }

  private static List<String> withEmpty(List<String> missing) {
    return Stream.concat(Stream.of(""), missing.stream()).toList();
  }

  static String extension(String location) {
    String name = PACKED.matcher(location.toLowerCase(Locale.ROOT)).replaceAll("");
    return name.substring(name.lastIndexOf('.') + 1);
  }

  static void requireThere(String location) {
    if (GLOB.matcher(location).find()) {
      return;
    }
    Path path = FileSystems.getDefault().getPath(location);
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      String why =
          Files.isDirectory(path)
              ? "is a folder; '%s/*.csv' means its files".formatted(location)
              : Files.exists(path) ? "cannot be read" : "does not exist";
      throw new InvalidInput("%s: must be a readable file; it %s".formatted(location, why));
    }
    try {
      if (Files.size(path) == 0) {
        throw new InvalidInput("%s: must have a header and rows; it is empty".formatted(location));
      }
    } catch (IOException e) {
      throw new InvalidInput("%s: must be a readable file; %s".formatted(location, e), e);
    }
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
