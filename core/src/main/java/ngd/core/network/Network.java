package ngd.core.network;

import java.util.Arrays;
import java.util.OptionalInt;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;

/**
 * The row-stochastic matrix W, sparse: client m averages what it hears with these weights.
 *
 * <p>Row m lies at {@code offsets[m] .. offsets[m + 1]} of {@code heard} and {@code weights}, in
 * ascending order of the heard client. The arrays are shared with the kernels; nobody writes to
 * them.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="network"}
 */
public final class Network implements NetworkSchedule {
  /** How far from 1 the weights that a person states may sum. */
  static final double ROW_SUM_TOLERANCE = 1e-9;

  private final int[] offsets;
  private final int[] heard;
  private final double[] weights;
  private volatile @Nullable CommunicatingClasses classes;

  Network(int[] offsets, int[] heard, double[] weights) {
    this.offsets = offsets;
    this.heard = heard;
    this.weights = weights;
  }

  /** W over a topology, with the weights that {@link Weights#standard} gives it. */
  public static Network of(Topology topology) {
    return of(topology, Weights.standard(topology));
  }

  /** W over a topology. */
  public static Network of(Topology topology, Weights weights) {
    if (topology.changes()) {
      if (NetworkSchedule.of(topology, weights) instanceof Network everyRound) {
        return everyRound;
      }
      throw new InvalidInput(
          "network: must be a constant one here; `%s` changes from round to round"
              .formatted(topology.spec()));
    }
    // A file's own weights may leave a client alone with itself, which no graph of links allows.
    return weights instanceof Weights.Stated stated && stated.file().equals(topology)
        ? stated.network()
        : weights.on(topology.graph());
  }

  /** W over the links of a graph. */
  public static Network of(Graph graph, Weights weights) {
    return weights.on(graph);
  }

  /** W from a square array, row m the weights of client m; zeros are no links. */
  public static Network of(double[][] w) {
    int clients = w.length;
    if (clients < 1) {
      throw new InvalidInput("W: needs at least one row; got 0");
    }
    int[] offsets = new int[clients + 1];
    for (int m = 0; m < clients; m++) {
      if (w[m].length != clients) {
        throw new InvalidInput(
            "W: row %d must have %d entries, one per client; got %d"
                .formatted(m, clients, w[m].length));
      }
      offsets[m + 1] =
          Graph.offset(offsets[m] + Arrays.stream(w[m]).filter(value -> value != 0).count());
    }
    int[] heard = new int[offsets[clients]];
    double[] weights = new double[offsets[clients]];
    for (int m = 0; m < clients; m++) {
      int at = offsets[m];
      double sum = 0;
      for (int k = 0; k < clients; k++) {
        if (!(w[m][k] >= 0)) {
          throw new InvalidInput(
              "W: entries must be 0 or more; row %d, column %d is %s".formatted(m, k, w[m][k]));
        }
        if (w[m][k] > 0) {
          heard[at] = k;
          weights[at++] = w[m][k];
        }
        sum += w[m][k];
      }
      if (!(Math.abs(sum - 1) <= ROW_SUM_TOLERANCE)) {
        throw new InvalidInput(
            "W: each row must sum to 1 within %s; row %d sums to %s"
                .formatted(ROW_SUM_TOLERANCE, m, sum));
      }
    }
    return new Network(offsets, heard, weights);
  }

  @Override
  public int clients() {
    return offsets.length - 1;
  }

  @Override
  public Network at(int round) {
    return this;
  }

  @Override
  public OptionalInt period() {
    return OptionalInt.of(1);
  }

  CommunicatingClasses classes() {
    CommunicatingClasses found = classes;
    if (found == null) {
      found = CommunicatingClasses.find(this);
      classes = found;
    }
    return found;
  }

  @Override
  public Network mean() {
    return this;
  }

  @Override
  public boolean always(NetworkProperty property) {
    return property.of(this);
  }

  /** The number of positive weights, a client's weight on itself included. */
  public int edges() {
    return heard.length;
  }

  /** The links between different clients. */
  public int links() {
    int own = 0;
    for (int m = 0; m < clients(); m++) {
      own += weight(m, m) > 0 ? 1 : 0;
    }
    return heard.length - own;
  }

  public int[] offsets() {
    return offsets;
  }

  public int[] heard() {
    return heard;
  }

  public double[] weights() {
    return weights;
  }

  /** w[client][other], 0 where the client does not hear the other. */
  public double weight(int client, int other) {
    int at = Arrays.binarySearch(heard, offsets[client], offsets[client + 1], other);
    return at < 0 ? 0 : weights[at];
  }

  /**
   * The network turned round: each client gives equal shares to those who hear it and, where asked
   * or where nobody does, to itself. What clients push moves along these.
   */
  public Network toListeners(boolean andSelf) {
    int clients = clients();
    int[] listeners = new int[clients];
    for (int m = 0; m < clients; m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        listeners[heard[e]] += heard[e] == m ? 0 : 1;
      }
    }
    int[] from = new int[clients + 1];
    for (int k = 0; k < clients; k++) {
      from[k + 1] = from[k] + listeners[k] + (andSelf || listeners[k] == 0 ? 1 : 0);
    }
    int[] next = from.clone();
    int[] to = new int[from[clients]];
    double[] shares = new double[to.length];
    for (int m = 0; m < clients; m++) {
      if (andSelf || listeners[m] == 0) {
        to[next[m]++] = m;
      }
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        if (heard[e] != m) {
          to[next[heard[e]]++] = m;
        }
      }
      Arrays.fill(shares, from[m], from[m + 1], 1.0 / (from[m + 1] - from[m]));
    }
    return new Network(from, to, shares);
  }

  /** Wᵀ1: how much weight the others give to each client, 1 for all when W is balanced. */
  public double[] columnSums() {
    double[] sums = new double[clients()];
    for (int e = 0; e < heard.length; e++) {
      sums[heard[e]] += weights[e];
    }
    return sums;
  }

  /** SE(W) = ‖Wᵀ1 − 1‖ / √M, the paper's measure of imbalance (section 2.4). */
  public double se() {
    double sum = 0;
    for (double column : columnSums()) {
      sum += (column - 1) * (column - 1);
    }
    return Math.sqrt(sum / clients());
  }
}
