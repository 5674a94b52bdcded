package ngd.core.inference;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.linalg.Triangular;
import ngd.core.model.NoEstimate;
import ngd.core.model.RandomEffectSums;
import ngd.core.world.World;

/**
 * Minus twice the log-likelihood of a linear mixed model, coefficients and residual variance at
 * their best, as a function of the relative covariance factors alone: the profiled deviance, or the
 * REML criterion. Every evaluation is one total.
 *
 * <p>The factors are lower triangular matrices of any sign. Where a variance is best at 0, the
 * criterion is flat there and bends upwards, so that Newton steps find it without bounds; in the
 * end signs are turned so that diagonals are not negative, as lme4 has them.
 */
final class MixedCriterion implements DampedNewton.Rules<MixedCriterion.Place> {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(200, 40);

  /** Gradients are exact; their differences over this give Hessians of about ten digits. */
  private static final double DIFFERENCE = 1e-5;

  /** Curvature below this share of the largest is none. */
  private static final double FLAT = 1e-7;

  /** Curvature below this in the logarithm of a variance is rounding: it may be any. */
  private static final double UNKNOWN = 1e-3;

  /** A criterion may seem to rise by this share for rounding alone. */
  private static final double ROUNDING = 1e-12;

  /** Steps are cut at this share of the largest entry: further away there may be other minima. */
  private static final double LONGEST = 0.5;

  /** Entries below this count as this in that. */
  private static final double SMALL = 0.5;

  /** The share of what a step promises that it must bring. */
  private static final double SUFFICIENT = 1e-4;

  /** By how much of itself one minimum must be below another to be another. */
  private static final double LOWER = 1e-9;

  /** What tells two starts apart, as a share of the criterion. */
  private static final double APART = 1e-7;

  /** Multiples of 1 among which the start is chosen. */
  private static final double[] STARTS = {1, 0.1, 0.3, 3, 10, 30, 100};

  /** How far a step leaves a point at which the criterion bends downwards. */
  private static final double AWAY = 0.5;

  /** A distance that shrinks by less stands still. */
  private static final double STANDS = 0.9;

  private final World world;
  private final List<RandomEffectSums> sums;
  private final List<RandomPart> parts;
  private final int features;
  private final int leading;
  private final double[] beta;
  private final double rows;
  private final boolean reml;
  private final double enough;

  /** The distance at the point before. */
  private double last = Double.POSITIVE_INFINITY;

  /**
   * The criterion.
   *
   * @param sums of the clients that this process holds
   * @param features how many there are
   * @param leading how many of them have coefficients, the first ones
   * @param beta what was taken from the responses for each feature, also for those without
   * @param enough the distance, in standard errors of the factors, that may remain
   */
  MixedCriterion(
      World world,
      List<RandomEffectSums> sums,
      List<RandomPart> parts,
      int features,
      int leading,
      double[] beta,
      double rows,
      boolean reml,
      double enough) {
    this.world = world;
    this.sums = sums;
    this.parts = parts;
    this.features = features;
    this.leading = leading;
    this.beta = beta;
    this.rows = rows;
    this.reml = reml;
    this.enough = enough;
  }

  /**
   * The coefficients and the residual variance that are best at some factors.
   *
   * @param value the criterion, but for what features and weights add to it
   * @param delta the coefficients
   * @param residual Σ r², of which the residual variance is a share
   * @param information XᵀV⁻¹X
   * @param valid whether there are such
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Profile(
      double value, double[] delta, double residual, double[] information, boolean valid) {}

  /** A point with the criterion's quadratic model. */
  static final class Place implements DampedNewton.Point {
    private final double[] theta;
    private final double value;
    private final double[] move;
    private final double distance;
    private final boolean bendsDown;
    private final boolean flat;
    private final boolean usable;

