package ngd.core.question;

import java.util.List;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.preparation.Description;
import ngd.core.preparation.TablesAsked;

/** What a description of the data may be asked. */
public final class DescribeKeys {
  private DescribeKeys() {}

  public static final Key<List<String>> COLUMNS =
      Key.list("columns", "NAME").help("Columns to describe; all by default.");

  public static final Key<Boolean> BY_SITE =
      Key.flag("by-site").help("Also report each site (visible to all sites).");

  public static final Key<Boolean> EXTREMES =
      Key.flag("extremes")
          .help(
              "Also report the smallest and the largest value, which reveal single rows; with"
                  + " --data only.");

  public static final Key<String> BY =
      Key.text("by", "COLUMN")
          .help(
              "Describe every column by the levels of this one too, with tests and standardized"
                  + " differences: the first table of a paper.");

  public static final Key<List<TablesAsked.Cross>> CROSS =
      Key.repeated(
              "cross", "A,B", DescribeKeys::crosses, cross -> cross.rows() + "," + cross.columns())
          .help(
              "Cross-tabulate two columns, with tests of independence; several pairs with"
                  + " semicolons between them, or the option again.");

  public static final Key<List<String>> HISTOGRAM =
      Key.list("histogram", "NAME").help("Also report histograms of these columns.");

  public static final Key<List<String>> CORRELATION =
      Key.list("correlation", "NAME")
          .help("Pearson correlations of these columns, over rows that have all of them.");

  public static final Key<Boolean> COMPLETE =
      Key.flag("complete")
          .help("Count only rows that have a value in every column described; needs --columns.")
          .when(question -> question.says(COLUMNS), "works only with columns");

  /** What a federation may be asked of its data; the sites have these themselves. */
  public static final List<Key<?>> AGREED =
      List.of(COLUMNS, BY_SITE, BY, CROSS, HISTOGRAM, CORRELATION, COMPLETE);

  private static List<TablesAsked.Cross> crosses(String words) {
    return Stream.of(words.split(";", -1)).map(DescribeKeys::cross).toList();
  }

  private static TablesAsked.Cross cross(String words) {
    List<String> names = Stream.of(words.split(",", -1)).map(String::strip).toList();
    if (names.size() != 2 || names.contains("") || names.getFirst().equals(names.getLast())) {
      throw new InvalidInput(
          "cross: must be two different columns with a comma between them, such as smoker,stage; got `%s`"
              .formatted(words));
    }
    return new TablesAsked.Cross(names.getFirst(), names.getLast());
  }

  /** All of them. */
  public static final List<Key<?>> ALL =
      List.of(
          DataKeys.DATA,
          DataKeys.SITE,
          DataKeys.QUERY,
          DataKeys.NA,
          DataKeys.DECIMAL,
          DataKeys.ENCODING,
          DataKeys.DICTIONARY,
          ClientKeys.NETWORK,
          COLUMNS,
          BY_SITE,
          EXTREMES,
          BY,
          CROSS,
          HISTOGRAM,
          CORRELATION,
          COMPLETE);

  /** The question that these words ask; every problem is collected. */
  public static Question read(Words words, Problems problems) {
    Question question = Question.read(ALL, words, problems);
    problems.require(
        DataKeys.given(question), "--data PLACE or --site NAME=PLACE: one of them must be given");
    problems.require(
        question.says(DataKeys.SITE) || !question.says(ClientKeys.NETWORK),
        "--network: works only with --site: one table has nobody to hear");
    if (!problems.any()) {
      requireSound(question, problems);
    }
    return question;
  }

  /** What can be said of the words together, wherever they are asked. */
  public static void requireSound(Question question, Problems problems) {
    List<String> correlated = question.find(CORRELATION).orElse(List.of());
    problems.require(
        correlated.isEmpty()
            || (correlated.size() > 1
                && correlated.stream().distinct().count() == correlated.size()),
        "correlation: must be at least two different columns; got "
            + String.join(", ", correlated));
    TablesAsked asked = tables(question);
    for (String name : asked.asLevels()) {
      problems.require(
          !correlated.contains(name) && !asked.histograms().contains(name),
          "%s: a column of --by or --cross counts as levels, and has no histogram and no correlation"
              .formatted(name));
    }
  }

  private static TablesAsked tables(Question question) {
    return new TablesAsked(
        question.find(BY),
        question.find(CROSS).orElse(List.of()),
        question.find(HISTOGRAM).orElse(List.of()),
        question.find(CORRELATION).orElse(List.of()),
        question.get(COMPLETE));
  }

  /** The columns that are read; none where all are. */
  public static List<String> columns(Question question) {
    return settings(question).columns();
  }

  /** What is to be described, and how far. */
  public static Description.Settings settings(Question question) {
    return new Description.Settings(
        question.find(COLUMNS).orElse(List.of()),
        question.get(BY_SITE),
        question.get(EXTREMES),
        tables(question));
  }
}
