package ngd.core.model;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import ngd.core.data.Shard;
import ngd.core.data.Shards;

/**
 * What a client minimises over its own rows. Implement the value and the gradient of a loss of your
 * own and it runs in everything; implement {@link CurvedLoss} and the theory can judge it too;
 * implement {@link PredictorLoss} and it needs no loop over rows. A {@link LossDescriptor} makes it
 * a word of the command line.
 */
public interface Loss {
  String name();

  /**
   * The number of parameters for data with this many features; the same, unless the loss differs.
   */
  default int parameters(int features) {
    return features;
  }

  /** The names of the parameters, given those of the columns; numbers where there are others. */
  default List<String> parameterNames(List<String> columns) {
    int count = parameters(columns.size());
    return count == columns.size()
        ? columns
        : IntStream.range(0, count).mapToObj(j -> "parameter " + j).toList();
  }

  /** The loss of this shard at theta. */
  double value(Shard shard, double[] theta);

  /** Writes the gradient of {@link #value} at theta into {@code gradient}. */
  void gradient(Shard shard, double[] theta, double[] gradient);

  /**
   * Whether the loss of some rows is the mean of a loss of each: then rows need not be in memory
   * all at once.
   */
  default boolean isMean() {
    return false;
  }

  /**
   * The loss of each row, of a loss that is their mean by weights: counted from the least that any
   * prediction of its response would give, where that is known.
   */
  default double[] rowLosses(Shard shard, double[] theta) {
    double[] losses = new double[shard.rows()];
    for (int i = 0; i < losses.length; i++) {
      double weight = shard.weight(i);
      losses[i] = weight > 0 ? value(shard.take(new int[] {i}, 0, 1), theta) / weight : 0;
    }
    return losses;
  }

  /** The sum of {@link #rowLosses} by the rows' weights. */
  default double rowSum(Shard shard, double[] theta) {
    double[] losses = rowLosses(shard, theta);
    double sum = 0;
    for (int i = 0; i < losses.length; i++) {
      sum = Math.fma(shard.weight(i), losses[i], sum);
    }
    return sum;
  }

  /** The loss of one client's rows, wherever they are. */
  default double value(Shards shards, int client, double[] theta) {
    return over(shards, client, rows -> new double[] {value(rows, theta)})[0];
  }

  /** The gradient of one client's loss, wherever its rows are. */
  default double[] gradient(Shards shards, int client, double[] theta) {
    return over(
        shards,
        client,
        rows -> {
          double[] gradient = new double[theta.length];
          gradient(rows, theta, gradient);
          return gradient;
        });
  }

  /** Something of a client's rows: block by block where the loss is a mean over rows. */
  private double[] over(Shards shards, int client, Function<Shard, double[]> ofRows) {
    return isMean() ? shards.mean(client, ofRows) : ofRows.apply(shards.shard(client));
  }

  /** This loss on every shard, prepared for repeated evaluation. */
  default Objective over(Shards shards) {
    return new ShardwiseObjective(this, shards);
  }
}
