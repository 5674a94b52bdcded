package ngd.core.world;

import java.util.Arrays;
import ngd.core.network.Network;
import ngd.core.rows.HostRows;

/** The rules of {@link Mixing} in plain loops: what each client makes of what it heard. */
public record RobustMix(Network network, Mixing mixing) {
  /** What one client says to another. */
  public interface Said {
    void read(int from, int to, double[] into);

    /** The same to everybody. */
    static Said of(HostRows rows) {
      return (from, _, into) ->
          System.arraycopy(rows.values(), from * rows.stride(), into, 0, rows.width());
    }
  }

  /** Rows [from, to) of out; {@code own} is the truth, {@code said} what others hear. */
  public void mix(HostRows own, Said said, HostRows out, int from, int to) {
    for (int m = from; m < to; m++) {
      double[] mixed = mixing instanceof Mixing.Mean ? mean(m, own, said) : robust(m, own, said);
      System.arraycopy(mixed, 0, out.values(), m * out.stride(), mixed.length);
    }
  }

  private double[] mean(int m, HostRows own, Said said) {
    double[] sum = new double[own.width()];
    double[] heard = new double[own.width()];
    for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
      int k = network.heard()[e];
      (k == m ? Said.of(own) : said).read(k, m, heard);
      for (int j = 0; j < sum.length; j++) {
        sum[j] = Math.fma(network.weights()[e], heard[j], sum[j]);
      }
    }
    return sum;
  }

  /** One's own row first, then those of others with their weights in W. */
  private double[] robust(int m, HostRows own, Said said) {
    int most = network.offsets()[m + 1] - network.offsets()[m] + 1;
    double[][] all = new double[most][own.width()];
    double[] weights = new double[most];
    Said.of(own).read(m, m, all[0]);
    int count = 1;
    for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
      int k = network.heard()[e];
      if (k != m) {
        said.read(k, m, all[count]);
        weights[count++] = network.weights()[e];
      }
    }
    return mixed(mixing, Arrays.copyOf(all, count), Arrays.copyOf(weights, count));
  }

  private static double[] mixed(Mixing mixing, double[][] all, double[] weights) {
    return switch (mixing) {
      case Mixing.Mean _ -> throw new IllegalStateException("the mean is no robust rule");
      case Mixing.Trimmed(int drop) -> middle(all, 0, drop);
      case Mixing.Median _ -> middle(all, 0, Integer.MAX_VALUE);
      case Mixing.Bridge(int drop) -> middle(all, 1, drop);
      case Mixing.ByDistance rule -> pulled(all, Pulls.of(rule, squares(all), weights));
      case Mixing.NearestMixed(int bad, Mixing rule) ->
          mixed(rule, averaged(all, Pulls.nearest(squares(all), bad)), weights);
    };
  }

  /**
   * Coefficient by coefficient the mean of the first {@code sure} and of the middle of the others;
   * NaN sorts above everything, so it is dropped with the largest.
   */
  private static double[] middle(double[][] all, int sure, int drop) {
    double[] out = new double[all[0].length];
    double[] sorted = new double[all.length - sure];
    // The median is what trimming leaves when one or two are left; who is sure can be left alone.
    int dropped = Math.clamp((sorted.length - 1 + sure) / 2, 0, drop);
    for (int j = 0; j < out.length; j++) {
      double sum = 0;
      for (int i = 0; i < sure; i++) {
        sum += all[i][j];
      }
      for (int i = 0; i < sorted.length; i++) {
        sorted[i] = all[sure + i][j];
      }
      Arrays.sort(sorted);
      for (int i = dropped; i < sorted.length - dropped; i++) {
        sum += sorted[i];
      }
      out[j] = sum / (all.length - 2 * dropped);
    }
    return out;
  }

  /** Squared distances between all of them; infinite where they are not finite. */
  private static double[][] squares(double[][] all) {
    double[][] squares = new double[all.length][all.length];
    for (int i = 0; i < all.length; i++) {
      for (int k = 0; k < i; k++) {
        double square = 0;
        for (int j = 0; j < all[i].length; j++) {
          double apart = all[i][j] - all[k][j];
          square += apart * apart;
        }
        squares[i][k] = square < Double.POSITIVE_INFINITY ? square : Double.POSITIVE_INFINITY;
        squares[k][i] = squares[i][k];
      }
    }
    return squares;
  }

  /** x + Σ share (x_k − x); who pulls by nothing is not looked at. */
  private static double[] pulled(double[][] all, double[] shares) {
    double[] out = all[0].clone();
    for (int k = 1; k < all.length; k++) {
      if (shares[k] != 0) {
        for (int j = 0; j < out.length; j++) {
          out[j] += shares[k] * (all[k][j] - all[0][j]);
        }
      }
    }
    return out;
  }

  /** The mean of some of them in place of each. */
  private static double[][] averaged(double[][] all, int[][] of) {
    double[][] out = new double[all.length][all[0].length];
    for (int i = 0; i < all.length; i++) {
      for (int j = 0; j < out[i].length; j++) {
        double sum = 0;
        for (int k : of[i]) {
          sum += all[k][j];
        }
        out[i][j] = sum / of[i].length;
      }
    }
    return out;
  }
}
