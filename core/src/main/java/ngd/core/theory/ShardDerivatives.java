package ngd.core.theory;

import java.util.Arrays;
import java.util.stream.IntStream;
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
    return (int)
        shards
            .sum(
                client,
                block -> {
                  long counted =
                      IntStream.range(0, block.rows()).filter(i -> block.weight(i) > 0).count();
                  return new double[] {counted};
                })[0];
  }

  @Override
  public double[] gradients(Loss loss, double[] points) {
    int p = loss.parameters(shards.features());
    double[] all = new double[Math.multiplyExact(clients(), p)];
    IntStream.range(0, clients())
        .parallel()
        .forEach(
            m -> {
              double[] at = Arrays.copyOfRange(points, m * p, (m + 1) * p);
              double[] own = loss.gradient(shards, m, at);
              System.arraycopy(own, 0, all, m * p, p);
            });
    return all;
  }

  @Override
  public double[] hessians(CurvedLoss loss, double[] points) {
    int p = loss.parameters(shards.features());
    double[] all = new double[Math.multiplyExact(clients(), p * p)];
    IntStream.range(0, clients())
        .parallel()
        .forEach(
            m -> {
              double[] at = Arrays.copyOfRange(points, m * p, (m + 1) * p);
              double[] own = loss.hessian(shards, m, at);
              System.arraycopy(own, 0, all, m * p * p, p * p);
            });
    return all;
  }

  @Override
  public double[] factor(int client) {
    QrAccumulator qr = new QrAccumulator(features());
    double[] row = new double[features()];
    shards.forEach(
        client,
        (block, _) -> {
          for (int i = 0; i < block.rows(); i++) {
            if (block.weight(i) > 0) {
              block.row(i, row);
              qr.add(row);
            }
          }
        });
    return qr.r();
  }
}
