package ngd.core.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.Need;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Loss;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.Stationary;

/**
 * Whether a method can do its work on a network with a loss, and the gradient scales it asks for.
 */
public final class Suitability {
  private static final double ROUNDING = 1e-12;

  /** Beyond this all eigenvalues of W take longer than a person waits; the run itself will tell. */
  private static final int DENSE_LIMIT = 1000;

  private final Network network;
  private final boolean hessian;
  private final CommunicatingClasses classes;

  public Suitability(Network network, Loss loss) {
    this(network, loss instanceof CurvedLoss);
  }

  /**
   * For a loss that is known elsewhere.
   *
   * @param hessian whether it has one
   */
  public Suitability(Network network, boolean hessian) {
    this.network = network;
    this.hessian = hessian;
    classes = CommunicatingClasses.of(network);
  }

  /** Refuses a method whose needs are not met, naming each with what would do. */
  public void require(Method method) {
    List<String> unmet = new ArrayList<>();
    for (Need need : Need.values()) {
      if (method.needs().contains(need) && !met(need)) {
        unmet.add(
            "algorithm `%s`: needs %s; %s".formatted(method.name(), need.what(), need.remedy()));
      }
    }
    if (!unmet.isEmpty()) {
      throw new InvalidInput(String.join("\n", unmet));
    }
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
      case HESSIAN -> hessian;
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
   * The scales with which the method's target is the pooled estimate, where there are such: clients
   * that nobody hears have no weight that could be scaled up.
   */
  public GradientScales scales(Method method, int[] rows) {
    return switch (method.weighting()) {
      case NONE -> GradientScales.NONE;
      case BY_SIZE -> GradientScales.bySize(rows);
      case BY_SIZE_AND_WEIGHT -> {
        Optional<double[]> pi = Stationary.of(network, classes).distribution();
        yield pi.isPresent() && Arrays.stream(pi.get()).allMatch(share -> share > 0)
            ? GradientScales.bySizeAndWeight(rows, pi.get())
            : GradientScales.NONE;
      }
    };
  }
}
