package ngd.peer.privacy;

import java.security.SecureRandom;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Moments;
import ngd.core.model.Objective;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/**
 * One site's data behind noise: gradients in which every row's part is clipped, with noise that
 * hides each row, and nothing else. How many rows there are is not hidden.
 */
public final class NoisedLocal implements Local {
  private final Objective objective;
  private final GradientNoise noise;
  private final PrivacyLog log;

  private NoisedLocal(Objective objective, GradientNoise noise, PrivacyLog log) {
    this.objective = objective;
    this.noise = noise;
    this.log = log;
  }

  /** The data of the one client of an objective, within a budget. */
  public static NoisedLocal of(Objective objective, PrivacyBudget budget) {
    if (objective.clients() != 1) {
      throw new IllegalArgumentException("privacy: a peer holds one site's rows");
    }
    int p = objective.parameters();
    return new NoisedLocal(
        objective,
        new GradientNoise(budget.privacy().clip(), budget.multiplier(), p, new SecureRandom()),
        budget.log(p));
  }

  @Override
  public Rows gradient(Rows at) {
    double[] point = at.row(0);
    double[] noised = log.said(point);
    if (noised == null) {
      noised = noised(point);
      log.keep(point, noised);
    }
    return at.of(new double[][] {noised});
  }

  /** The mean over the rows of their clipped gradients, with noise. */
  private double[] noised(double[] point) {
    int rows = objective.shards().rows(0);
    double[] sum = new double[point.length];
    double[] own = new double[point.length];
    int[] which = new int[1];
    for (int i = 0; i < rows; i++) {
      which[0] = i;
      objective.batchGradient(0, which, 0, 1, point, 0, own, 0);
      noise.clip(own);
      for (int j = 0; j < sum.length; j++) {
        sum[j] += own[j];
      }
    }
    double[] noised = noise.noised(sum);
    for (int j = 0; j < noised.length; j++) {
      noised[j] /= rows;
    }
    return noised;
  }

  private static InvalidInput refused(String what) {
    return new InvalidInput(
        "privacy: %s would leave this site un-noised, and is refused".formatted(what));
  }

  @Override
  public Edges gradient(Edges at) {
    throw refused("gradients at the neighbours' models");
  }

  @Override
  public Rows prox(Rows centre, double[] rho) {
    throw refused("proximal steps");
  }

  @Override
  public Moments moments(int row) {
    throw refused("moments and Hessians");
  }

  @Override
  public Local batch(int size, int round) {
    throw refused("gradients of mini-batches");
  }

  @Override
  public Local in(double[] upper) {
    throw refused("coordinates that follow from second moments");
  }
}
