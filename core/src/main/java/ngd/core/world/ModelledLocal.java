package ngd.core.world;

import java.util.function.Function;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.data.RowFactors;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.CurvedLoss;

/** Data whose rows and model can be got at, which algorithms need not know of. */
public interface ModelledLocal extends CurvedLocal {
  /** The same data under another loss. */
  ModelledLocal under(CurvedLoss loss);

  /** Other rows of the same clients, under a loss. */
  ModelledLocal over(CurvedLoss loss, Shards rows);

  /** All clients' rows. */
  Shards rows();

  /** Any sums over a client's rows that are no sums of terms of single rows. */
  double[] sums(int client, Function<Shard, double[]> sums);

  /**
   * Sums over a client's rows to which every row adds: those of some rows and those of the others
   * are those of all.
   */
  double[] rowSums(int client, Function<Shard, double[]> sums);

  /** The same data, each client's rows counting by factors of their own. */
  ModelledLocal weighted(RowFactors factors);

  @Override
  ModelledLocal in(double[] upper, double[] centre);
}
