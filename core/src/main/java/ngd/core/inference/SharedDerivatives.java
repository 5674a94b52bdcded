package ngd.core.inference;

import java.util.Arrays;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shards;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Loss;
import ngd.core.theory.ClientDerivatives;
import ngd.core.theory.ShardDerivatives;

/**
 * The derivatives of all clients where each process holds some of them: whatever the theory asks
 * for, every client says of its own rows, and all hear it. A total in which every client has a
 * place of its own is what is said, to the bit.
 */
public final class SharedDerivatives implements ClientDerivatives {
  private final ClientDerivatives own;
  private final int first;
  private final int clients;
  private final Totals totals;
  private final double[] sizes;

  /**
   * @param shards the clients here
   * @param first the number of the first of them
   * @param clients how many there are everywhere
   */
  public SharedDerivatives(Shards shards, int first, int clients, Totals totals) {
    own = new ShardDerivatives(shards);
    this.first = first;
    this.clients = clients;
    this.totals = totals;
    double[] here = new double[2 * own.clients()];
    for (int m = 0; m < own.clients(); m++) {
      here[2 * m] = own.rows(m);
      here[2 * m + 1] = own.countedRows(m);
    }
    sizes = shared(here);
  }

  /** What every client says, one after another; the same length from each. */
  private double[] shared(double[] here) {
    int width = here.length / own.clients();
    double[][] perRow = new double[own.clients()][clients * width];
    for (int m = 0; m < own.clients(); m++) {
      System.arraycopy(here, m * width, perRow[m], (first + m) * width, width);
    }
    return totals.total(perRow);
  }

  private double[] ownPoints(double[] points) {
    int p = points.length / clients;
    return Arrays.copyOfRange(points, first * p, (first + own.clients()) * p);
  }

  @Override
  public int clients() {
    return clients;
  }

  @Override
  public int features() {
    return own.features();
  }

  @Override
  public int rows(int client) {
    return (int) sizes[2 * client];
  }

  @Override
  public int countedRows(int client) {
    return (int) sizes[2 * client + 1];
  }

  @Override
  public double[] gradients(Loss loss, double[] points) {
    return shared(own.gradients(loss, ownPoints(points)));
  }

  @Override
  public double[] hessians(CurvedLoss loss, double[] points) {
    return shared(own.hessians(loss, ownPoints(points)));
  }

  @Override
  public double[] factor(int client) {
    int size = features() * features();
    double[] here = new double[own.clients() * size];
    for (int m = 0; m < own.clients(); m++) {
      System.arraycopy(own.factor(m), 0, here, m * size, size);
    }
    return Arrays.copyOfRange(shared(here), client * size, (client + 1) * size);
  }
}
