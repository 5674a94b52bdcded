package ngd.core.inference;

import java.util.Arrays;
import java.util.List;
import ngd.core.model.Cox;
import ngd.core.model.RiskSet;
import ngd.core.model.RiskSetSums;
import ngd.core.model.TimeGrid;
import ngd.core.world.World;

/**
 * The partial likelihood of a Cox model whose risk sets hold the rows of all clients: a function of
 * the totals of their sums at each time of an agreed grid.
 */
record GridLikelihood(
    World world,
    Cox regression,
    TimeGrid grid,
    RiskSetSums sets,
    int coefficients,
    int width,
    Size size)
    implements PooledLikelihood {

  @Override
  public Penalty penalty() {
    return Penalty.of(new double[coefficients * coefficients], coefficients);
  }

  @Override
  public PooledLikelihood leading(int first) {
    return new GridLikelihood(world, regression, grid, sets, first, width, size);
  }

  /** The risk sets at a point, by one total. */
  List<RiskSet> riskSets(double[] theta, int order) {
    return sets.heard(Pooled.bounded(world, m -> said(m, theta, order)), width, order);
  }

  @Override
  public double value(double[] theta) {
    double loss = heardLoss(Pooled.bounded(world, m -> saidLoss(m, theta)));
    return Pooled.within(loss) ? loss : Double.POSITIVE_INFINITY;
  }

  @Override
  public double[] saidLoss(int client, double[] theta) {
    return said(client, theta, 0);
  }

  @Override
  public double heardLoss(double[] total) {
    return sets.likelihood(sets.heard(total, width, 0), width, 0)[0];
  }

  @Override
  public double[] said(int client, double[] theta) {
    return said(client, theta, 2);
  }

  private double[] said(int client, double[] theta, int order) {
    double[] at = whole(theta);
    return world.rowSums(client, shard -> sets.said(shard, at, order));
  }

  @Override
  public Likelihood heard(double[] theta, double[] total) {
    double[] found = sets.likelihood(sets.heard(total, width, 2), width, 2);
    return new Likelihood(
        theta,
        found[0],
        found[0],
        0,
        Arrays.copyOfRange(found, 1, 1 + coefficients),
        leading(Pooled.symmetric(found, 1 + width, width)));
  }
}