    Place(double[] theta, double value, double[] gradient, double[] hessian) {
      this.theta = theta;
      this.value = value;
      int n = theta.length;
      usable =
          Double.isFinite(value)
              && Arrays.stream(gradient).allMatch(Pooled::within)
              && Arrays.stream(hessian).allMatch(Pooled::within);
      if (!usable) {
        move = new double[n];
        distance = Double.POSITIVE_INFINITY;
        bendsDown = false;
        flat = false;
        return;
      }
      SymmetricMatrix.Spectrum spectrum = SymmetricMatrix.spectrum(hessian, n);
      double most =
          Math.max(
              1e-8 * (1 + Math.abs(value)),
              Math.max(Math.abs(spectrum.value(0)), Math.abs(spectrum.value(n - 1))));
      double[] step = new double[n];
      double decrement = 0;
      for (int k = 0; k < n; k++) {
        double along = 0;
        for (int j = 0; j < n; j++) {
          along = Math.fma(spectrum.vector(k, j), gradient[j], along);
        }
        double curvature = Math.max(Math.abs(spectrum.value(k)), FLAT * most);
        decrement += along * along / curvature;
        for (int j = 0; j < n; j++) {
          step[j] = Math.fma(-along / curvature, spectrum.vector(k, j), step[j]);
        }
      }
      distance = Math.sqrt(decrement / 2);
      bendsDown = spectrum.value(0) < -1e-5 * most;
      double size = 1;
      for (double entry : theta) {
        size = Math.fma(entry, entry, size);
      }
      // By their logarithms, so that large variances are not taken for flat.
      flat = Math.abs(spectrum.value(0)) * size < UNKNOWN;
      if (bendsDown && distance < 1e-3) {
        for (int j = 0; j < n; j++) {
          step[j] += AWAY * spectrum.vector(0, j);
        }
      }
      move = step;
    }

    @Override
    public double[] theta() {
      return theta;
    }

    @Override
    public double[] move() {
      return cut() < 1 ? DampedNewton.moved(new double[theta.length], cut(), move) : move;
    }

    /** The share of the step that may be taken. */
    double cut() {
      double longest = 0;
      double size = SMALL;
      for (int j = 0; j < theta.length; j++) {
        longest = Math.max(longest, Math.abs(move[j]));
        size = Math.max(size, Math.abs(theta[j]));
      }
      return longest == 0 ? 1 : Math.min(1, LONGEST * size / longest);
    }

    @Override
    public boolean usable() {
      return usable;
    }

    double value() {
      return value;
    }

    double distance() {
      return distance;
    }
  }

  /** Some multiples of 1, where lme4 starts, the best first; by one total. */
  private List<double[]> starts() {
    double[][][] factors = new double[STARTS.length][][];
    Arrays.setAll(factors, k -> factors(multiple(STARTS[k])));
    int length = RandomEffectSums.block(features + 1);
    double[] said =
        Pooled.bounded(
            world,
            m -> {
              double[] all = new double[factors.length * length];
              for (int k = 0; k < factors.length; k++) {
                System.arraycopy(sums.get(m).at(factors[k], false), 0, all, k * length, length);
              }
              return all;
            });
    double[] values = new double[STARTS.length];
    Arrays.setAll(
        values,
        k -> {
          Profile found = profile(said, k * length);
          return found.valid() ? found.value() : Double.POSITIVE_INFINITY;
        });
    double least = Arrays.stream(values).min().orElseThrow();
    // Where nothing but rounding tells them apart, the first of them, 1.
    return IntStream.range(0, STARTS.length)
        .boxed()
        .sorted(
            Comparator.comparingDouble(
                k -> Math.rint((values[k] - least) / (APART * (1 + Math.abs(least))))))
        .map(k -> multiple(STARTS[k]))
        .toList();
  }

  private double[] multiple(double of) {
    double[] theta = new double[parts.stream().mapToInt(RandomPart::parameters).sum()];
    int at = 0;
    for (RandomPart part : parts) {
      for (int column = 0; column < part.columns(); column++) {
        theta[at] = of;
        at += part.columns() - column;
      }
    }
    return theta;
  }

  /** The factor of each term, row by row, of its entries column by column. */
  double[][] factors(double[] theta) {
    double[][] factors = new double[parts.size()][];
    int at = 0;
    for (int k = 0; k < factors.length; k++) {
      int n = parts.get(k).columns();
      factors[k] = new double[n * n];
      for (int column = 0; column < n; column++) {
        for (int row = column; row < n; row++) {
          factors[k][row * n + column] = theta[at++];
        }
      }
    }
    return factors;
  }

