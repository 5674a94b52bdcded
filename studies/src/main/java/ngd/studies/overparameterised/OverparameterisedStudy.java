package ngd.studies.overparameterised;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.theory.Certificate;
import ngd.core.theory.ContractionOperator;
import ngd.core.theory.Curvature;
import ngd.core.theory.Problem;
import ngd.core.theory.SpectralRadius;
import ngd.studies.ReplicatedStudy;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Local over-parameterisation, n &lt; p &lt; N (section 2.6): whether NGD has one limit from every
 * start, decided in three ways that share nothing: the certificate of docs/theory.md, 2 by ranks,
 * the spectral radius by eigenvalues, and iteration from random starts.
 *
 * <p>The linear model, p = 8, with n = 3 rows on each of 20 clients; α is half the safe limit. The
 * counter-example is a network of which two clients hear only each other: their six rows do not
 * determine eight parameters.
 */
public record OverparameterisedStudy(
    int clients, int rowsEach, int roundsEach, int starts, int defaultReplicates)
    implements ReplicatedStudy {
  static final String COUNTER_EXAMPLE = "counter-example";

  /** In the order of a replicate's numbers. */
  static final List<String> NETWORKS =
      List.of(
          "central", "circle:1", "circle:2", "fixed:1", "fixed:2", "regular:2", COUNTER_EXAMPLE);

  /** α, certificate (1 one limit, 0 none), spectral radius, shrinkage of the starts' spread. */
  static final int NUMBERS = 4;

  /** At the size that the class describes. */
  public static final class Kind implements StudyKind {
    @Override
    public List<String> names() {
      return List.of("overparameterised");
    }

    @Override
    public StudyRequest request(String name, Question options) {
      return new StudyRequest(name, List.of(new OverparameterisedStudy(20, 3, 5000, 3, 500)));
    }
  }

  @Override
  public String name() {
    return "overparameterised";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("model", PaperModel.LINEAR.spec());
    settings.put("clients", clients);
    settings.put("rowsOfEach", rowsEach);
    settings.put("networks", NETWORKS);
    settings.put("alpha", "half the safe limit");
    settings.put("rounds", roundsEach);
    settings.put("starts", starts);
    return settings;
  }

  @Override
  public int width() {
    return NETWORKS.size() * NUMBERS;
  }

  @Override
  public long rounds() {
    return (long) NETWORKS.size() * starts * roundsEach;
  }

  /** In microseconds, about. */
  @Override
  public double cost() {
    return 1.5 * rounds() + 20_000.0 * NETWORKS.size();
  }

  @Override
  public double[] replicate(Streams streams) {
    Shards shards = PaperModel.LINEAR.shards(clients, rowsEach, streams);
    Objective objective = new Linear().over(shards);
    Curvature curvature = Curvature.at(new Linear(), shards, new double[objective.parameters()]);
    double alpha = curvature.eigenvalues().safeAlpha() / 2;
    double[] values = new double[width()];
    for (int i = 0; i < NETWORKS.size(); i++) {
      Network network = network(NETWORKS.get(i), streams);
      Certificate certificate = Certificate.of(Problem.of(network, new Linear(), shards, alpha));
      values[i * NUMBERS] = alpha;
      Boolean converges = certificate.converges();
      values[i * NUMBERS + 1] = converges == null ? Double.NaN : converges ? 1 : 0;
      values[i * NUMBERS + 2] =
          SpectralRadius.of(
                  ContractionOperator.of(network, curvature, alpha),
                  CommunicatingClasses.of(network))
              .orNaN();
      values[i * NUMBERS + 3] = shrinkage(network, objective, alpha, streams);
    }
    return values;
  }

  private Network network(String words, Streams streams) {
    return words.equals(COUNTER_EXAMPLE)
        ? counterExample()
        : Network.of(Topology.parse(words, clients, streams));
  }

  /** Clients 0 and 1 hear only each other; every other client hears its two predecessors. */
  private Network counterExample() {
    double[][] w = new double[clients][clients];
    w[0][1] = 1;
    w[1][0] = 1;
    for (int m = 2; m < clients; m++) {
      w[m][m - 1] = 0.5;
      w[m][m - 2] = 0.5;
    }
    return Network.of(w);
  }

  /** How far runs from random starts end apart, as a share of how far apart they began. */
  private double shrinkage(Network network, Objective objective, double alpha, Streams streams) {
    UniformRandomProvider draws = streams.stream(Streams.Purpose.START);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(draws);
    Simulation simulation = new Simulation(network, objective, streams, 1);
    double[][][] begins = new double[starts][clients][objective.parameters()];
    double[][][] ends = new double[starts][clients][];
    for (int s = 0; s < starts; s++) {
      for (double[] row : begins[s]) {
        for (int j = 0; j < row.length; j++) {
          row[j] = normal.sample();
        }
      }
      try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(alpha)), begins[s])) {
        run.advance(roundsEach);
        Rows theta = run.theta();
        for (int m = 0; m < clients; m++) {
          ends[s][m] = theta.row(m);
        }
      }
    }
    return spread(ends) / spread(begins);
  }

  /** The largest distance between the first run and another. */
  private static double spread(double[][][] runs) {
    double largest = 0;
    for (int s = 1; s < runs.length; s++) {
      double sum = 0;
      for (int m = 0; m < runs[s].length; m++) {
        for (int j = 0; j < runs[s][m].length; j++) {
          double d = runs[s][m][j] - runs[0][m][j];
          sum += d * d;
        }
      }
      largest = Math.max(largest, Math.sqrt(sum));
    }
    return largest;
  }

  @Override
  public Section report(Results results, Output output) {
    return new OverparameterisedReport(this, results).write(output);
  }
}
