package ngd.core.inference;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.NoEstimate;

/**
 * Minus twice the log-likelihood of a mixed model as a function of its parameters, of which the
 * first are the entries of the relative covariance factors. Every evaluation is one total.
 *
 * <p>The factors are lower triangular matrices of any sign. Where a variance is best at 0, the
 * criterion is flat there and bends upwards, so that Newton steps find it without bounds; in the
 * end signs are turned so that diagonals are not negative, as lme4 has them.
 */
abstract sealed class MixedCriterion implements DampedNewton.Rules<MixedCriterion.Place>
    permits ProfiledCriterion, IntegratedCriterion {
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

  /** How far a step leaves a point at which the criterion bends downwards. */
  private static final double AWAY = 0.5;

  /** A distance that shrinks by less stands still. */
  private static final double STANDS = 0.9;

  private final List<RandomPart> parts;
  private final double enough;

  /** The distance at the point before. */
  private double last = Double.POSITIVE_INFINITY;

  /**
   * A criterion.
   *
   * @param enough the distance, in standard errors of the parameters, that may remain
   */
  MixedCriterion(List<RandomPart> parts, double enough) {
    this.parts = parts;
    this.enough = enough;
  }

  /** Its values at some points, by one total; not a number where there is none. */
  abstract double[] values(List<double[]> points);

  /** The same, each followed by the gradient there; points are near each other. */
  abstract double[][] slopes(List<double[]> points);

  /** The multiples of 1, as factors, among which the start is chosen. */
  abstract List<Double> multiples();

  /** The parameters that belong to some factors at the start. */
  abstract double[] start(double[] factors);

  /** What is estimated at a point. */
  abstract Optimum optimum(double[] parameters);

  /**
   * What is estimated where the criterion is least.
   *
   * @param value the criterion there
   * @param delta the coefficients, beyond those that were taken from the responses first
   * @param covariance of the coefficients
   * @param variance of the residuals; 1 where the family has none to estimate
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Optimum(double value, double[] delta, double[] covariance, double variance) {}

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
    List<double[]> points = multiples().stream().map(of -> start(multiple(of))).toList();
    double[] values = values(points);
    double least = Arrays.stream(values).filter(Double::isFinite).min().orElse(0);
    // Where nothing but rounding tells them apart, the first of them, 1.
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(
            Comparator.comparingDouble(
                k ->
                    Double.isNaN(values[k])
                        ? Double.POSITIVE_INFINITY
                        : Math.rint((values[k] - least) / (APART * (1 + Math.abs(least))))))
        .map(points::get)
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
      double[] one = start(multiple(1));
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
          "variances of random effects: the likelihood must change with each of them; it does not"
              + " with some; does a fixed effect already tell the groups of a random term apart, or"
              + " does another random term?");
    }
    return end;
  }

  private DampedNewton.End<Place> from(double[] start) {
    last = Double.POSITIVE_INFINITY;
    Place first = at(start, Double.NaN);
    if (!first.usable()) {
      throw new NoEstimate(
          NoEstimate.Reason.NOT_CONVERGED,
          "variances of random effects: the likelihood is no number where all are as large as the"
              + " residual variance; do the fixed effects fit perfectly, or are some covariates or"
              + " responses on an extreme scale?");
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
  public double value(double[] parameters) {
    return values(List.of(parameters))[0];
  }

  /** The criterion with its gradient, here and a little further along each entry, in one total. */
  @Override
  public Place at(double[] parameters, double value) {
    int n = parameters.length;
    double[][] found = slopes(around(parameters, DIFFERENCE));
    double[] here = gradient(found[0]);
    double[] hessian = new double[n * n];
    for (int j = 0; j < n; j++) {
      addSlope(hessian, j, gradient(found[1 + j]), here, DIFFERENCE);
    }
    return new Place(parameters, found[0][0], here, hessian);
  }

  /** A point, and those a little further along each entry. */
  static List<double[]> around(double[] parameters, double difference) {
    return IntStream.rangeClosed(0, parameters.length)
        .mapToObj(
            j -> {
              double[] shifted = parameters.clone();
              if (j > 0) {
                shifted[j - 1] += difference;
              }
              return shifted;
            })
        .toList();
  }

  /** What follows a value. */
  static double[] gradient(double[] found) {
    return Arrays.copyOfRange(found, 1, found.length);
  }

  /** Adds the difference of two gradients along an entry to a Hessian, which stays symmetric. */
  static void addSlope(double[] hessian, int entry, double[] above, double[] below, double apart) {
    int n = above.length;
    for (int i = 0; i < n; i++) {
      double slope = 0.5 * (above[i] - below[i]) / apart;
      hessian[i * n + entry] += slope;
      hessian[entry * n + i] += slope;
    }
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
