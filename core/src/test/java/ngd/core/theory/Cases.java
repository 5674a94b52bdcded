package ngd.core.theory;

import java.util.Arrays;
import ngd.core.data.Shards;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Small random problems and independent arithmetic to judge them by. */
final class Cases {
  private Cases() {}

  static UniformRandomProvider random(long seed) {
    return Streams.of(seed).stream(Streams.Purpose.DATA);
  }

  /** Each client hears a random nonempty set, itself now and then, with random weights. */
  static double[][] weights(UniformRandomProvider random, int clients) {
    double[][] w = new double[clients][clients];
    double density = random.nextDouble();
    for (int m = 0; m < clients; m++) {
      double sum = 0;
      for (int k = 0; k < clients; k++) {
        if (random.nextDouble() < density * (k == m ? 0.3 : 0.8)) {
          w[m][k] = 0.2 + random.nextDouble();
          sum += w[m][k];
        }
      }
      if (sum == 0) {
        int k = clients == 1 ? 0 : (m + 1 + random.nextInt(clients - 1)) % clients;
        w[m][k] = 1;
        sum = 1;
      }
      for (int k = 0; k < clients; k++) {
        w[m][k] /= sum;
      }
    }
    return w;
  }

  static double[][] circle(int clients, int degree) {
    double[][] w = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      for (int d = 1; d <= degree; d++) {
        w[m][(m + d) % clients] = 1.0 / degree;
      }
    }
    return w;
  }

  static double[][] central(int clients) {
    double[][] w = new double[clients][clients];
    for (int m = 1; m < clients; m++) {
      w[m][0] = 1;
      w[0][m] = 1.0 / (clients - 1);
    }
    return w;
  }

  /**
   * A circle of blocks: clients of one block hear all of the next, so the period is the blocks'.
   */
  static double[][] blockCircle(int blocks, int size) {
    int clients = blocks * size;
    double[][] w = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      for (int i = 0; i < size; i++) {
        w[m][(m / size + 1) % blocks * size + i] = 1.0 / size;
      }
    }
    return w;
  }

  /** {@code x[client][row][feature]} of standard normal numbers. */
  static double[][][] normalRows(UniformRandomProvider random, int clients, int rows, int p) {
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    double[][][] x = new double[clients][rows][p];
    for (double[][] shard : x) {
      for (double[] row : shard) {
        Arrays.setAll(row, j -> normal.sample());
      }
    }
    return x;
  }

  static double[][] normalResponses(UniformRandomProvider random, double[][][] x) {
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    double[][] y = new double[x.length][];
    for (int m = 0; m < x.length; m++) {
      y[m] = new double[x[m].length];
      for (int i = 0; i < y[m].length; i++) {
        y[m][i] = Arrays.stream(x[m][i]).sum() + m + normal.sample();
      }
    }
    return y;
  }

  static Shards shards(UniformRandomProvider random, int clients, int rows, int p) {
    double[][][] x = normalRows(random, clients, rows, p);
    return Shards.of(x, normalResponses(random, x));
  }

  /** Δ*(W ⊗ I) entry by entry from its definition, Σ̂xx summed row by row. */
  static double[][] contraction(double[][] w, Shards shards, double alpha, double[] scales) {
    int p = shards.features();
    int q = w.length * p;
    double[][] a = new double[q][q];
    for (int m = 0; m < w.length; m++) {
      double[][] delta = new double[p][p];
      for (int i = 0; i < p; i++) {
        for (int j = 0; j < p; j++) {
          double sum = 0;
          for (int row = 0; row < shards.rows(m); row++) {
            sum += shards.shard(m).x(row, i) * shards.shard(m).x(row, j);
          }
          delta[i][j] = (i == j ? 1 : 0) - alpha * scales[m] * sum / shards.rows(m);
        }
      }
      for (int k = 0; k < w.length; k++) {
        for (int i = 0; i < p; i++) {
          for (int j = 0; j < p; j++) {
            a[m * p + i][k * p + j] = w[m][k] * delta[i][j];
          }
        }
      }
    }
    return a;
  }

  /** The spectral radius as the limit of ‖A^k‖^(1/k) (Gelfand), by repeated squaring. */
  static double gelfandRadius(double[][] a) {
    double log = 0;
    double[][] power = a;
    double exponent = 1;
    for (int i = 0; i < 60; i++) {
      double size = 0;
      for (double[] row : power) {
        for (double value : row) {
          size = Math.max(size, Math.abs(value));
        }
      }
      if (size == 0) {
        return 0;
      }
      log += Math.log(size) / exponent;
      double[][] scaled = new double[a.length][a.length];
      for (int r = 0; r < a.length; r++) {
        for (int c = 0; c < a.length; c++) {
          scaled[r][c] = power[r][c] / size;
        }
      }
      power = times(scaled, scaled);
      exponent *= 2;
    }
    return Math.exp(log);
  }

  static double[][] times(double[][] a, double[][] b) {
    double[][] c = new double[a.length][b[0].length];
    for (int i = 0; i < a.length; i++) {
      for (int k = 0; k < b.length; k++) {
        for (int j = 0; j < b[0].length; j++) {
          c[i][j] += a[i][k] * b[k][j];
        }
      }
    }
    return c;
  }

  static double[] ones(int count) {
    double[] ones = new double[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  static Network network(double[][] w) {
    return Network.of(w);
  }
}
