package ngd.app.fit;

import java.util.EnumMap;
import java.util.Map;
import ngd.app.terminal.ProgressBar;
import ngd.app.terminal.WorkFailed;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledFit;
import ngd.core.model.NoEstimate;
import ngd.core.network.Network;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * A fit that finds its own way to the estimate of the pooled data, made ready.
 *
 * @param setup the data and who holds them
 * @param shards every site's rows
 * @param settings when it ends
 * @param options what is reported
 * @param folder where it is written, if it is
 */
record Estimation(
    Setup setup,
    Shards shards,
    PooledFit.Settings settings,
    Inference.Options options,
    int threads,
    @Nullable RunFolder folder) {
  /** Runs it, and says where the time went. */
  EstimationResult run(ProgressBar bar) {
    Network network = setup.network().network();
    PooledFit fit = PooledFit.on(network, setup.glm(), setup.sample().features(), settings);
    Watch watch = new Watch(bar);
    Simulation simulation =
        new Simulation(network, setup.glm().over(shards), setup.streams(), threads);
    try {
      Inference inference =
          simulation.within(
              world -> {
                var estimate = fit.run(world, watch);
                watch.begin(FitProgress.Stage.INFERENCE);
                return Inference.of(estimate, options);
              });
      return new EstimationResult(this, inference, watch.end());
    } catch (NoEstimate e) {
      String message = setup.sample().source() + ": " + e.getMessage();
      if (e.reason() == NoEstimate.Reason.NOT_CONVERGED) {
        throw new WorkFailed(message, e);
      }
      throw new InvalidInput(message, e);
    }
  }

  /** Every choice that bears on the result, in the words of the command line. */
  JsonObject asked() {
    return new JsonObject()
        .put("data", setup.sample().source())
        .put("response", setup.sample().response())
        .put("features", setup.sample().features())
        .put("family", setup.glm().family())
        .put("link", setup.glm().link())
        .put("clients", setup.sample().sizes().length)
        .put("partition", setup.partition())
        .put("placement", setup.placement())
        .put("network", setup.network().topology().spec())
        .put("weights", setup.network().weights().spec())
        .put("biasShare", settings.biasShare())
        .put("lastStep", settings.lastStep())
        .put("rounds", settings.mostRounds())
        .put("ridge", settings.ridge() == 0 ? null : settings.ridge())
        .put("covariance", options.covariance().words())
        .put("level", options.level())
        .put("heterogeneity", options.heterogeneity())
        .put("seed", setup.streams().seed());
  }

  /** Moves the bar, and measures how long each part takes. */
  private static final class Watch implements FitProgress {
    private final ProgressBar bar;
    private final Map<Stage, Double> seconds = new EnumMap<>(Stage.class);
    private @Nullable Stage now;
    private long since;

    Watch(ProgressBar bar) {
      this.bar = bar;
    }

    @Override
    public void begin(Stage stage) {
      stop();
      now = stage;
      since = System.nanoTime();
    }

    private void stop() {
      Stage stage = now;
      if (stage != null) {
        seconds.merge(stage, (System.nanoTime() - since) / 1e9, Double::sum);
      }
    }

    @Override
    public void rounds(int done, int most) {
      bar.at(done, most);
    }

    Map<Stage, Double> end() {
      stop();
      now = null;
      return seconds;
    }
  }
}
