package ngd.core.theory;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.CurvedLoss;

/**
 * The clients' local curvatures c_m H_m: H_m is the Hessian of client m's loss, Σ̂xx^(m) for the
 * linear model, and c_m the factor by which the client scales its gradient, 1 unless it balances
 * the network (docs/theory.md, 4).
 */
public final class Curvature {
  private final int clients;
  private final int parameters;
  private final double[] matrices;

  private Curvature(int clients, int parameters, double[] matrices) {
    this.clients = clients;
    this.parameters = parameters;
    this.matrices = matrices;
  }

  /** The curvatures at one common point, without scales. */
  public static Curvature at(CurvedLoss loss, Shards shards, double[] theta) {
    return at(loss, new ShardDerivatives(shards), theta);
  }

  /** The same of data that are elsewhere. */
  public static Curvature at(CurvedLoss loss, ClientDerivatives data, double[] theta) {
    return at(loss, data, theta, unscaled(data.clients()));
  }

  /** The curvatures at one common point, client m's times {@code scales[m]}. */
  public static Curvature at(CurvedLoss loss, Shards shards, double[] theta, double[] scales) {
    return at(loss, new ShardDerivatives(shards), theta, scales);
  }

  static Curvature at(CurvedLoss loss, ClientDerivatives data, double[] theta, double[] scales) {
    return atOwn(loss, data, ClientDerivatives.everywhere(theta, data.clients()), scales);
  }

  /** The curvatures with each client at its own point: client m's starts at {@code m · p}. */
  static Curvature atOwn(
      CurvedLoss loss, ClientDerivatives data, double[] points, double[] scales) {
    int clients = data.clients();
    int p = loss.parameters(data.features());
    checkScales(scales, clients);
    double[] matrices = data.hessians(loss, points);
    for (int m = 0; m < clients; m++) {
      scale(matrices, m * p * p, p, m, scales[m]);
    }
    return new Curvature(clients, p, matrices);
  }

  private static double[] scaled(double[] matrix, int p, int client, double factor) {
    scale(matrix, 0, p, client, factor);
    return matrix;
  }

  private static void scale(double[] matrices, int from, int p, int client, double factor) {
    for (int i = 0; i < p * p; i++) {
      requireFinite(matrices[from + i], client, i % p);
      matrices[from + i] *= factor;
    }
  }

  private static void requireFinite(double entry, int client, int coefficient) {
    if (!Double.isFinite(entry)) {
      throw new InvalidInput(
          "client %d: the second derivatives of its loss must be finite; for coefficient %d, counted from 0, one is %s; are its column's values below 1e150 in size?"
              .formatted(client, coefficient, entry));
    }
  }

  static double[] unscaled(int clients) {
    double[] scales = new double[clients];
    Arrays.fill(scales, 1);
    return scales;
  }

  static void checkScales(double[] scales, int clients) {
    if (scales.length != clients) {
      throw new IllegalArgumentException(
          "gradient scales: must be %d, one per client; got %d".formatted(clients, scales.length));
    }
    for (int m = 0; m < clients; m++) {
      if (!(scales[m] > 0 && scales[m] < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "gradient scale of client %d: must be positive and finite, or the client's data would not count; got %s"
                .formatted(m, scales[m]));
      }
    }
  }

  public int clients() {
    return clients;
  }

  /** p, the number of parameters. */
  public int parameters() {
    return parameters;
  }

  /** A copy of c_m H_m, p × p, row by row. */
  public double[] of(int client) {
    int size = parameters * parameters;
    return Arrays.copyOfRange(matrices, client * size, (client + 1) * size);
  }

  /** The unweighted mean of the curvatures of some clients. */
  public double[] mean(int[] members) {
    double[] mean = new double[parameters * parameters];
    for (int m : members) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += matrices[m * mean.length + i];
      }
    }
    for (int i = 0; i < mean.length; i++) {
      mean[i] /= members.length;
    }
    return mean;
  }

  /** Σ (n_m / N) c_m H_m: the curvature of all rows together, each counting the same. */
  double[] pooled(ClientDerivatives data) {
    double[] pooled = new double[parameters * parameters];
    double total = data.totalRows();
    for (int m = 0; m < clients; m++) {
      double share = data.rows(m) / total;
      for (int i = 0; i < pooled.length; i++) {
        pooled[i] = Math.fma(share, matrices[m * pooled.length + i], pooled[i]);
      }
    }
    return pooled;
  }

  /** The smallest and the largest eigenvalue over all clients. */
  public Range eigenvalues() {
    return eigenvalues(clients, parameters, this::of);
  }

  /** Those of the curvatures at one common point, none of which is kept. */
  public static Range eigenvalues(CurvedLoss loss, Shards shards, double[] theta, double[] scales) {
    checkScales(scales, shards.clients());
    int p = loss.parameters(shards.features());
    return eigenvalues(
        shards.clients(), p, m -> scaled(loss.hessian(shards, m, theta), p, m, scales[m]));
  }

  private static Range eigenvalues(int clients, int p, IntFunction<double[]> matrix) {
    return IntStream.range(0, clients)
        .parallel()
        .mapToObj(
            m -> {
              double[] own = SymmetricMatrix.eigenvalues(matrix.apply(m), p);
              return new Range(own[0], own[p - 1]);
            })
        .reduce(new Range(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY), Range::or);
  }

  /** The extreme eigenvalues of a set of symmetric matrices. */
  public record Range(double smallest, double largest) {
    private Range or(Range other) {
      return new Range(Math.min(smallest, other.smallest), Math.max(largest, other.largest));
    }

    /** 2 / λmax: below this α no client's own step overshoots. */
    public double safeAlpha() {
      return largest > 0 ? 2 / largest : Double.POSITIVE_INFINITY;
    }
  }
}
