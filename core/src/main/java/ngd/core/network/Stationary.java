package ngd.core.network;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The stationary distribution π of W, πᵀW = πᵀ: the weight with which each client's data enter what
 * NGD minimises when α is small. Zero on clients that lie in no closed class.
 */
public final class Stationary {
  /** Beyond this, elimination of a full matrix takes longer than a person waits. */
  static final int DENSE_LIMIT = 2000;

  private static final long WORK_LIMIT = 20_000_000_000L;
  private static final double TOLERANCE = 1e-13;

  private final double @Nullable [] pi;
  private final String how;

  private Stationary(double @Nullable [] pi, String how) {
    this.pi = pi;
    this.how = how;
  }

  public static Stationary of(Network network, CommunicatingClasses classes) {
    int[] closed = classes.closedClasses();
    if (closed.length > 1) {
      return new Stationary(null, "not unique: W has %d closed classes".formatted(closed.length));
    }
    ClassBlock block = new ClassBlock(network, classes, closed[0]);
    Stationary inside = inside(block);
    if (inside.pi == null) {
      return inside;
    }
    int[] members = classes.members(closed[0]);
    double sum = Arrays.stream(inside.pi).sum();
    double[] pi = new double[network.clients()];
    for (int i = 0; i < members.length; i++) {
      pi[members[i]] = inside.pi[i] / sum;
    }
    return new Stationary(pi, inside.how);
  }

  /** Numbers proportional to π on the closed class. */
  private static Stationary inside(ClassBlock block) {
    if (doublyStochastic(block)) {
      double[] even = new double[block.size()];
      Arrays.fill(even, 1);
      return new Stationary(even, "closed form (doubly stochastic)");
    }
    Optional<double[]> balanced = block.balance();
    if (balanced.isPresent()) {
      return new Stationary(balanced.get(), "closed form (detailed balance)");
    }
    if (block.size() <= DENSE_LIMIT) {
      return new Stationary(eliminate(block.dense(), block.size()), "dense (GTH elimination)");
    }
    return iterate(block)
        .map(pi -> new Stationary(pi, "iterative (power iteration)"))
        .orElse(new Stationary(null, "not computed: power iteration did not settle"));
  }

  /** A copy of π; empty where it is not unique or was not computed. */
  public Optional<double[]> distribution() {
    return Optional.ofNullable(pi).map(double[]::clone);
  }

  /** How π was found, or why it was not. */
  public String how() {
    return how;
  }

  public Measured min() {
    return pi == null ? Measured.not(how) : Measured.of(Arrays.stream(pi).min().orElseThrow(), how);
  }

  public Measured max() {
    return pi == null ? Measured.not(how) : Measured.of(Arrays.stream(pi).max().orElseThrow(), how);
  }

  private static boolean doublyStochastic(ClassBlock block) {
    double[] ones = new double[block.size()];
    Arrays.fill(ones, 1);
    double[] columns = new double[block.size()];
    block.transposeTimes(ones, columns);
    return Arrays.stream(columns).allMatch(sum -> Math.abs(sum - 1) <= 1e-12);
  }

  /**
   * Grassmann, Taksar and Heyman's elimination: client after client is taken out of the chain and
   * its flow led on. It only adds, multiplies and divides positive numbers, so no entry of π loses
   * its digits, however small it is.
   */
  private static double[] eliminate(double[] a, int size) {
    double[] out = new double[size];
    for (int k = size - 1; k > 0; k--) {
      int row = k * size;
      for (int j = 0; j < k; j++) {
        out[k] += a[row + j];
      }
      for (int i = 0; i < k; i++) {
        double flow = a[i * size + k] / out[k];
        if (flow == 0) {
          continue;
        }
        a[i * size + k] = flow;
        for (int j = 0; j < k; j++) {
          a[i * size + j] += flow * a[row + j];
        }
      }
    }
    double[] pi = new double[size];
    pi[0] = 1;
    for (int k = 1; k < size; k++) {
      for (int i = 0; i < k; i++) {
        pi[k] += pi[i] * a[i * size + k];
      }
    }
    return pi;
  }

  /** Powers of (I + W)/2, which has the same π and no period. */
  private static Optional<double[]> iterate(ClassBlock block) {
    double[] pi = new double[block.size()];
    Arrays.fill(pi, 1.0 / block.size());
    double[] next = new double[block.size()];
    long rounds = WORK_LIMIT / (4L * block.links() + 4L * block.size());
    for (long round = 0; round < rounds; round++) {
      block.transposeTimes(pi, next);
      double moved = 0;
      double sum = 0;
      for (int i = 0; i < pi.length; i++) {
        moved += Math.abs(next[i] - pi[i]);
        next[i] = (next[i] + pi[i]) / 2;
        sum += next[i];
      }
      for (int i = 0; i < pi.length; i++) {
        pi[i] = next[i] / sum;
      }
      if (moved <= TOLERANCE) {
        return Optional.of(pi);
      }
    }
    return Optional.empty();
  }
}
