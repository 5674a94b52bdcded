package ngd.library;

import java.util.List;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledFit;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;

/** The pooled answer with its standard errors. */
final class PooledExample {
  private PooledExample() {}

  static Inference run() {
    // Ten sites on a star; the paper's logistic model has six coefficients.
    Network network = Network.of(new Topology.Central(10));
    Shards shards = PaperModel.LOGISTIC.shards(10, 200, Streams.of(7));
    List<String> terms = List.of("x1", "x2", "x3", "x4", "x5", "x6");

    PooledFit fit = PooledFit.on(network, new Logistic(), terms, PooledFit.Settings.STANDARD);
    Inference found =
        Simulation.of(network, new Logistic().over(shards))
            .within(
                world ->
                    Inference.of(fit.run(world, FitProgress.NONE), Inference.Options.STANDARD));
    found
        .coefficients()
        .forEach(
            line ->
                System.out.printf(
                    "%s %.3f (%.3f)%n", line.term(), line.estimate(), line.standardError()));
    return found;
  }

  public static void main(String[] args) {
    run();
  }
}
