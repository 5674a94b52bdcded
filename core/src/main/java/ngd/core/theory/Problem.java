package ngd.core.theory;

import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Loss;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
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
  private final ClientDerivatives data;
  private final double alpha;
  private final double[] scales;
  private final double @Nullable [] globalEstimate;
  private final String whyNoEstimate;

  private Problem(
      Network network,
      CommunicatingClasses classes,
      Loss loss,
      ClientDerivatives data,
      double alpha,
      double[] scales,
      double @Nullable [] globalEstimate,
      String whyNoEstimate) {
    this.network = network;
    this.classes = classes;
    this.loss = loss;
    this.data = data;
    this.alpha = alpha;
    this.scales = scales;
    this.globalEstimate = globalEstimate;
    this.whyNoEstimate = whyNoEstimate;
  }

  public static Problem of(NetworkSchedule schedule, Loss loss, Shards shards, double alpha) {
    return of(schedule, loss, new ShardDerivatives(shards), alpha);
  }

  /**
   * The same of data that are elsewhere. A network that changes with a period is judged as the
   * constant one that it unrolls to, in which each client stands once for each round: one round
   * there is one round of each phase, and its stable solution is the periodic one.
   */
  public static Problem of(
      NetworkSchedule schedule, Loss loss, ClientDerivatives data, double alpha) {
    ContractionOperator.checkAlpha(alpha);
    if (schedule.clients() != data.clients()) {
      throw new InvalidInput(
          "network: must have %d clients, as many as the data; got %d"
              .formatted(data.clients(), schedule.clients()));
    }
    if (schedule.hasRests()) {
      throw new InvalidInput(
          "activation: the theory is of clients that take part in every round; leave it out");
    }
    Network network =
        schedule
            .unrolled()
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "network: must repeat itself after some rounds, or the theory cannot judge"
                            + " a run; this one is drawn anew in each, and `ngd network` analyses"
                            + " its expected W"));
    int period = network.clients() / data.clients();
    ClientDerivatives all = period == 1 ? data : new PeriodDerivatives(data, period);
    double[] scales = new double[all.clients()];
    Arrays.fill(scales, 1);
    return new Problem(
        network, CommunicatingClasses.of(network), loss, all, alpha, scales, null, NOT_GIVEN);
  }

  /** After how many rounds the network repeats itself. */
  public int period() {
    return data instanceof PeriodDerivatives several ? several.period() : 1;
  }

  /** The number of a client, whatever the round in which it stands here. */
  int client(int node) {
    return node % (data.clients() / period());
  }

  /** The same with client m's gradient times {@code scales[m]}, all of them positive. */
  public Problem scaledBy(double[] scales) {
    Curvature.checkScales(scales, data.clients() / period());
    double[] each = new double[data.clients()];
    Arrays.setAll(each, node -> scales[client(node)]);
    return new Problem(network, classes, loss, data, alpha, each, globalEstimate, whyNoEstimate);
  }

  /** The same with a known global estimate. */
  public Problem near(double[] globalEstimate) {
    if (globalEstimate.length != parameters()) {
      throw new IllegalArgumentException(
          "global estimate: must have %d parameters; got %d"
              .formatted(parameters(), globalEstimate.length));
    }
    return new Problem(
        network, classes, loss, data, alpha, scales, globalEstimate.clone(), NOT_GIVEN);
  }

  /** The same, where a global estimate does not exist, for this reason. */
  public Problem withoutEstimate(String reason) {
    return new Problem(network, classes, loss, data, alpha, scales, null, reason);
  }

  /** W, or all rounds of a period as one. */
  public Network network() {
    return network;
  }

  public CommunicatingClasses classes() {
    return classes;
  }

  public Loss loss() {
    return loss;
  }

  /** What is known of the clients' rows. */
  public ClientDerivatives data() {
    return data;
  }

  public double alpha() {
    return alpha;
  }

  /** p, the number of parameters. */
  public int parameters() {
    return loss.parameters(data.features());
  }

  /** Whether all clients have as many rows, the paper's n: each counts by its mean over them. */
  boolean equalRows() {
    return IntStream.range(1, data.clients()).allMatch(m -> data.rows(m) == data.rows(0));
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
