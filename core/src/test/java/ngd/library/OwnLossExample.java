package ngd.library;

import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.Loss;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;

/** The same with a loss of one's own. */
final class OwnLossExample {
  private OwnLossExample() {}

  /**
   * Least absolute deviations, rounded off near zero: an outlier pulls no harder than any other
   * row.
   */
  record Robust(double width) implements Loss {
    @Override
    public String name() {
      return "robust";
    }

    @Override
    public double value(Shard rows, double[] theta) {
      double sum = 0;
      for (int i = 0; i < rows.rows(); i++) {
        sum += Math.hypot(residual(rows, i, theta), width) - width;
      }
      return sum / rows.rows();
    }

    @Override
    public void gradient(Shard rows, double[] theta, double[] gradient) {
      java.util.Arrays.fill(gradient, 0);
      for (int i = 0; i < rows.rows(); i++) {
        double r = residual(rows, i, theta);
        for (int j = 0; j < theta.length; j++) {
          gradient[j] += r / Math.hypot(r, width) * rows.x(i, j) / rows.rows();
        }
      }
    }

    private static double residual(Shard rows, int i, double[] theta) {
      double fitted = 0;
      for (int j = 0; j < theta.length; j++) {
        fitted += rows.x(i, j) * theta[j];
      }
      return fitted - rows.y(i);
    }
  }

  /** Three sites, y = 2 x but for one wild row; each site's estimate of the slope. */
  static double[] run() {
    double[][][] x = {{{1}, {2}}, {{3}, {4}}, {{5}, {6}}};
    double[][] y = {{2, 4}, {6, 8}, {10, 500}};
    Network network = Network.of(new Topology.Complete(3));
    Simulation simulation = Simulation.of(network, new Robust(0.1).over(Shards.of(x, y)));
    try (Run<?> run = simulation.start(new Ngd(StepSize.constant(0.01)))) {
      run.advance(5000);
      return new double[] {run.theta().get(0, 0), run.theta().get(1, 0), run.theta().get(2, 0)};
    }
  }

  public static void main(String[] args) {
    System.out.println(java.util.Arrays.toString(run()));
  }
}
