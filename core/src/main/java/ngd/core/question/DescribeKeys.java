package ngd.core.question;

import java.util.List;
import ngd.core.Problems;
import ngd.core.preparation.Description;

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
          COLUMNS,
          BY_SITE,
          EXTREMES);

  /** The question that these words ask; every problem is collected. */
  public static Question read(Words words, Problems problems) {
    Question question = Question.read(ALL, words, problems);
    problems.require(
        DataKeys.given(question), "--data PLACE or --site NAME=PLACE: one of them must be given");
    return question;
  }

  /** What is to be described, and how far. */
  public static Description.Settings settings(Question question) {
    return new Description.Settings(
        question.find(COLUMNS).orElse(List.of()), question.get(BY_SITE), question.get(EXTREMES));
  }
}
