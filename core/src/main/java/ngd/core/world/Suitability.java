package ngd.core.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LinkLocal;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Loss;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.Stationary;

/**
 * Whether an algorithm can do its work on a network with a loss, and the gradient scales it asks
 * for: the one place where needs are checked, for every world and before a plan is signed.
 */
public final class Suitability {
  private static final double ROUNDING = 1e-12;

  /** Beyond this all eigenvalues of W take longer than a person waits; the run itself will tell. */
  private static final int DENSE_LIMIT = 1000;

  private final Network network;
  private final Class<? extends Local> data;
  private final Mixing mixing;
  private final CommunicatingClasses classes;

  /**
   * For the data that a process holds, and a mixing rule.
   *
   * @param data what the data can do, as a type
   */
  public Suitability(Network network, Class<? extends Local> data, Mixing mixing) {
    this.network = network;
    this.data = data;
    this.mixing = mixing;
    classes = CommunicatingClasses.of(network);
  }

  /** For a loss on shards in this process. */
  public Suitability(Network network, Loss loss, Mixing mixing) {
    this(network, loss instanceof CurvedLoss ? CurvedLocal.class : LinkLocal.class, mixing);
  }

  /** Refuses an algorithm whose needs are not met, naming each with what would do. */
  public void require(AlgorithmChoice choice) {
    List<String> unmet = unmet(choice);
    if (!unmet.isEmpty()) {
      throw new InvalidInput(String.join("\n", unmet));
    }
  }

  /** The needs that are not met, a sentence each. */
  public List<String> unmet(AlgorithmChoice choice) {
    List<String> unmet = new ArrayList<>();
    for (Need need : choice.needs()) {
      if (!met(need)) {
        unmet.add(
            "algorithm `%s`: needs %s; %s"
                .formatted(choice.descriptor().name(), need.what(), need.remedy()));
      }
    }
    return unmet;
  }

  private boolean met(Need need) {
    return switch (need) {
      case STRONGLY_CONNECTED -> classes.count() == 1;
      case APERIODIC ->
          Arrays.stream(classes.closedClasses()).allMatch(c -> classes.period(c) == 1);
      case DOUBLY_STOCHASTIC ->
          Arrays.stream(network.columnSums()).allMatch(sum -> Math.abs(sum - 1) <= 1e-9);
      case SYMMETRIC -> symmetric(true);
      case EIGENVALUES_ABOVE_MINUS_A_THIRD -> aboveMinusAThird();
      case MUTUAL_LINKS -> symmetric(false);
      case MEAN_MIXING -> mixing instanceof Mixing.Mean;
      case LINK_GRADIENTS, HESSIAN -> need.metBy(data);
    };
  }

  /** Whether each link has its reverse, and, where asked, with the same weight. */
  private boolean symmetric(boolean weights) {
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        double back = network.weight(network.heard()[e], m);
        if (back == 0 || (weights && Math.abs(back - network.weights()[e]) > ROUNDING)) {
          return false;
        }
      }
    }
    return true;
  }

  /** By Gershgorin's circles where they tell, else by the eigenvalues themselves. */
  private boolean aboveMinusAThird() {
    int clients = network.clients();
    boolean surely = true;
    for (int m = 0; m < clients; m++) {
      surely &= 2 * network.weight(m, m) - 1 > -1.0 / 3;
    }
    if (surely || clients > DENSE_LIMIT || !symmetric(true)) {
      return true;
    }
    double[] w = new double[clients * clients];
    for (int m = 0; m < clients; m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        w[m * clients + network.heard()[e]] = network.weights()[e];
      }
    }
    return SymmetricMatrix.smallestEigenvalue(w, clients) > -1.0 / 3;
  }

  /**
   * The same for one client in a process of its own, as a factor for its one row.
   *
   * @param rows of this client
   * @param total of all clients
   */
  public GradientScales scaleOf(AlgorithmDescriptor algorithm, int client, long rows, long total) {
    double share = (double) rows / total;
    double factor =
        switch (algorithm.weighting()) {
          case NONE -> 1;
          case BY_SIZE -> network.clients() * share;
          case BY_SIZE_AND_WEIGHT -> positive().map(pi -> share / pi[client]).orElse(1.0);
        };
    // Asynchronous algorithms look it up by the client's number.
    double[] factors = new double[algorithm.asynchronous() ? network.clients() : 1];
    Arrays.fill(factors, factor);
    return GradientScales.of(factors);
  }

  /** The stationary distribution, where nobody's weight is 0. */
  private Optional<double[]> positive() {
    return Stationary.of(network, classes)
        .distribution()
        .filter(pi -> Arrays.stream(pi).allMatch(share -> share > 0));
  }

  /**
   * The scales with which the algorithm's target is the pooled estimate, where there are such:
   * clients that nobody hears have no weight that could be scaled up.
   */
  public GradientScales scales(AlgorithmDescriptor algorithm, int[] rows) {
    return switch (algorithm.weighting()) {
      case NONE -> GradientScales.NONE;
      case BY_SIZE -> GradientScales.bySize(rows);
      case BY_SIZE_AND_WEIGHT ->
          positive()
              .map(pi -> GradientScales.bySizeAndWeight(rows, pi))
              .orElse(GradientScales.NONE);
    };
  }
}
