package ngd.core.simulation;

import java.util.OptionalInt;
import ngd.core.algorithm.Algorithm;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;

/**
 * The paper's linear model on 20 clients with the rows sorted by response: every client's own
 * optimum is far from the pooled one. Equal shards of 50 rows, or unequal ones of 12 to 126.
 */
record SortedFit(Shards shards) {
  static final int CLIENTS = 20;
  static final SortedFit EQUAL = new SortedFit(shards("sorted"));
  static final SortedFit UNEQUAL = new SortedFit(unequal());

  private static Shards shards(String partition) {
    Table table = PaperModel.LINEAR.table(1000, Streams.of(3));
    return Partition.parse(partition)
        .assign(table, OptionalInt.of(CLIENTS), Placement.IN_ORDER, Streams.of(3))
        .shards(table);
  }

  /** Sorted, then cut at 12, 30, 60, 126 and again: the same rows as {@link #EQUAL}. */
  private static Shards unequal() {
    Shards sorted = shards("sorted");
    int[] pattern = {12, 30, 60, 98, 50};
    int[] sizes = new int[CLIENTS];
    for (int m = 0; m < CLIENTS; m++) {
      sizes[m] = pattern[m % pattern.length];
    }
    Shards.Filler filler = Shards.sized(sorted.features(), sizes);
    double[] x = new double[sorted.features()];
    int row = 0;
    for (int m = 0; m < CLIENTS; m++) {
      for (int i = 0; i < sizes[m]; i++, row++) {
        Shard from = sorted.shard(row / 50);
        from.row(row % 50, x);
        filler.put(m, i, x, from.y(row % 50));
      }
    }
    return filler.done();
  }

  int[] sizes() {
    return shards.rowsArray().clone();
  }

  double[] pooled() {
    return GlobalEstimate.of(new Linear(), shards).theta();
  }

  Simulation on(Network network) {
    return new Simulation(network, new Linear().over(shards), Streams.of(1), 1);
  }

  <S extends Algorithm.State> double[][] run(
      Network network, Algorithm.Rounds<S> algorithm, int rounds) {
    try (Run<S> run = on(network).start(algorithm)) {
      run.advance(rounds);
      return RoundsContract.copy(run.theta());
    }
  }

  /** The gradient of one client's loss by plain loops. */
  double[] gradient(int client, double[] theta) {
    Shard shard = shards.shard(client);
    double[] gradient = new double[theta.length];
    for (int i = 0; i < shard.rows(); i++) {
      double residual = -shard.y(i);
      for (int j = 0; j < theta.length; j++) {
        residual += shard.x(i, j) * theta[j];
      }
      for (int j = 0; j < theta.length; j++) {
        gradient[j] += shard.x(i, j) * residual / shard.rows();
      }
    }
    return gradient;
  }

  /** Writes one client's Σ̂xx by plain loops. */
  void hessian(int client, double[] into) {
    Shard shard = shards.shard(client);
    int p = shards.features();
    for (int i = 0; i < shard.rows(); i++) {
      for (int j = 0; j < p; j++) {
        for (int k = 0; k < p; k++) {
          into[j * p + k] += shard.x(i, j) * shard.x(i, k) / shard.rows();
        }
      }
    }
  }

  /** Dense W times the rows. */
  static double[][] mixed(Network network, double[][] theta) {
    double[][] mixed = new double[theta.length][theta[0].length];
    for (int m = 0; m < theta.length; m++) {
      for (int k = 0; k < theta.length; k++) {
        for (int j = 0; j < mixed[m].length; j++) {
          mixed[m][j] += network.weight(m, k) * theta[k][j];
        }
      }
    }
    return mixed;
  }

  /** The largest distance of a coefficient of any client to the point. */
  static double worst(double[][] theta, double[] point) {
    double worst = 0;
    for (double[] own : theta) {
      for (int j = 0; j < point.length; j++) {
        worst = Math.max(worst, Math.abs(own[j] - point[j]));
      }
    }
    return worst;
  }

  static double worst(double[][] theta, double[][] other) {
    double worst = 0;
    for (int m = 0; m < theta.length; m++) {
      worst = Math.max(worst, worst(new double[][] {theta[m]}, other[m]));
    }
    return worst;
  }

  static double worst(Rows theta, double[] point) {
    return worst(RoundsContract.copy(theta), point);
  }
}
