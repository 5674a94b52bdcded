package ngd.core.privacy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.data.Shards;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * How much of an estimate from noised sums is noise: the spread of the estimates that the same
 * steps give when they are taken again and again on made-up sums with fresh noise of the same size
 * (a parametric bootstrap). It uses nothing but what was released, and so costs no privacy.
 *
 * <p>Made-up rows of a binomial model have normal predictors with the released second moments and
 * responses by the estimate; their gradients are clipped like real ones. A gaussian model's
 * residuals are not known, so its gradients are linear, with the curvature that was seen along the
 * steps. Random numbers are seeded: every site comes to the same numbers.
 */
final class CentralNoise {
  private static final int REPLICATES = 200;
  private static final int MADE_UP_ROWS = 1000;

  /** The least share of the largest curvature that rows may leave; clipping can take all of it. */
  private static final double LEAST_CURVED = 0.05;

  /** Normal numbers are whole multiples of this share of their standard deviation. */
  private static final int NORMAL_BITS = 20;

  private final CentralSteps real;
  private final double[] theta;
  private final Glm glm;
  private final double clip;
  private final int steps;
  private final double ofMoments;
  private final double ofGradients;
  private final UniformRandomProvider random = Streams.of(1).stream(Streams.Purpose.NOISE, 0);

  /**
   * @param real the steps that were taken
   * @param theta the estimate
   * @param ofMoments the standard deviation of the noise in second moments
   * @param ofGradients the same of gradients
   */
  CentralNoise(
      CentralSteps real,
      double[] theta,
      Glm glm,
      double clip,
      int steps,
      double ofMoments,
      double ofGradients) {
    this.real = real;
    this.theta = theta;
    this.glm = glm;
    this.clip = clip;
    this.steps = steps;
    this.ofMoments = ofMoments;
    this.ofGradients = ofGradients;
  }

  /**
   * The standard deviation of the noise in each coefficient.
   *
   * @param rows of all sites
   */
  List<Double> spread(double rows) {
    int p = theta.length;
    double scale = CentralFit.largestCurvature(glm) * glm.factor();
    double[] moments = new double[p * p];
    for (int j = 0; j < p; j++) {
      double[] unit = new double[p];
      unit[j] = 1;
      System.arraycopy(real.map(unit, real::eigenvalue), 0, moments, j * p, p);
    }
    CentralSteps.GradientAt gradient = glm instanceof Linear ? linear(scale) : madeUp(rows);
    DiscreteGaussian normal = new DiscreteGaussian(1L << NORMAL_BITS, random);
    double[] sum = new double[p];
    double[] squares = new double[p];
    for (int r = 0; r < REPLICATES; r++) {
      double[] noised = moments.clone();
      for (int a = 0; a < p; a++) {
        for (int b = 0; b <= a; b++) {
          double noise = ofMoments * draw(normal) / (a == b ? 1 : Math.sqrt(2));
          noised[a * p + b] += noise;
          noised[b * p + a] = noised[a * p + b];
        }
      }
      double[] found =
          new CentralSteps(noised, p, scale, ofMoments)
              .take(
                  steps,
                  (t, at) -> {
                    double[] sums = gradient.of(t, at);
                    IntStream.range(0, p).forEach(j -> sums[j] += ofGradients * draw(normal));
                    return sums;
                  });
      for (int j = 0; j < p; j++) {
        sum[j] += found[j] - theta[j];
        squares[j] += (found[j] - theta[j]) * (found[j] - theta[j]);
      }
    }
    List<Double> spread = new ArrayList<>();
    for (int j = 0; j < p; j++) {
      double variance = (squares[j] - sum[j] * sum[j] / REPLICATES) / (REPLICATES - 1);
      spread.add(Math.sqrt(Math.max(0, variance)));
    }
    return spread;
  }

  private static double draw(DiscreteGaussian normal) {
    return Math.scalb(normal.sample().doubleValue(), -NORMAL_BITS);
  }

  private CentralSteps.GradientAt linear(double scale) {
    double share = Math.clamp(real.curvatureShare(ofGradients), LEAST_CURVED, 1);
    return (_, at) -> {
      double[] away = new double[theta.length];
      IntStream.range(0, away.length).forEach(j -> away[j] = at[j] - theta[j]);
      return real.map(away, k -> share * scale * real.eigenvalue(k));
    };
  }

  private CentralSteps.GradientAt madeUp(double rows) {
    int p = theta.length;
    DiscreteGaussian normal = new DiscreteGaussian(1L << NORMAL_BITS, random);
    Shards.Filler filler = Shards.sized(p, new int[] {MADE_UP_ROWS});
    for (int i = 0; i < MADE_UP_ROWS; i++) {
      double[] plain = new double[p];
      IntStream.range(0, p).forEach(j -> plain[j] = draw(normal));
      double[] row = real.map(plain, k -> Math.sqrt(real.eigenvalue(k) / rows));
      double eta = IntStream.range(0, p).mapToDouble(j -> row[j] * theta[j]).sum();
      filler.put(0, i, row, random.nextDouble() < glm.mean(eta) ? 1 : 0);
    }
    Objective made = glm.over(filler.done());
    int[] all = IntStream.range(0, MADE_UP_ROWS).toArray();
    return (_, at) -> {
      double[] sums = NoisedLocal.clippedSum(made, 0, at, all, 0, MADE_UP_ROWS, clip);
      IntStream.range(0, p).forEach(j -> sums[j] *= rows / MADE_UP_ROWS);
      return sums;
    };
  }
}
