package ngd.app;

import java.util.Locale;
import ngd.app.terminal.Console;
import ngd.app.terminal.InterruptMessage;
import ngd.app.terminal.ProgressBar;
import ngd.core.NumberText;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingQuestion;
import ngd.core.training.TrainingResult;

/**
 * What a person sees of a training: the progress line, or in a log a line an evaluation; warnings,
 * and how to go on if stopped.
 */
final class TrainingWatch implements Trainer.Watch, AutoCloseable {
  private final Console console;
  private final TrainingQuestion plan;
  private final ProgressBar bar;
  private final InterruptMessage onInterrupt;
  private boolean begun;
  private volatile int kept = -1;

  TrainingWatch(Console console, TrainingQuestion plan) {
    this.console = console;
    this.plan = plan;
    bar = new ProgressBar(console, "train");
    onInterrupt = new InterruptMessage(console, this::stopped);
  }

  @Override
  public void round(int done, int all) {
    if (!begun) {
      begun = true;
      bar.from(done);
    }
    bar.at(done, all);
  }

  @Override
  public void evaluated(TrainingResult.Point point) {
    bar.say(String.format(Locale.ROOT, "train, Err %.4f", point.mean()));
    if (!console.terminal()) {
      // A log, in which no bar is drawn.
      console
          .err()
          .printf(
              "ngd train: round %d of %d, mean Err %s, log SD %s%n",
              point.round(),
              plan.rounds(),
              NumberText.text(point.mean(), 4),
              NumberText.text(point.logSd(), 4));
    }
  }

  @Override
  public void kept(int round) {
    kept = round;
  }

  @Override
  public void warning(String text) {
    bar.pause();
    console.err().println("ngd train: warning: " + text);
  }

  private String stopped() {
    bar.close();
    return "ngd train: interrupted; "
        + (kept < 0
            ? "no checkpoint was saved"
            : "add --resume to continue from round %d in %s".formatted(kept, plan.out()));
  }

  @Override
  public void close() {
    onInterrupt.close();
    bar.close();
  }
}
