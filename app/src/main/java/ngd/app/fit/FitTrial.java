package ngd.app.fit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.app.terminal.Version;
import ngd.app.window.Trial;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.answer.MethodAnswer;
import ngd.core.fit.MethodRun;
import ngd.core.fit.Sample;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Graph;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.question.MethodKeys;
import ngd.core.question.Question;
import ngd.core.rows.Rows;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.simulation.EventRun;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.SimulatedRun;
import ngd.core.simulation.Trace;
import ngd.core.world.Suitability;

/** A fit that goes on as far as someone asks, and can be changed on the way. */
final class FitTrial implements Trial {
  /** More than a screen or a reader of the saved table has use for. */
  private static final int MOST_LOOKS = 2000;

  private final MethodRun fit;
  private final Optional<String> edges;
  private final List<String> cuts = new ArrayList<>();
  private final List<Measure> measures;
  private final SimulatedRun run;
  private Question asked;
  private int saidRounds = Integer.MAX_VALUE;
  private Trace trace;
  private Graph graph;
  private Network network;

  /**
   * A run at round 0.
   *
   * @param edges the network, where it was drawn
   */
  FitTrial(MethodRun fit, Optional<String> edges) {
    this.fit = fit;
    this.edges = edges;
    asked = withSkip(fit.setup().question());
    measures = fit.measures();
    trace = Trace.empty(measures);
    network = fit.setup().network().network();
    graph = fit.setup().network().topology().graph();
    run = fit.begin();
  }

  /**
   * Says how many rounds do not count in an average, which otherwise follows from how many there
   * are.
   */
  private static Question withSkip(Question question) {
    return question
        .find(MethodKeys.INTERVALS)
        .map(
            choice ->
                question.with(MethodKeys.INTERVALS, choice.of(question.get(MethodKeys.ROUNDS))))
        .orElse(question);
  }

  @Override
  public String command(int rounds) {
    return asked(Math.min(rounds, saidRounds)).commandLine("./ngd fit");
  }

  private Question asked(int rounds) {
    return asked.with(MethodKeys.ROUNDS, rounds);
  }

  @Override
  public String unsaid() {
    return cuts.isEmpty()
        ? ""
        : "No option cuts a link in mid-run: the command gives this run up to round %d, when %s."
            .formatted(saidRounds, cuts.getFirst());
  }

  @Override
  public void save(Path folder) {
    RunFolder target = RunFolder.at(folder);
    Question done = asked(run.round());
    measureNow();
    MethodAnswer answer;
    try {
      answer = fit.answer(done, run, trace, List.copyOf(notes()));
    } catch (WorkFailed e) {
      throw new InvalidInput("this run cannot be saved: " + e.getMessage(), e);
    }
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>(answer.files());
    edges.ifPresent(text -> files.put("edges.csv", file -> Files.writeString(file, text)));
    Sample sample = fit.setup().sample();
    target.write(
        new Manifest("fit", Version.number(), done, sample.source(), sample.rows(), sample.hash()),
        files);
  }

  /** What the question of a saved run does not say. */
  private List<String> notes() {
    return cuts.isEmpty()
        ? List.of()
        : List.of(
            "links were cut in mid-run, which no option says: %s; from then on this is another run than the manifest's question gives"
                .formatted(String.join(", ", cuts)));
  }

  private void measureNow() {
    if (trace.size() == 0 || trace.round(trace.size() - 1) < run.round()) {
      trace.add(run.round(), run.theta(), run.cost());
      trace = trace.size() > MOST_LOOKS ? trace.thinned() : trace;
    }
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
    measureNow();
    return measures.stream().mapToDouble(measure -> trace.last(measure.name())).toArray();
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
    if (!(MethodKeys.choice(asked).step() instanceof StepChoice.Given(StepSize before))) {
      throw new InvalidInput(
          "alpha: this run's algorithm %s"
              .formatted(
                  fit.choice().step() instanceof StepChoice.Auto
                      ? "chooses its own step size"
                      : "has no step size to change"));
    }
    // The same words as on the command line, so that they can be said there.
    StepSize whole = before.until(run.round(), step);
    boolean linear = fit.setup().loss() instanceof Linear;
    inRounds("alpha")
        .change(
            (Algorithm.Rounds<Algorithm.State>)
                fit.choice().with(whole).rounds(fit.scales(), linear));
    asked = asked.with(MethodKeys.ALPHA, new StepChoice.Given(whole));
  }

  @Override
  public void cut(int client, int other) {
    if (client < 0 || client >= graph.clients()) {
      throw new InvalidInput(
          "cut: a client must lie in [0, %d]; got %d".formatted(graph.clients() - 1, client));
    }
    if (!(fit.setup().network().schedule() instanceof Network)) {
      throw new InvalidInput(
          "cut: this network changes from round to round; only the links of a constant one can be"
              + " cut");
    }
    if (asked.says(MethodKeys.INTERVALS)) {
      throw new InvalidInput("cut: intervals hold for one network; run again without --intervals");
    }
    Weights weights = fit.setup().network().weights();
    if (weights instanceof Weights.Stated) {
      throw new InvalidInput(
          "cut: these weights come from a file; without the link they would not sum to 1");
    }
    Run<Algorithm.State> rounds = inRounds("cut");
    Graph left = graph.without(client, other);
    Network changed = Network.of(left, weights);
    new Suitability(changed, fit.setup().loss(), MethodKeys.trust(fit.setup().question()).mixing())
        .require(fit.choice());
    rounds.change(changed);
    graph = left;
    network = changed;
    saidRounds = Math.min(saidRounds, run.round());
    cuts.add("client %d stopped hearing %d at round %d".formatted(client, other, run.round()));
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
