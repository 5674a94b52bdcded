package ngd.core.model;

import java.util.Arrays;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.data.Shards;

/**
 * Cox's proportional hazards: minus twice the log partial likelihood over n, each shard's rows
 * being compared with each other alone. The sum over all shards is the likelihood of the model that
 * is stratified by client, in which every client has a baseline hazard of its own.
 *
 * <p>A row's response is 1 where an event ended its time at risk, else 0.
 *
 * @param grid the times at which the rows of all clients are compared with each other, in a pooled
 *     fit, all times being among them; none where each client's are compared among themselves
 */
public record Cox(Ties ties, Optional<TimeGrid> grid) implements Regression {
  /** The name of the family. */
  public static final String FAMILY = "cox";

  /** That which is stratified by client. */
  public Cox(Ties ties) {
    this(ties, Optional.empty());
  }

  @Override
  public String name() {
    return FAMILY;
  }

  @Override
  public String link() {
    return "log";
  }

  @Override
  public double mean(double eta) {
    return Math.exp(eta);
  }

  @Override
  public Optional<String> objection(double y, double weight) {
    return y == 0 || y == 1
        ? Optional.empty()
        : Optional.of(
            "the event of Surv(…) must be 0 or 1, or true or false; compare where it is coded"
                + " otherwise, as in Surv(time, status = 2)");
  }

  /** Why a row with these times cannot be. */
  public static Optional<String> timeObjection(double start, double stop) {
    if (!(stop >= 0) || (start < 0 && start > Double.NEGATIVE_INFINITY)) {
      return Optional.of("times must not be negative; got " + (stop >= 0 ? start : stop));
    }
    return start >= stop
        ? Optional.of("stop must be later than start; got %s and %s".formatted(stop, start))
        : Optional.empty();
  }

  @Override
  public double value(Shard shard, double[] theta) {
    return value(RiskSets.of(requireTimes(shard)), shard.rows(), theta);
  }

  @Override
  public void gradient(Shard shard, double[] theta, double[] gradient) {
    gradient(RiskSets.of(requireTimes(shard)), shard.rows(), theta, gradient);
  }

  @Override
  public void hessian(Shard shard, double[] theta, double[] hessian) {
    hessian(RiskSets.of(requireTimes(shard)), shard.rows(), theta, hessian);
  }

  @Override
  public double value(Shards shards, int client, double[] theta) {
    return value(OwnRiskSets.of(shards, client), shards.rows(client), theta);
  }

  @Override
  public double[] gradient(Shards shards, int client, double[] theta) {
    double[] gradient = new double[theta.length];
    gradient(OwnRiskSets.of(shards, client), shards.rows(client), theta, gradient);
    return gradient;
  }

  @Override
  public double[] hessian(Shards shards, int client, double[] theta) {
    double[] hessian = new double[theta.length * theta.length];
    hessian(OwnRiskSets.of(shards, client), shards.rows(client), theta, hessian);
    return hessian;
  }

  private static Shard requireTimes(Shard shard) {
    if (!shard.isTimed()) {
      throw new InvalidInput("loss `cox`: rows must have times; use a formula with Surv(…)");
    }
    return shard;
  }

  double value(OwnRiskSets sets, int rows, double[] theta) {
    return factor() / rows * sets.likelihood(ties, theta, 0)[0];
  }

  void gradient(OwnRiskSets sets, int rows, double[] theta, double[] gradient) {
    double[] found = sets.likelihood(ties, theta, 1);
    Arrays.setAll(gradient, j -> factor() / rows * found[1 + j]);
  }

  void hessian(OwnRiskSets sets, int rows, double[] theta, double[] hessian) {
    int p = theta.length;
    double[] found = sets.likelihood(ties, theta, 2);
    int at = 1 + p;
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        hessian[j * p + k] = factor() / rows * found[at++];
        hessian[k * p + j] = hessian[j * p + k];
      }
    }
  }

  @Override
  public Objective over(Shards shards) {
    return new CoxObjective(this, shards);
  }
}
