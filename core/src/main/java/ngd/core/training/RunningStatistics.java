package ngd.core.training;

import java.util.Arrays;
import java.util.Locale;
import ngd.core.Vocabulary;

/** What becomes of the running means and variances of batch normalisation while clients learn. */
public enum RunningStatistics {
  /** Batches are normalised by themselves; a client's statistics follow its own batches. */
  LOCAL,
  /** The same, and neighbours' statistics are averaged in every round, like parameters. */
  MIXED,
  /**
   * They stay as they began and normalise what is learned from as they do what is validated, so
   * that a batch of one class does not lose what distinguishes it from others.
   */
  FROZEN;

  private static final Vocabulary WORDS =
      new Vocabulary("batch-norm", Arrays.stream(values()).map(RunningStatistics::spec).toList());

  /** The word on the command line. */
  public String spec() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static RunningStatistics parse(String spec) {
    return Arrays.stream(values())
        .filter(each -> each.spec().equals(spec))
        .findFirst()
        .orElseThrow(() -> WORDS.unknown(spec));
  }
}
