package ngd.core.theory;

import java.util.Arrays;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Loss;

/**
 * The same clients once for each round of a period: client m in round t is client {@code t M + m}
 * of the unrolled network.
 */
record PeriodDerivatives(ClientDerivatives data, int period) implements ClientDerivatives {
  /** What is asked of all clients at their points. */
  private interface Asked {
    double[] at(double[] points);
  }

  @Override
  public int clients() {
    return Math.multiplyExact(period, data.clients());
  }

  @Override
  public int features() {
    return data.features();
  }

  @Override
  public int rows(int client) {
    return data.rows(client % data.clients());
  }

  @Override
  public int countedRows(int client) {
    return data.countedRows(client % data.clients());
  }

  @Override
  public double[] gradients(Loss loss, double[] points) {
    return roundByRound(points, own -> data.gradients(loss, own));
  }

  @Override
  public double[] hessians(CurvedLoss loss, double[] points) {
    return roundByRound(points, own -> data.hessians(loss, own));
  }

  private double[] roundByRound(double[] points, Asked asked) {
    int width = points.length / period;
    double[] all = new double[0];
    for (int t = 0; t < period; t++) {
      double[] own = asked.at(Arrays.copyOfRange(points, t * width, (t + 1) * width));
      if (t == 0) {
        all = new double[Math.multiplyExact(period, own.length)];
      }
      System.arraycopy(own, 0, all, t * own.length, own.length);
    }
    return all;
  }

  @Override
  public double[] factor(int client) {
    return data.factor(client % data.clients());
  }
}
