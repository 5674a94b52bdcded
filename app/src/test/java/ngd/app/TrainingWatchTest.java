package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import ngd.app.terminal.Console;
import ngd.core.algorithm.StepSize;
import ngd.core.training.RunningStatistics;
import ngd.core.training.TrainingData;
import ngd.core.training.TrainingPlan;
import ngd.core.training.TrainingResult;
import org.junit.jupiter.api.Test;

/** Oracle: means and deviations of two numbers, by hand. */
final class TrainingWatchTest {
  private static final TrainingPlan PLAN =
      new TrainingPlan(
          "lenet",
          new TrainingData.Images("mnist", Path.of("x")),
          new TrainingPlan.Clients(2, "sorted", "in-order", "complete", null),
          false,
          "ngd",
          StepSize.constant(0.1),
          400,
          0,
          1,
          new TrainingPlan.Machine("cpu", "float32", 1, true),
          1,
          0,
          100,
          100,
          null,
          RunningStatistics.LOCAL,
          null,
          false);

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
