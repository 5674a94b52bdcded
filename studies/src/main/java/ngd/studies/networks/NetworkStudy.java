package ngd.studies.networks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.network.Diagnosis;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.studies.ReplicatedStudy;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * What networks are like before any data: the three structures of section 2.4 and the regular
 * network, over the number of clients and the degree. Random kinds are drawn anew in each
 * replicate.
 */
public record NetworkStudy(List<Integer> clients, List<Integer> degrees, int defaultReplicates)
    implements ReplicatedStudy {
  /** What is measured of a network, in the order in which a replicate holds it. */
  enum Measure {
    /** SE²(W). */
    SE2,
    /** The share of the clients whom nobody hears. */
    UNHEARD,
    /** The share of the clients in no closed class. */
    TRANSIENT,
    CLOSED_CLASSES,
    /** 1 where W is irreducible, else 0. */
    IRREDUCIBLE,
    /** The second largest modulus of W's eigenvalues. */
    SECOND_EIGENVALUE,
    /** The smallest positive singular value of I − W. */
    SIGMA_MIN_PLUS
  }

  private static final int MEASURES = Measure.values().length;
  private static final List<String> RANDOM_KINDS = List.of("fixed", "regular");

  public NetworkStudy {
    clients = List.copyOf(clients);
    degrees = List.copyOf(degrees);
  }

  /** A network of the study. */
  record Case(String network, int clients, int degree) {}

  /** Those that each replicate draws. */
  List<Case> drawn() {
    List<Case> cases = new ArrayList<>();
    for (String kind : RANDOM_KINDS) {
      for (int m : clients) {
        for (int d : degrees) {
          cases.add(new Case(kind + ":" + d, m, d));
        }
      }
    }
    return cases;
  }

  /** Those without any randomness. */
  List<Case> built() {
    List<Case> cases = new ArrayList<>();
    for (int m : clients) {
      cases.add(new Case("central", m, m - 1));
    }
    for (int m : clients) {
      for (int d : degrees) {
        cases.add(new Case("circle:" + d, m, d));
      }
    }
    return cases;
  }

  /** Sizes around the paper's M; degrees as in its figure 5. */
  public static final class Kind implements StudyKind {
    @Override
    public List<String> names() {
      return List.of("networks");
    }

    @Override
    public StudyRequest request(String name, Question options) {
      return new StudyRequest(
          name,
          List.of(new NetworkStudy(List.of(50, 100, 200), List.of(1, 2, 3, 4, 6, 8, 10), 100)));
    }
  }

  @Override
  public String name() {
    return "networks";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("clients", clients);
    settings.put("degrees", degrees);
    settings.put("kinds", List.of("central", "circle", "fixed", "regular"));
    return settings;
  }

  @Override
  public int width() {
    return drawn().size() * MEASURES;
  }

  @Override
  public long rounds() {
    return 0;
  }

  /** In microseconds, about: the eigenvalues cost by the cube of M. */
  @Override
  public double cost() {
    return drawn().stream().mapToDouble(c -> 0.02 * Math.pow(c.clients(), 3)).sum();
  }

  @Override
  public double[] replicate(Streams streams) {
    List<Case> cases = drawn();
    double[] values = new double[width()];
    for (int c = 0; c < cases.size(); c++) {
      System.arraycopy(measured(cases.get(c), streams), 0, values, c * MEASURES, MEASURES);
    }
    return values;
  }

  static double[] measured(Case network, Streams streams) {
    Topology topology = Topology.parse(network.network(), network.clients(), streams);
    Diagnosis diagnosis = Diagnosis.of(topology, new Weights.Uniform());
    double[] values = new double[MEASURES];
    for (Measure measure : Measure.values()) {
      values[index(measure)] =
          switch (measure) {
            case SE2 -> diagnosis.se() * diagnosis.se();
            case UNHEARD -> (double) diagnosis.unheard().length / network.clients();
            case TRANSIENT -> (double) diagnosis.transientClients().length / network.clients();
            case CLOSED_CLASSES -> diagnosis.closedClassSizes().size();
            case IRREDUCIBLE -> diagnosis.irreducible() ? 1 : 0;
            case SECOND_EIGENVALUE -> diagnosis.spectrum().secondEigenvalue().orNaN();
            case SIGMA_MIN_PLUS -> diagnosis.spectrum().sigmaMinPlus().orNaN();
          };
    }
    return values;
  }

  static int index(Measure measure) {
    return List.of(Measure.values()).indexOf(measure);
  }

  /** The place of a measure of the c-th drawn network in a replicate. */
  int place(int c, Measure measure) {
    return c * MEASURES + index(measure);
  }

  @Override
  public Section report(Results results, Output output) {
    return new NetworksReport(this, results).write(output);
  }
}
