package ngd.app.fit;

import java.util.List;
import java.util.OptionalDouble;
import ngd.app.window.Trial;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.fit.MethodRun;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Graph;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.question.MethodKeys;
import ngd.core.rows.Rows;
import ngd.core.simulation.EventRun;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.SimulatedRun;
import ngd.core.world.Suitability;

/** A fit that goes on as far as someone asks, and can be changed on the way. */
final class FitTrial implements Trial {
  private final MethodRun fit;
  private final String command;
  private final List<Measure> measures;
  private final SimulatedRun run;
  private Graph graph;
  private Network network;

  FitTrial(MethodRun fit) {
    this.fit = fit;
    command = fit.setup().question().commandLine("./ngd fit");
    measures = fit.measures();
    network = fit.setup().network().network();
    graph = fit.setup().network().topology().graph();
    run = fit.begin();
  }

  @Override
  public String command() {
    return command;
  }

  @Override
  public Topology topology() {
    return fit.setup().network().topology();
  }

  @Override
  public Network network() {
    return network;
  }

  @Override
  public List<String> warnings() {
    return fit.warnings();
  }

  @Override
  public OptionalDouble safeAlpha() {
    return fit.safeAlpha();
  }

  @Override
  public int round() {
    return run.round();
  }

  @Override
  public int rounds() {
    return fit.setup().question().get(MethodKeys.ROUNDS);
  }

  @Override
  public void advance(int rounds) {
    run.advance(rounds);
  }

  @Override
  public List<String> measures() {
    return measures.stream().map(Measure::name).toList();
  }

  @Override
  public double[] measure() {
    Rows theta = run.theta();
    return measures.stream().mapToDouble(measure -> measure.of(theta)).toArray();
  }

  @Override
  public List<String> coefficients() {
    return fit.setup().sample().features();
  }

  @Override
  public Rows theta() {
    return run.theta();
  }

  @Override
  public double[] globalEstimate() {
    return fit.globalEstimate().map(GlobalEstimate::theta).orElse(new double[0]);
  }

  @Override
  public long bytes() {
    return run.traffic().bytes();
  }

  @Override
  @SuppressWarnings("unchecked") // An algorithm has one kind of state, whatever its step size.
  public void changeAlpha(String alpha) {
    StepSize step = StepSize.parse(alpha);
    if (!(fit.choice().step() instanceof StepChoice.Given)) {
      throw new InvalidInput(
          "alpha: this run's algorithm %s"
              .formatted(
                  fit.choice().step() instanceof StepChoice.Auto
                      ? "chooses its own step size"
                      : "has no step size to change"));
    }
    boolean linear = fit.setup().regression() instanceof Linear;
    inRounds("alpha")
        .change(
            (Algorithm.Rounds<Algorithm.State>)
                fit.choice().with(step).rounds(fit.scales(), linear));
  }

  @Override
  public void cut(int client, int other) {
    if (client < 0 || client >= graph.clients()) {
      throw new InvalidInput(
          "cut: a client must lie in [0, %d]; got %d".formatted(graph.clients() - 1, client));
    }
    Weights weights = fit.setup().network().weights();
    if (weights instanceof Weights.Stated) {
      throw new InvalidInput(
          "cut: these weights come from a file; without the link they would not sum to 1");
    }
    Run<Algorithm.State> rounds = inRounds("cut");
    Graph left = graph.without(client, other);
    Network changed = Network.of(left, weights);
    new Suitability(
            changed, fit.setup().regression(), MethodKeys.trust(fit.setup().question()).mixing())
        .require(fit.choice());
    rounds.change(changed);
    graph = left;
    network = changed;
  }

  @SuppressWarnings("unchecked") // As above.
  private Run<Algorithm.State> inRounds(String what) {
    return switch (run) {
      case Run<?> rounds -> (Run<Algorithm.State>) rounds;
      case EventRun<?> _ ->
          throw new InvalidInput(what + ": an asynchronous run cannot be changed while it runs");
    };
  }

  @Override
  public void close() {
    run.close();
  }
}