  /**
   * Where the criterion is least. A variance of 0 may be a minimum beside a lower one: then all is
   * tried again from where lme4 starts, or from the next best point.
   */
  DampedNewton.End<Place> minimise() {
    List<double[]> starts = starts();
    DampedNewton.End<Place> first = from(starts.getFirst());
    DampedNewton.End<Place> end = first;
    if (nearZero(first.point().theta())) {
      double[] one = multiple(1);
      DampedNewton.End<Place> second =
          from(Arrays.equals(starts.getFirst(), one) ? starts.get(1) : one);
      boolean lower =
          second.point().value()
              < first.point().value() - LOWER * (1 + Math.abs(first.point().value()));
      end =
          new DampedNewton.End<>(
              lower ? second.point() : first.point(),
              first.steps() + second.steps(),
              DampedNewton.Outcome.DONE);
    }
    if (end.point().flat && !nearZero(end.point().theta())) {
      throw new NoEstimate(
          NoEstimate.Reason.REDUNDANT_COLUMN,
          "variances of random effects: the likelihood must change with each of them; it does not with some; does a fixed effect already tell the groups of a random term apart, or does another random term?");
    }
    return end;
  }

  private DampedNewton.End<Place> from(double[] start) {
    last = Double.POSITIVE_INFINITY;
    Place first = at(start, Double.NaN);
    if (!first.usable()) {
      throw new NoEstimate(
          NoEstimate.Reason.NOT_CONVERGED,
          "variances of random effects: the likelihood is no number where all are as large as the residual variance; do the fixed effects fit perfectly, or are some covariates or responses on an extreme scale?");
    }
    DampedNewton.End<Place> end = DampedNewton.from(first, this, LIMITS);
    double distance = end.point().distance();
    boolean there =
        distance <= enough
            || (end.outcome() == DampedNewton.Outcome.NO_PROGRESS && distance <= 1e-3);
    if (!there) {
      throw new NoEstimate(
          NoEstimate.Reason.NOT_CONVERGED,
          "variances of random effects: Newton's method made no more progress, %.3g standard errors from where the score would be zero; are some covariates or responses on an extreme scale, or random terms more than the data can tell apart?"
              .formatted(distance));
    }
    return end;
  }

  /** Whether some diagonal is 0, beside which others may turn freely. */
  private boolean nearZero(double[] theta) {
    int at = 0;
    for (RandomPart part : parts) {
      for (int length = part.columns(); length > 0; length--) {
        if (Math.abs(theta[at]) < MixedFit.SINGULAR) {
          return true;
        }
        at += length;
      }
    }
    return false;
  }

  @Override
  public double value(double[] theta) {
    Profile found = profile(theta);
    return found.valid() ? found.value() : Double.NaN;
  }

  /** The best coefficients at some factors. */
  Profile profile(double[] theta) {
    double[][] factors = factors(theta);
    return profile(Pooled.bounded(world, m -> sums.get(m).at(factors, false)), 0);
  }

  private Profile profile(double[] said, int from) {
    int width = features + 1;
    double[] all = products(said, from + 1);
    double[] information = new double[leading * leading];
    double[] right = new double[leading];
    for (int i = 0; i < leading; i++) {
      System.arraycopy(all, i * width, information, i * leading, leading);
      right[i] = all[i * width + features];
    }
    Optional<double[]> lower =
        Pooled.within(said[from]) && Arrays.stream(all).allMatch(Pooled::within)
            ? SymmetricMatrix.cholesky(information, leading)
            : Optional.empty();
    if (lower.isEmpty()) {
      return new Profile(Double.NaN, right, Double.NaN, information, false);
    }
    double[] upper = transposed(lower.get());
    double[] half = Triangular.solveTransposed(upper, leading, right);
    double residual = all[width * width - 1];
    double determinant = 0;
    for (int i = 0; i < leading; i++) {
      residual = Math.fma(-half[i], half[i], residual);
      determinant += 2 * StrictMath.log(upper[i * (leading + 1)]);
    }
    double freedom = freedom();
    double value =
        said[from]
            + (reml ? determinant : 0)
            + freedom * (1 + StrictMath.log(2 * Math.PI * residual / freedom));
    return new Profile(
        value,
        Triangular.solve(upper, leading, half),
        residual,
        information,
        residual > 0 && Double.isFinite(value));
  }

