package ngd.core.world;

import java.util.List;

/** Combinations of estimates at ever smaller step sizes that cancel their bias. */
public final class Richardson {
  /** Of the estimates at α, α/2 and α/4: what a parabola through them is at 0. */
  static final double[] SECOND_ORDER = {1 / 3.0, -6 / 3.0, 8 / 3.0};

  private Richardson() {}

  /** The combination of some clients' estimates. */
  static double[][] combined(double[] weights, List<double[][]> ends) {
    double[][] combined = new double[ends.getFirst().length][ends.getFirst()[0].length];
    for (int i = 0; i < weights.length; i++) {
      for (int m = 0; m < combined.length; m++) {
        add(weights[i], ends.get(i)[m], combined[m]);
      }
    }
    return combined;
  }

  /** A point's estimate at 0 from those at α, α/2 and α/4. */
  public static double[] secondOrder(double[] whole, double[] half, double[] quarter) {
    return combined(
        SECOND_ORDER,
        List.of(new double[][] {whole}, new double[][] {half}, new double[][] {quarter}))[0];
  }

  private static void add(double weight, double[] end, double[] sum) {
    for (int j = 0; j < sum.length; j++) {
      sum[j] += weight * end[j];
    }
  }
}
