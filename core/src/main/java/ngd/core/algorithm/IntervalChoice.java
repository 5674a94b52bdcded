package ngd.core.algorithm;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Vocabulary;

/**
 * Intervals around the mean over rounds of a method on mini-batches, as they are asked for.
 *
 * @param skip the first rounds, which do not count in the mean; by default {@link #skipped}
 */
public record IntervalChoice(Kind kind, OptionalInt skip) {
  /** How an interval is found. */
  public enum Kind {
    /** By an estimate of the limiting covariance H⁻¹ S H⁻¹. */
    PLUG_IN,
    /** By the way of the mean itself (Lee, Liao, Seo and Shin 2022). */
    RANDOM_SCALING;

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final Vocabulary WORDS =
      new Vocabulary(
          "intervals", List.of("plug-in", "plug-in:SKIP", "random-scaling", "random-scaling:SKIP"));

  public static IntervalChoice parse(String spec) {
    List<String> given = WORDS.parameters(spec);
    Kind kind = spec.strip().startsWith(Kind.PLUG_IN.word()) ? Kind.PLUG_IN : Kind.RANDOM_SCALING;
    return new IntervalChoice(
        kind, given.isEmpty() ? OptionalInt.empty() : OptionalInt.of(rounds(given.getFirst())));
  }

  private static int rounds(String text) {
    String problem =
        "intervals: SKIP must be a number of rounds, 0 or more; got `%s`".formatted(text);
    int rounds = NumberText.read(text, Integer::valueOf, () -> problem);
    if (rounds < 0) {
      throw new InvalidInput(problem);
    }
    return rounds;
  }

  public String spec() {
    return kind.word() + (skip.isPresent() ? ":" + skip.getAsInt() : "");
  }

  /**
   * How many of all rounds do not count: a quarter for plug-in intervals, whose width knows nothing
   * of the way from the start; none for random scaling, whose width does.
   */
  public int skipped(int rounds) {
    return skip.orElse(kind == Kind.PLUG_IN ? rounds / 4 : 0);
  }

  /** The same with the rounds to skip said. */
  public IntervalChoice of(int rounds) {
    return new IntervalChoice(kind, OptionalInt.of(skipped(rounds)));
  }
}
