package ngd.core.model;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import ngd.core.data.Shards;
import org.jspecify.annotations.Nullable;

/**
 * Cox's loss on all shards. The risk sets of each are made when they are first asked for: those
 * that are pooled on a grid do not.
 */
final class CoxObjective implements Objective {
  private final Cox loss;
  private final Shards shards;
  private final AtomicReferenceArray<@Nullable OwnRiskSets> sets;

  CoxObjective(Cox loss, Shards shards) {
    this.loss = loss;
    this.shards = shards;
    sets = new AtomicReferenceArray<>(shards.clients());
  }

  private OwnRiskSets sets(int client) {
    OwnRiskSets known = sets.get(client);
    if (known == null) {
      // Two threads would find the same.
      known = OwnRiskSets.of(shards, client);
      sets.set(client, known);
    }
    return known;
  }

  @Override
  public Loss loss() {
    return loss;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public long work() {
    return shards.totalRows() * (4L * shards.features() + 60);
  }

  @Override
  public void gradients(double[] at, double[] gradient, int stride, int from, int to) {
    for (int m = from; m < to; m++) {
      gradient(m, at, m * stride, gradient, m * stride);
    }
  }

  @Override
  public void gradient(
      int client, double[] at, int atOffset, double[] gradient, int gradientOffset) {
    int p = parameters();
    double[] own = new double[p];
    double[] point = Arrays.copyOfRange(at, atOffset, atOffset + p);
    loss.gradient(sets(client), shards.rows(client), point, own);
    System.arraycopy(own, 0, gradient, gradientOffset, p);
  }

  @Override
  public double value(int client, double[] theta) {
    return loss.value(sets(client), shards.rows(client), theta);
  }

  @Override
  public void hessian(int client, double[] theta, double[] hessian) {
    loss.hessian(sets(client), shards.rows(client), theta, hessian);
  }
}
