package ngd.app.bench;

import ngd.core.Problems;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long a benchmark times rounds before it takes another time, and warms up in proportion. */
final class StretchOption {
  private static final double LONGEST = 60_000;

  @Option(
      names = "--stretch",
      paramLabel = "MS",
      description =
          "Milliseconds of rounds that are timed at once, with a warm-up in proportion; shorter"
              + " ones are less exact.")
  private @Nullable Double stretch;

  /** These stretches, or the usual ones where nothing else is asked for. */
  Stretches or(Stretches usual, Problems problems) {
    Double millis = stretch;
    if (millis == null) {
      return usual;
    }
    boolean allowed = millis >= 0.1 && millis <= LONGEST;
    problems.require(
        allowed, "--stretch: must lie in [0.1, 60000] milliseconds; got %s".formatted(millis));
    return allowed ? usual.of(millis) : usual;
  }
}
