package ngd.core.theory;

import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.QrAccumulator;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Loss;

/** The derivatives of clients whose rows are all here. */
public record ShardDerivatives(Shards shards) implements ClientDerivatives {
  @Override
  public int clients() {
    return shards.clients();
  }

  @Override
  public int features() {
    return shards.features();
  }

  @Override
  public int rows(int client) {
    return shards.rows(client);
  }

  @Override
  public int countedRows(int client) {
    Shard shard = shards.shard(client);
    return (int) IntStream.range(0, shard.rows()).filter(i -> shard.weight(i) > 0).count();
  }

  @Override
  public double[] gradients(Loss loss, double[] points) {
    int p = loss.parameters(shards.features());
    double[] all = new double[Math.multiplyExact(clients(), p)];
    double[] own = new double[p];
    for (int m = 0; m < clients(); m++) {
      loss.gradient(shards.shard(m), Arrays.copyOfRange(points, m * p, (m + 1) * p), own);
      System.arraycopy(own, 0, all, m * p, p);
    }
    return all;
  }

  @Override
  public double[] hessians(CurvedLoss loss, double[] points) {
    int p = loss.parameters(shards.features());
    double[] all = new double[Math.multiplyExact(clients(), p * p)];
    double[] own = new double[p * p];
    for (int m = 0; m < clients(); m++) {
      loss.hessian(shards.shard(m), Arrays.copyOfRange(points, m * p, (m + 1) * p), own);
      System.arraycopy(own, 0, all, m * p * p, p * p);
    }
    return all;
  }

  @Override
  public double[] factor(int client) {
    QrAccumulator qr = new QrAccumulator(features());
    double[] row = new double[features()];
    Shard shard = shards.shard(client);
    for (int i = 0; i < shard.rows(); i++) {
      if (shard.weight(i) > 0) {
        shard.row(i, row);
        qr.add(row);
      }
    }
    return qr.r();
  }
}
