package ngd.core.theory;

import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Loss;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import org.jspecify.annotations.Nullable;

/**
 * What the theory judges: a network, a loss on its clients' shards, a step size α, the factors c_m
 * by which clients scale their gradients (1 unless said otherwise), and the global estimate, which
 * every loss but the linear one needs as the point to look at.
 */
public final class Problem {
  private static final String NOT_GIVEN = "the global estimate was not given";

  private final Network network;
  private final CommunicatingClasses classes;
  private final Loss loss;
  private final Shards shards;
  private final double alpha;
  private final double[] scales;
  private final double @Nullable [] globalEstimate;
  private final String whyNoEstimate;

  private Problem(
      Network network,
      CommunicatingClasses classes,
      Loss loss,
      Shards shards,
      double alpha,
      double[] scales,
      double @Nullable [] globalEstimate,
      String whyNoEstimate) {
    this.network = network;
    this.classes = classes;
    this.loss = loss;
    this.shards = shards;
    this.alpha = alpha;
    this.scales = scales;
    this.globalEstimate = globalEstimate;
    this.whyNoEstimate = whyNoEstimate;
  }

  public static Problem of(Network network, Loss loss, Shards shards, double alpha) {
    ContractionOperator.checkAlpha(alpha);
    if (network.clients() != shards.clients()) {
      throw new InvalidInput(
          "network: must have %d clients, as many as the data; got %d"
              .formatted(shards.clients(), network.clients()));
    }
    double[] scales = new double[shards.clients()];
    Arrays.fill(scales, 1);
    return new Problem(
        network, CommunicatingClasses.of(network), loss, shards, alpha, scales, null, NOT_GIVEN);
  }

  /** The same with client m's gradient times {@code scales[m]}, all of them positive. */
  public Problem scaledBy(double[] scales) {
    Curvature.checkScales(scales, shards.clients());
    return new Problem(
        network, classes, loss, shards, alpha, scales.clone(), globalEstimate, whyNoEstimate);
  }

  /** The same with a known global estimate. */
  public Problem near(double[] globalEstimate) {
    if (globalEstimate.length != parameters()) {
      throw new IllegalArgumentException(
          "global estimate: must have %d parameters; got %d"
              .formatted(parameters(), globalEstimate.length));
    }
    return new Problem(
        network, classes, loss, shards, alpha, scales, globalEstimate.clone(), NOT_GIVEN);
  }

  /** The same, where a global estimate does not exist, for this reason. */
  public Problem withoutEstimate(String reason) {
    return new Problem(network, classes, loss, shards, alpha, scales, null, reason);
  }

  public Network network() {
    return network;
  }

  public CommunicatingClasses classes() {
    return classes;
  }

  public Loss loss() {
    return loss;
  }

  public Shards shards() {
    return shards;
  }

  public double alpha() {
    return alpha;
  }

  /** p, the number of parameters. */
  public int parameters() {
    return loss.parameters(shards.features());
  }

  /** Whether all clients have as many rows, the paper's n: each counts by its mean over them. */
  boolean equalRows() {
    return IntStream.range(1, shards.clients()).allMatch(m -> shards.rows(m) == shards.rows(0));
  }

  /** The rows of a client that have a weight. */
  int countedRows(int client) {
    Shard shard = shards.shard(client);
    return (int) IntStream.range(0, shard.rows()).filter(i -> shard.weight(i) > 0).count();
  }

  double[] scales() {
    return scales.clone();
  }

  /** Σ̂xx is the linear model's Hessian at every point, and what is proved holds everywhere. */
  boolean linear() {
    return loss instanceof Linear;
  }

  double[] globalEstimate() throws NotComputed {
    if (globalEstimate == null) {
      throw new NotComputed(whyNoEstimate);
    }
    return globalEstimate.clone();
  }
}
