package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import ngd.app.terminal.Console;
import ngd.core.training.TrainingQuestion;
import ngd.core.training.TrainingResult;
import org.junit.jupiter.api.Test;

/** Oracle: means and deviations of two numbers, by hand. */
final class TrainingWatchTest {
  private static final TrainingQuestion PLAN =
      TrainingQuestion.of(
          Map.of(
              "model", "lenet",
              "data", "mnist:x",
              "clients", "2",
              "network", "complete",
              "alpha", "0.1",
              "rounds", "400"),
          new TrainingQuestion.Work(1, 100, null, false));

  private static String saidOf(boolean terminal) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Console console = new Console(new ByteArrayOutputStream(), said, terminal);
    try (TrainingWatch watch = new TrainingWatch(console, PLAN)) {
      watch.evaluated(new TrainingResult.Point(100, 100, List.of(0.25, 0.75)));
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void evaluated_inALog_isALine() {
    // Two numbers half apart have the standard deviation 0.5 / √2 = 0.3536.
    assertThat(saidOf(false))
        .isEqualToIgnoringNewLines("ngd train: round 100 of 400, mean Err 0.5, log SD -1.04");
  }

  @Test
  void evaluated_onATerminal_isLeftToTheBar() {
    assertThat(saidOf(true)).isEmpty();
  }
}
