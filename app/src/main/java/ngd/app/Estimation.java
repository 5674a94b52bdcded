package ngd.app;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledFit;
import ngd.core.inference.Progress;
import ngd.core.model.NoEstimate;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.Stationary;
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
  private static final int NAMED = 6;

  /** Runs it, and says where the time went. */
  EstimationResult run(ProgressBar bar) {
    Network network = setup.network().network();
    List<Double> pi = stationary(network);
    PooledFit fit = new PooledFit(setup.glm(), setup.sample().features(), pi, settings);
    Watch watch = new Watch(bar);
    Simulation simulation =
        new Simulation(network, setup.glm().over(shards), setup.streams(), threads);
    try {
      Inference inference =
          simulation.within(
              world -> {
                var estimate = fit.run(world, watch);
                watch.begin(Progress.Stage.INFERENCE);
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

  /** π, which every client has a share of where all reach all. */
  private static List<Double> stationary(Network network) {
    CommunicatingClasses classes = CommunicatingClasses.of(network);
    if (classes.count() > 1) {
      List<String> parts = new ArrayList<>();
      for (int c = 0; c < Math.min(NAMED, classes.count()); c++) {
        int[] members = classes.members(c);
        String names =
            IntStream.of(members)
                    .limit(NAMED)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(", "))
                + (members.length > NAMED ? ", …" : "");
        parts.add("{%s}%s".formatted(names, classes.closed(c) ? " hears nobody outside it" : ""));
      }
      throw new InvalidInput(
          "network: every client must reach every other, or some data would not count; it falls into %d classes: %s%s; use regular:D, circle:D or central"
              .formatted(
                  classes.count(), String.join("; ", parts), classes.count() > NAMED ? "; …" : ""));
    }
    double[] pi =
        Stationary.of(network, classes)
            .distribution()
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "network: its stationary distribution could not be computed; use a network with --weights metropolis"));
    return Arrays.stream(pi).boxed().toList();
  }

  /** Moves the bar, and measures how long each part takes. */
  private static final class Watch implements Progress {
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
