package ngd.studies.coverage;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Averaged;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.IntervalChoice;
import ngd.core.algorithm.StepChoice;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.inference.AveragedIntervals;
import ngd.core.inference.Coefficient;
import ngd.core.inference.StationaryWeights;
import ngd.core.model.Families;
import ngd.core.model.Regression;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.studies.ReplicatedStudy;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * Whether intervals around the mean over rounds of decentralized SGD cover the truth as often as
 * they say: both kinds of interval, two models, rows dealt at random and used once.
 *
 * @param clients M
 * @param steps T, the rounds
 * @param batch the rows of a client in a round
 */
public record AveragedCoverageStudy(int clients, int steps, int batch, int defaultReplicates)
    implements ReplicatedStudy {
  /** A model with an algorithm and the step sizes that it bears. */
  record Setting(PaperModel model, String algorithm, String alpha) {
    String words() {
      return "%s, %s".formatted(model.spec(), algorithm);
    }
  }

  static final List<Setting> SETTINGS =
      List.of(
          new Setting(PaperModel.LINEAR, "d-psgd", "0.5/t^0.505"),
          new Setting(PaperModel.LOGISTIC, "ngd", "2/t^0.505"));

  static final List<IntervalChoice.Kind> KINDS = List.of(IntervalChoice.Kind.values());

  private static final String NETWORK = "ring:1";

  @Override
  public String name() {
    return "coverage-averaged";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put(
        "models", SETTINGS.stream().map(one -> one.words() + ", alpha " + one.alpha()).toList());
    settings.put("rows", rows());
    settings.put("clients", clients);
    settings.put("network", NETWORK);
    settings.put("weights", "metropolis");
    settings.put("rounds", steps);
    settings.put("batch", batch);
    settings.put("intervals", KINDS.stream().map(IntervalChoice.Kind::word).toList());
    settings.put("level", 0.95);
    return settings;
  }

  int rows() {
    return clients * steps * batch;
  }

  /** The numbers of a model and a kind of interval begin here. */
  static int cell(int setting, int kind) {
    return (setting * KINDS.size() + kind) * CoverageStudy.WIDEST * CoverageStudy.NUMBERS;
  }

  @Override
  public int width() {
    return cell(SETTINGS.size(), 0);
  }

  @Override
  public long rounds() {
    return (long) steps * SETTINGS.size() * KINDS.size();
  }

  /** In microseconds, about. */
  @Override
  public double cost() {
    return 8.0 * rows() * SETTINGS.size();
  }

  @Override
  public double[] replicate(Streams streams) {
    double[] values = new double[width()];
    Arrays.fill(values, Double.NaN);
    for (int s = 0; s < SETTINGS.size(); s++) {
      Table table = SETTINGS.get(s).model().table(rows(), streams);
      Shards shards =
          Partition.parse("random")
              .assign(table, OptionalInt.of(clients), Placement.IN_ORDER, streams)
              .shards(table);
      for (int k = 0; k < KINDS.size(); k++) {
        one(SETTINGS.get(s), shards, table.features(), KINDS.get(k), streams, values, cell(s, k));
      }
    }
    return values;
  }

  private void one(
      Setting setting,
      Shards shards,
      List<String> terms,
      IntervalChoice.Kind kind,
      Streams streams,
      double[] values,
      int at) {
    Network network =
        Network.of(Topology.parse(NETWORK, clients, streams), new Weights.Metropolis());
    Regression regression = Families.of(setting.model());
    IntervalChoice asked = new IntervalChoice(kind, OptionalInt.empty()).of(steps);
    AlgorithmChoice choice =
        AlgorithmChoice.of(setting.algorithm(), StepChoice.parse(setting.alpha()))
            .withBatch(batch)
            .with(asked);
    Algorithm.Rounds<?> method = choice.rounds(GradientScales.NONE, false);
    Simulation simulation = new Simulation(network, regression.over(shards), streams, 1);
    try (Run<?> run = simulation.start(method)) {
      run.advance(steps);
      AveragedIntervals found =
          simulation.within(
              world ->
                  AveragedIntervals.of(
                      world,
                      (Averaged.State<?>) run.state(),
                      regression,
                      new AveragedIntervals.Shares(
                          StationaryWeights.of(network), GradientScales.NONE),
                      new AveragedIntervals.Settings(asked, steps, batch, 0.95, terms)));
      double[] truth = setting.model().truth();
      for (int j = 0; j < truth.length; j++) {
        Coefficient line = found.coefficients().get(j);
        int place = at + j * CoverageStudy.NUMBERS;
        values[place] = line.estimate() - truth[j];
        values[place + 1] = line.high() - line.low();
        values[place + 2] = line.low() <= truth[j] && truth[j] <= line.high() ? 1 : 0;
      }
    }
  }

  @Override
  public Section report(Results results, Output output) {
    return new AveragedCoverageReport(this, results).write(output);
  }
}