  /**
   * A matrix of features and responses, to which is given back what was taken for the features that
   * have no coefficients.
   */
  private double[] products(double[] said, int from) {
    int width = features + 1;
    double[] all = Pooled.symmetric(said, from, width);
    for (int j = leading; j < features; j++) {
      for (int i = 0; i < width; i++) {
        all[i * width + features] =
            Math.fma(beta[j], all[i * width + j], all[i * width + features]);
      }
      for (int i = 0; i < width; i++) {
        all[features * width + i] =
            Math.fma(beta[j], all[j * width + i], all[features * width + i]);
      }
    }
    return all;
  }

  private double[] transposed(double[] lower) {
    double[] upper = new double[lower.length];
    for (int i = 0; i < leading; i++) {
      for (int j = 0; j < leading; j++) {
        upper[j * leading + i] = lower[i * leading + j];
      }
    }
    return upper;
  }

  /** n, or n − p where the coefficients are integrated out. */
  double freedom() {
    return reml ? rows - leading : rows;
  }

  /** The criterion with its gradient, here and a little further along each entry, in one total. */
  @Override
  public Place at(double[] theta, double value) {
    int n = theta.length;
    int length = (1 + n) * RandomEffectSums.block(features + 1);
    double[][][] around = new double[1 + n][][];
    around[0] = factors(theta);
    for (int j = 0; j < n; j++) {
      double[] shifted = theta.clone();
      shifted[j] += DIFFERENCE;
      around[1 + j] = factors(shifted);
    }
    double[] said =
        Pooled.bounded(
            world,
            m -> {
              double[] all = new double[around.length * length];
              for (int k = 0; k < around.length; k++) {
                System.arraycopy(sums.get(m).at(around[k], true), 0, all, k * length, length);
              }
              return all;
            });
    double[] here = gradient(said, 0, n);
    double[] hessian = new double[n * n];
    for (int j = 0; j < n; j++) {
      double[] there = gradient(said, (1 + j) * length, n);
      for (int i = 0; i < n; i++) {
        double slope = 0.5 * (there[i] - here[i]) / DIFFERENCE;
        hessian[i * n + j] += slope;
        hessian[j * n + i] += slope;
      }
    }
    return new Place(theta, profile(said, 0).value(), here, hessian);
  }

  private double[] gradient(double[] said, int from, int n) {
    Profile at = profile(said, from);
    double[] gradient = new double[n];
    if (!at.valid()) {
      Arrays.fill(gradient, Double.NaN);
      return gradient;
    }
    int width = features + 1;
    int block = RandomEffectSums.block(width);
    double[] inverse = SymmetricMatrix.inverse(at.information(), leading).orElseThrow();
    for (int j = 0; j < n; j++) {
      int start = from + (1 + j) * block;
      double[] slope = products(said, start + 1);
      double residual = slope[width * width - 1];
      double trace = 0;
      for (int a = 0; a < leading; a++) {
        residual -= 2 * at.delta()[a] * slope[a * width + features];
        for (int b = 0; b < leading; b++) {
          residual += at.delta()[a] * slope[a * width + b] * at.delta()[b];
          trace += inverse[a * leading + b] * slope[a * width + b];
        }
      }
      gradient[j] = said[start] + (reml ? trace : 0) + freedom() * residual / at.residual();
    }
    return gradient;
  }

  @Override
  public double ceiling(Place here, double share) {
    // A step to the same point with another sign would bring nothing.
    double promised = 2 * here.distance() * here.distance();
    return here.value()
        - SUFFICIENT * share * promised * here.cut()
        + ROUNDING * (1 + Math.abs(here.value()));
  }

  @Override
  public boolean done(Place here) {
    boolean stands = here.distance() >= STANDS * last && here.distance() <= enough;
    last = here.distance();
    return !here.bendsDown && (here.distance() <= 1e-4 * enough || stands);
  }
}
