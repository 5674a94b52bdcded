package ngd.studies.coverage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.inference.Coefficient;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledFit;
import ngd.core.model.Families;
import ngd.core.model.Regression;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import ngd.studies.ReplicatedStudy;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * Whether the intervals of the pooled answer cover the truth as often as they say, and whether the
 * standard errors are as large as the estimates' spread: the paper's three models, rows dealt at
 * random and in the order of the response, sites of equal and of very unequal size, on the network
 * that the paper calls inconsistent and on a circle.
 *
 * @param rows N
 * @param clients M
 */
public record CoverageStudy(int rows, int clients, int defaultReplicates)
    implements ReplicatedStudy {
  static final List<PaperModel> MODELS =
      List.of(PaperModel.LINEAR, PaperModel.LOGISTIC, PaperModel.POISSON);

  /** How the rows come to the sites, and who hears whom. */
  enum Layout {
    RANDOM_EQUAL("random, equal", false, false, "circle:1"),
    RANDOM_UNEQUAL("random, unequal", false, true, "central"),
    SORTED_EQUAL("sorted, equal", true, false, "central"),
    SORTED_UNEQUAL("sorted, unequal", true, true, "circle:1");

    private final String words;
    private final boolean sorted;
    private final boolean unequal;
    private final String network;

    Layout(String words, boolean sorted, boolean unequal, String network) {
      this.words = words;
      this.sorted = sorted;
      this.unequal = unequal;
      this.network = network;
    }

    String words() {
      return words;
    }

    String network() {
      return network;
    }
  }

  static final List<Layout> LAYOUTS = List.of(Layout.values());

  /** The most coefficients that a model has; narrower ones leave NaN. */
  static final int WIDEST = 8;

  /** For each coefficient: its error, its standard error, and 1 if the 95 % interval covers. */
  static final int NUMBERS = 3;

  /** After the coefficients of a cell: what remains, in standard errors, and the rounds. */
  static final int CELL = WIDEST * NUMBERS + 2;

  /** Small enough for many replicates, large enough for the normal approximation. */
  public static final class Kind implements StudyKind {
    @Override
    public List<String> names() {
      return List.of("coverage");
    }

    @Override
    public StudyRequest request(String name, Question options) {
      return new StudyRequest(
          name,
          List.of(new CoverageStudy(2000, 20, 200), new AveragedCoverageStudy(5, 10_000, 4, 200)));
    }
  }

  @Override
  public String name() {
    return "coverage";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("models", MODELS.stream().map(PaperModel::spec).toList());
    settings.put("rows", rows);
    settings.put("clients", clients);
    settings.put(
        "layouts", LAYOUTS.stream().map(layout -> layout.words + " on " + layout.network).toList());
    settings.put("method", "the pooled answer as ngd fit finds it, model-based covariance");
    settings.put("level", 0.95);
    return settings;
  }

  /** The numbers of a model and a layout begin here. */
  static int cell(int model, int layout) {
    return (model * LAYOUTS.size() + layout) * CELL;
  }

  @Override
  public int width() {
    return MODELS.size() * LAYOUTS.size() * CELL;
  }

  @Override
  public long rounds() {
    return 300L * MODELS.size() * LAYOUTS.size();
  }

  /** In microseconds, about. */
  @Override
  public double cost() {
    return 40.0 * rows * MODELS.size();
  }

  @Override
  public double[] replicate(Streams streams) {
    double[] values = new double[width()];
    Arrays.fill(values, Double.NaN);
    for (int model = 0; model < MODELS.size(); model++) {
      Table table = MODELS.get(model).table(rows, streams);
      for (int layout = 0; layout < LAYOUTS.size(); layout++) {
        one(MODELS.get(model), table, LAYOUTS.get(layout), streams, values, cell(model, layout));
      }
    }
    return values;
  }

  private void one(
      PaperModel model, Table table, Layout layout, Streams streams, double[] values, int at) {
    Network network = Network.of(Topology.parse(layout.network, clients, streams));
    Regression regression = Families.of(model);
    Simulation simulation =
        new Simulation(network, regression.over(shards(table, layout)), streams, 1);
    PooledFit fit =
        PooledFit.on(network, regression, table.features(), PooledFit.Settings.STANDARD);
    Inference found =
        simulation.within(
            world -> Inference.of(fit.run(world, FitProgress.NONE), Inference.Options.STANDARD));
    double[] truth = model.truth();
    for (int j = 0; j < truth.length; j++) {
      Coefficient line = found.coefficients().get(j);
      int place = at + j * NUMBERS;
      values[place] = line.estimate() - truth[j];
      values[place + 1] = line.standardError();
      values[place + 2] = line.low() <= truth[j] && truth[j] <= line.high() ? 1 : 0;
    }
    values[at + WIDEST * NUMBERS] = found.estimate().distance();
    values[at + WIDEST * NUMBERS + 1] = found.estimate().rounds();
  }

  /** In contiguous pieces, all of one size or growing as 1, 2, 3, …. */
  private Shards shards(Table table, Layout layout) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < table.rows(); i++) {
      order.add(i);
    }
    if (layout.sorted) {
      order.sort(Comparator.comparingDouble(table::y));
    }
    int[] ends = new int[clients + 1];
    long all = (long) clients * (clients + 1) / 2;
    for (int m = 1; m <= clients; m++) {
      ends[m] =
          layout.unequal
              ? (int) ((long) m * (m + 1) / 2 * rows / all)
              : (int) ((long) m * rows / clients);
    }
    int[] sizes = new int[clients];
    Arrays.setAll(sizes, m -> ends[m + 1] - ends[m]);
    Shards.Filler filler = Shards.sized(table.features().size(), sizes);
    double[] row = new double[table.features().size()];
    for (int m = 0; m < clients; m++) {
      for (int i = 0; i < sizes[m]; i++) {
        int source = order.get(ends[m] + i);
        Arrays.setAll(row, j -> table.x(source, j));
        filler.put(m, i, row, table.y(source));
      }
    }
    return filler.done();
  }

  @Override
  public Section report(Results results, Output output) {
    return new CoverageReport(this, results).write(output);
  }
}
