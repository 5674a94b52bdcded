package ngd.studies.privacy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.privacy.CentralFit;
import ngd.core.privacy.GradientPrivacy;
import ngd.core.privacy.NoiseSource;
import ngd.core.privacy.PairGraph;
import ngd.core.privacy.Privacy;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.studies.ReplicatedStudy;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * The error of the estimate against ε on the paper's linear model, rows dealt equally to the sites:
 * network gradient descent with local and with correlated noise, and the pooled fit with noise in
 * its sums, all on the same data.
 *
 * @param rows N
 * @param clients M
 * @param networks who hears whom, all with balanced weights
 */
public record PrivacyStudy(
    int rows, int clients, List<String> networks, List<Double> epsilons, int defaultReplicates)
    implements ReplicatedStudy {
  static final double DELTA = 1e-6;

  private static final double CLIP = 6;
  private static final double BOUND = 4;
  private static final int STEPS = 8;
  private static final int ROUNDS = 85;

  /** Long steps to come near, short ones to average noise away, tiny ones to average over sites. */
  private static final String ALPHA = "0.4,0.05@40,0.005@80";

  /** Who adds the noise. */
  enum Kind {
    LOCAL("local", ""),
    CORRELATED("correlated", ",noise=correlated"),
    CENTRAL("central", ",noise=central,bound=" + BOUND + ",steps=" + STEPS);

    private final String words;
    private final String options;

    Kind(String words, String options) {
      this.words = words;
      this.options = options;
    }

    String words() {
      return words;
    }

    Privacy privacy(double epsilon) {
      return Privacy.parse(
          "epsilon=%s,delta=%s,clip=%s%s".formatted(epsilon, DELTA, CLIP, options));
    }
  }

  static final List<Kind> KINDS = List.of(Kind.values());

  public PrivacyStudy {
    networks = List.copyOf(networks);
    epsilons = List.copyOf(epsilons);
  }

  /** {@code ngd study privacy}. */
  public static final class Names implements StudyKind {
    @Override
    public List<String> names() {
      return List.of("privacy");
    }

    @Override
    public StudyRequest request(String name, Question options) {
      return new StudyRequest(
          name,
          List.of(
              new PrivacyStudy(
                  10_000,
                  10,
                  List.of("complete", "ring:2"),
                  List.of(0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
                  20)));
    }
  }

  @Override
  public String name() {
    return "privacy";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("model", PaperModel.LINEAR.spec());
    settings.put("rows", rows);
    settings.put("clients", clients);
    settings.put("networks", networks);
    settings.put("epsilons", epsilons);
    settings.put("delta", DELTA);
    settings.put("clip", CLIP);
    settings.put("bound", BOUND);
    settings.put("steps", STEPS);
    settings.put("alpha", ALPHA);
    settings.put("rounds", ROUNDS);
    settings.put("noise", KINDS.stream().map(Kind::words).toList());
    return settings;
  }

  /** Where the error of a cell stands; that of the pooled estimate without noise is the first. */
  int cell(int network, int epsilon, int kind) {
    return 1 + (network * epsilons.size() + epsilon) * KINDS.size() + kind;
  }

  @Override
  public int width() {
    return cell(networks.size(), 0, 0);
  }

  @Override
  public long rounds() {
    return 2L * ROUNDS * networks.size() * epsilons.size();
  }

  /** In microseconds, about. */
  @Override
  public double cost() {
    return 0.3 * rounds() * rows;
  }

  @Override
  public double[] replicate(Streams streams) {
    Table table = PaperModel.LINEAR.table(rows, streams);
    Shards shards = shards(table);
    double[] values = new double[width()];
    double[] pooled = GlobalEstimate.of(new Linear(), shards, table.features()).theta();
    values[0] = error(new double[][] {pooled});
    for (int n = 0; n < networks.size(); n++) {
      Network network = Network.of(Topology.parse(networks.get(n), clients, streams));
      for (int e = 0; e < epsilons.size(); e++) {
        for (int k = 0; k < KINDS.size(); k++) {
          Privacy privacy = KINDS.get(k).privacy(epsilons.get(e));
          values[cell(n, e, k)] =
              error(
                  KINDS.get(k) == Kind.CENTRAL
                      ? central(privacy, network, shards, streams)
                      : inRounds(privacy, network, shards, streams));
        }
      }
    }
    return values;
  }

  private static double[][] inRounds(
      Privacy privacy, Network network, Shards shards, Streams streams) {
    Simulation simulation =
        new Simulation(network, new Linear().over(shards), streams, 1)
            .with(GradientPrivacy.of(privacy, ROUNDS, network));
    try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.parse(ALPHA)))) {
      run.advance(ROUNDS);
      Rows theta = run.theta();
      double[][] found = new double[theta.rows()][];
      Arrays.setAll(found, theta::row);
      return found;
    }
  }

  private static double[][] central(
      Privacy privacy, Network network, Shards shards, Streams streams) {
    CentralFit fit =
        CentralFit.seeded(
            new Linear().over(shards),
            new Linear(),
            privacy,
            GradientPrivacy.of(privacy, STEPS + 1L, network),
            NoiseSource.seeded(streams, PairGraph.of(network)));
    return new double[][] {
      fit.theta(Simulation.exchange(network)).stream().mapToDouble(Double::doubleValue).toArray()
    };
  }

  /** The root mean square distance of a coefficient to the truth, over the sites. */
  private static double error(double[][] estimates) {
    double[] truth = PaperModel.LINEAR.truth();
    double sum = 0;
    for (double[] estimate : estimates) {
      for (int j = 0; j < truth.length; j++) {
        sum += (estimate[j] - truth[j]) * (estimate[j] - truth[j]);
      }
    }
    return Math.sqrt(sum / (estimates.length * truth.length));
  }

  /** Row after row to site after site, so that sizes differ by at most one. */
  private Shards shards(Table table) {
    int[] sizes = new int[clients];
    Arrays.setAll(sizes, m -> (rows - m + clients - 1) / clients);
    Shards.Filler filler = Shards.sized(table.features().size(), sizes);
    double[] row = new double[table.features().size()];
    for (int i = 0; i < rows; i++) {
      int source = i;
      Arrays.setAll(row, j -> table.x(source, j));
      filler.put(i % clients, i / clients, row, table.y(i));
    }
    return filler.done();
  }

  @Override
  public Section report(Results results, Output output) {
    return new PrivacyReport(this, results).write(output);
  }
}
