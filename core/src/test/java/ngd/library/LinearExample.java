package ngd.library;

import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trace;

/** A network, shards, a model, NGD, a trace. */
final class LinearExample {
  private LinearExample() {}

  static Trace run() {
    // Twenty clients on a circle, each hearing the next two.
    Network network = Network.of(new Topology.Circle(20, 2));

    // Every client's rows, x[client][row][feature] and y[client][row]: here the paper's linear
    // model.
    Shards shards = PaperModel.LINEAR.shards(20, 50, Streams.of(7));
    Objective objective = new Linear().over(shards);
    GlobalEstimate pooled = GlobalEstimate.of(new Linear(), shards);

    try (Run<?> run =
        Simulation.of(network, objective).start(new Ngd(StepSize.parse("0.05,0.01@500")))) {
      Trace trace = Trace.of(run, 1500, 100, Measure.distance(pooled.theta()), Measure.consensus());
      System.out.printf("client 0 estimates %.3f for x1%n", run.theta().get(0, 0));
      System.out.printf("distance to the pooled estimate %.4f%n", trace.last("distance"));
      return trace;
    }
  }

  public static void main(String[] args) {
    run();
  }
}
