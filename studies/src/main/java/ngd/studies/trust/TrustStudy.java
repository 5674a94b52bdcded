package ngd.studies.trust;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.core.simulation.Attack;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trust;
import ngd.core.world.Diverged;
import ngd.core.world.Mixing;
import ngd.studies.ReplicatedStudy;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * The error of honest clients under attack, on the paper's linear model: network gradient descent
 * with every rule of mixing, every attack, and more and more attackers, spread evenly over a ring.
 *
 * @param rules the words of {@code --mix}
 * @param attacks the words of {@code --attack}
 * @param attackers how many there are at most
 */
public record TrustStudy(
    List<String> rules, List<String> attacks, int attackers, int defaultReplicates)
    implements ReplicatedStudy {
  static final int CLIENTS = 21;
  static final int ROWS = 2100;
  static final String NETWORK = "ring:5";

  private static final double ALPHA = 0.05;
  private static final int ROUNDS = 300;

  public TrustStudy {
    rules = List.copyOf(rules);
    attacks = List.copyOf(attacks);
  }

  /** {@code ngd study trust}. */
  public static final class Kind implements StudyKind {
    @Override
    public List<String> names() {
      return List.of("trust");
    }

    @Override
    public StudyRequest request(String name, Question options) {
      return new StudyRequest(
          name,
          List.of(
              new TrustStudy(
                  List.of(
                      "mean",
                      "trimmed:2",
                      "median",
                      "bridge:2",
                      "clipped:auto:0.2",
                      "geometric-median",
                      "krum:2",
                      "nearest:2",
                      "nnm:2:median"),
                  List.of(
                      "sign-flip:4.0",
                      "constant:50.0",
                      "drift:0.1",
                      "alie",
                      "inner-product:4.0",
                      "dissensus:1.0",
                      "label-flip"),
                  6,
                  20),
              new IdentificationStudy(0.1, 3, 200)));
    }
  }

  @Override
  public String name() {
    return "trust";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("model", PaperModel.LINEAR.spec());
    settings.put("rows", ROWS);
    settings.put("clients", CLIENTS);
    settings.put("network", NETWORK);
    settings.put("weights", "metropolis");
    settings.put("alpha", ALPHA);
    settings.put("rounds", ROUNDS);
    settings.put("rules", rules);
    settings.put("attacks", attacks);
    settings.put("attackers", attackers);
    return settings;
  }

  /**
   * Where an error stands: that of fits of each client's own data is the first, then that of each
   * rule without attackers.
   */
  int cell(int rule, int attack, int count) {
    return count == 0
        ? 1 + rule
        : 1 + rules.size() + (rule * attacks.size() + attack) * attackers + count - 1;
  }

  @Override
  public int width() {
    return cell(rules.size(), 0, 1);
  }

  @Override
  public long rounds() {
    return (long) ROUNDS * rules.size() * (1 + (long) attacks.size() * attackers);
  }

  /** In microseconds, about. */
  @Override
  public double cost() {
    return 60.0 * rounds();
  }

  static Network network() {
    return Network.of(Topology.parse(NETWORK, CLIENTS, Streams.of(1)), new Weights.Metropolis());
  }

  /** So many clients as far from each other as can be. */
  static List<Integer> liars(int count) {
    return IntStream.range(0, count).map(i -> i * CLIENTS / count).boxed().toList();
  }

  /** The most attackers that one honest client hears. */
  static int heard(int count) {
    Network network = network();
    List<Integer> liars = liars(count);
    return IntStream.range(0, CLIENTS)
        .filter(m -> !liars.contains(m))
        .map(m -> (int) liars.stream().filter(k -> network.weight(m, k) > 0).count())
        .max()
        .orElseThrow();
  }

  @Override
  public double[] replicate(Streams streams) {
    Table table = PaperModel.LINEAR.table(ROWS, streams);
    Shards shards =
        Partition.parse("random")
            .assign(table, OptionalInt.of(CLIENTS), Placement.IN_ORDER, streams)
            .shards(table);
    Simulation simulation = new Simulation(network(), new Linear().over(shards), streams, 1);
    double[] values = new double[width()];
    values[0] = alone(shards);
    for (int r = 0; r < rules.size(); r++) {
      Mixing rule = Mixing.parse(rules.get(r));
      values[cell(r, 0, 0)] = error(simulation.with(new Trust(rule)));
      for (int a = 0; a < attacks.size(); a++) {
        Attack attack = Attack.parse(attacks.get(a));
        for (int count = 1; count <= attackers; count++) {
          values[cell(r, a, count)] = error(simulation.with(new Trust(rule, attack, liars(count))));
        }
      }
    }
    return values;
  }

  /** Infinite where the clients diverge. */
  private static double error(Simulation simulation) {
    List<Integer> liars = simulation.trust().attackers();
    try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(ALPHA)))) {
      run.advance(ROUNDS);
      List<double[]> honest = new ArrayList<>();
      for (int m = 0; m < CLIENTS; m++) {
        if (!liars.contains(m)) {
          honest.add(run.theta().row(m));
        }
      }
      return error(honest);
    } catch (Diverged diverged) {
      return Double.POSITIVE_INFINITY;
    }
  }

  private static double alone(Shards shards) {
    List<double[]> own = new ArrayList<>();
    for (int m = 0; m < CLIENTS; m++) {
      own.add(GlobalEstimate.of(new Linear(), shards.only(m)).theta());
    }
    return error(own);
  }

  /** The root mean square distance of a coefficient to the truth, over clients. */
  private static double error(List<double[]> estimates) {
    double[] truth = PaperModel.LINEAR.truth();
    double sum = 0;
    for (double[] estimate : estimates) {
      for (int j = 0; j < truth.length; j++) {
        sum += (estimate[j] - truth[j]) * (estimate[j] - truth[j]);
      }
    }
    return Math.sqrt(sum / (estimates.size() * truth.length));
  }

  @Override
  public Section report(Results results, Output output) {
    return new TrustReport(this, results).write(output);
  }
}
