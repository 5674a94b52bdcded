package ngd.app.fit;

import java.util.List;
import java.util.OptionalDouble;
import ngd.app.window.Trial;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.model.GlobalEstimate;
import ngd.core.network.Graph;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.rows.Rows;
import ngd.core.simulation.EventRun;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Traffic;
import ngd.core.world.Suitability;

/** A fit that goes on as far as someone asks, and can be changed on the way. */
final class FitTrial implements Trial {
  /** A run in rounds or in simulated seconds, as far as both are alike. */
  private sealed interface Course extends AutoCloseable {
    int round();

    void advance(int rounds);

    Rows theta();

    Traffic traffic();

    @Override
    void close();
  }

  private record InRounds(Run<Algorithm.State> run) implements Course {
    @Override
    public int round() {
      return run.round();
    }

    @Override
    public void advance(int rounds) {
      run.advance(rounds);
    }

    @Override
    public Rows theta() {
      return run.theta();
    }

    @Override
    public Traffic traffic() {
      return run.traffic();
    }

    @Override
    public void close() {
      run.close();
    }
  }

  private record InSeconds(EventRun<?> run) implements Course {
    @Override
    public int round() {
      return (int) Math.round(run.time());
    }

    @Override
    public void advance(int rounds) {
      run.advance(rounds);
    }

    @Override
    public Rows theta() {
      return run.theta();
    }

    @Override
    public Traffic traffic() {
      return run.traffic();
    }

    @Override
    public void close() {
      run.close();
    }
  }

  private final Fit fit;
  private final String command;
  private final List<Measure> measures;
  private final Course course;
  private Graph graph;
  private Network network;

  FitTrial(Fit fit, String command) {
    this.fit = fit;
    this.command = command;
    measures = fit.measures();
    network = fit.setup().network().network();
    graph = fit.setup().network().topology().graph();
    course = begin(fit);
  }

  @SuppressWarnings("unchecked") // A method has one kind of state, whatever its step size.
  private static Course begin(Fit fit) {
    Simulation simulation = fit.simulation();
    Method method = fit.plan().algorithm().method();
    if (fit.plan().extrapolate()) {
      throw new InvalidInput("--extrapolate: runs three times and cannot be watched as one");
    }
    Algorithm<?> algorithm =
        fit.plan().auto()
            ? new AutoStep<>(
                Algorithms.family(method, fit.request()),
                fit.request().scales(),
                method.shareOfSafeStep())
            : method.make(fit.request());
    return switch (algorithm) {
      case Algorithm.Rounds<?> rounds ->
          new InRounds(simulation.start((Algorithm.Rounds<Algorithm.State>) rounds));
      case Algorithm.Events<?> events ->
          new InSeconds(simulation.start(events, fit.plan().conditions()));
    };
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
    return course.round();
  }

  @Override
  public int rounds() {
    return fit.plan().rounds();
  }

  @Override
  public void advance(int rounds) {
    course.advance(rounds);
  }

  @Override
  public List<String> measures() {
    return measures.stream().map(Measure::name).toList();
  }

  @Override
  public double[] measure() {
    Rows theta = course.theta();
    return measures.stream().mapToDouble(measure -> measure.of(theta)).toArray();
  }

  @Override
  public List<String> coefficients() {
    return fit.setup().sample().features();
  }

  @Override
  public Rows theta() {
    return course.theta();
  }

  @Override
  public double[] globalEstimate() {
    return fit.globalEstimate().map(GlobalEstimate::theta).orElse(new double[0]);
  }

  @Override
  public long bytes() {
    return course.traffic().bytes();
  }

  @Override
  @SuppressWarnings("unchecked") // As above.
  public void changeAlpha(String alpha) {
    StepSize step = StepSize.parse(alpha);
    Method method = fit.plan().algorithm().method();
    if (!method.takesStepSize() || fit.plan().auto()) {
      throw new InvalidInput(
          "alpha: this run %s"
              .formatted(
                  fit.plan().auto() ? "finds its own step size" : "has no step size to change"));
    }
    inRounds("alpha")
        .change(
            (Algorithm.Rounds<Algorithm.State>)
                Algorithms.rounds(method, fit.request().with(step)));
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
          "cut: a file states these weights; without a link they would not sum to 1");
    }
    Run<Algorithm.State> run = inRounds("cut");
    Graph left = graph.without(client, other);
    Network changed = Network.of(left, weights);
    new Suitability(changed, fit.setup().glm()).require(fit.plan().algorithm().method());
    run.change(changed);
    graph = left;
    network = changed;
  }

  private Run<Algorithm.State> inRounds(String what) {
    return switch (course) {
      case InRounds rounds -> rounds.run();
      case InSeconds seconds ->
          throw new InvalidInput(what + ": an asynchronous run cannot be changed on the way");
    };
  }

  @Override
  public void close() {
    course.close();
  }
}
