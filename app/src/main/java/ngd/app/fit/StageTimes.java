package ngd.app.fit;

import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import ngd.app.terminal.ProgressBar;
import ngd.core.inference.FitProgress;
import org.jspecify.annotations.Nullable;

/** Moves the bar of a pooled fit, and measures how long each part takes. */
final class StageTimes implements FitProgress {
  private final ProgressBar bar;
  private final Map<Stage, Double> seconds = new EnumMap<>(Stage.class);
  private @Nullable Stage now;
  private long since;

  StageTimes(ProgressBar bar) {
    this.bar = bar;
  }

  @Override
  public void begin(Stage stage) {
    end();
    now = stage;
    bar.begin(stage.words());
    since = System.nanoTime();
  }

  /** The part under way is over. */
  void end() {
    Stage stage = now;
    if (stage != null) {
      seconds.merge(stage, (System.nanoTime() - since) / 1e9, Double::sum);
      now = null;
    }
  }

  @Override
  public void rounds(int done, int most) {
    bar.at(done, most);
  }

  /** Says where the time went. */
  void print(PrintWriter err) {
    double all = seconds.values().stream().mapToDouble(s -> s).sum();
    seconds.forEach(
        (stage, time) ->
            err.printf(
                Locale.ROOT,
                "ngd fit: %7.3f s  %3.0f %%  %s%n",
                time,
                100 * time / all,
                stage.words()));
    err.printf(Locale.ROOT, "ngd fit: %7.3f s  total%n", all);
  }
}
