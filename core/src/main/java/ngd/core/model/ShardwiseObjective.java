package ngd.core.model;

import java.util.Arrays;
import ngd.core.data.Shards;

/** Any loss on all shards, one after another through the loss's own gradient. */
record ShardwiseObjective(Loss loss, Shards shards) implements Objective {

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
    double[] own = loss.gradient(shards, client, Arrays.copyOfRange(at, atOffset, atOffset + p));
    System.arraycopy(own, 0, gradient, gradientOffset, p);
  }
}
