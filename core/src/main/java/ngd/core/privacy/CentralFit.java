package ngd.core.privacy;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shard;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Objective;
import ngd.core.model.Probit;

/**
 * A generalised linear model fitted from sums over all sites of which each has noise: every site
 * adds a share, nobody sees a term, and the sums may be released.
 *
 * <p>One total of second moments S = Σ zzᵀ, z the row of predictors times the root of its weight,
 * shortened to norm B; then steps θ ← θ − (κf S)⁻¹ g with totals g = Σ gᵢ(θ) of the rows'
 * gradients, each shortened to norm C. κf S bounds the Hessian, κ the family's largest curvature
 * and f the factor of its loss (Böhning and Lindsay 1988), so that steps descend; for the linear
 * model it is the Hessian. The mean of the second half of the points is the estimate, which has
 * less of their noise. Replacing one row moves S by at most √2 B² in Frobenius norm, since ‖zzᵀ −
 * vvᵀ‖² = |z|⁴ + |v|⁴ − 2 (zᵀv)², and g by at most 2C. All totals cost the same ρ.
 *
 * <p>Sums are whole numbers of a grid that is a power of two, so that a site's term with its noise
 * is an exact double and sums are exact: what is seen is a function of the sum of whole numbers
 * alone.
 */
public final class CentralFit {
  /** Grid steps in what a row can move: between 2^20 and 2^21. */
  private static final int GRID_BITS = 20;

  /** Shares below this many grid steps are not near enough a normal distribution. */
  private static final double LEAST_SHARE = 3;

  /** The key of the second moments in a journal; those of gradients begin with a step's number. */
  private static final double MOMENTS = -1;

  private final Objective objective;
  private final Glm glm;
  private final Privacy privacy;
  private final GradientPrivacy noise;
  private final List<NoiseSource> sources;
  private final List<GradientJournal> journals;
  private final int sites;

  /**
   * What came of it.
   *
   * @param theta the coefficients
   * @param noise the standard deviation of the noise of all totals in each of them , by a bootstrap
   * @param floored how many directions had so little information that noise would have swamped it;
   *     along these the estimate stays near 0
   * @param totals how many sums had noise
   */
  public record Estimate(List<Double> theta, List<Double> noise, int floored, int totals) {
    public Estimate {
      theta = List.copyOf(theta);
      noise = List.copyOf(noise);
    }
  }

  /**
   * A fit in a process that holds some of the sites.
   *
   * @param noise whose own noise is a site's share
   * @param sources a source of noise for each site here
   * @param journals what each of them has said
   * @param sites M, over all processes
   */
  public CentralFit(
      Objective objective,
      Glm glm,
      Privacy privacy,
      GradientPrivacy noise,
      List<NoiseSource> sources,
      List<GradientJournal> journals,
      int sites) {
    this.objective = objective;
    this.glm = glm;
    this.privacy = privacy;
    this.noise = noise;
    this.sources = List.copyOf(sources);
    this.journals = List.copyOf(journals);
    this.sites = sites;
    var _ = largestCurvature(glm);
  }

  /** All sites in this process, their noise seeded. */
  public static CentralFit seeded(
      Objective objective,
      Glm glm,
      Privacy privacy,
      GradientPrivacy noise,
      List<NoiseSource> sources) {
    return new CentralFit(
        objective,
        glm,
        privacy,
        noise,
        sources,
        sources.stream().map(_ -> GradientJournal.counting(noise.most())).toList(),
        sources.size());
  }

  /** The most that a row's loss bends along its predictor; a fit needs one for all predictors. */
  public static double largestCurvature(Glm glm) {
    return switch (glm) {
      case Linear _ -> 1;
      case Logistic _ -> 0.25;
      case Probit _ -> 1;
      default ->
          throw new InvalidInput(
              "privacy: noise=central works only with the gaussian and binomial families, whose curvature has a bound; got `%s`"
                  .formatted(glm.family()));
    };
  }

  /** The numbers in the longest total. */
  public static int width(int coefficients) {
    return coefficients * (coefficients + 1) / 2;
  }

  /** Finds the estimate, and how much of it is noise; every site makes the same totals. */
  public Estimate run(Totals totals) {
    Taken taken = steps(totals);
    double[][] own = new double[objective.clients()][];
    Arrays.setAll(own, m -> new double[] {objective.shards().rows(m)});
    // The number of rows is not hidden.
    double rows = totals.total(own)[0];
    List<Double> noise =
        new CentralNoise(
                taken.steps(),
                array(taken.theta()),
                glm,
                privacy.clip(),
                central().steps(),
                moments().sigma(),
                gradients().sigma())
            .spread(rows);
    return new Estimate(taken.theta(), noise, taken.steps().floored(), central().steps() + 1);
  }

  /** The estimate alone. */
  public List<Double> theta(Totals totals) {
    return steps(totals).theta();
  }

  private record Taken(CentralSteps steps, List<Double> theta) {}

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private Privacy.Noise.Central central() {
    return (Privacy.Noise.Central) privacy.noise();
  }

  private Grid moments() {
    double bound = central().bound();
    return new Grid(Math.sqrt(2) * bound * bound, width(objective.parameters()));
  }

  private Grid gradients() {
    return new Grid(2 * privacy.clip(), objective.parameters());
  }

  private Taken steps(Totals totals) {
    int p = objective.parameters();
    Grid moments = moments();
    double[] packed =
        total(totals, moments, new double[] {MOMENTS}, m -> secondMoments(m, central().bound()), 0);
    double scale = largestCurvature(glm) * glm.factor();
    CentralSteps steps = new CentralSteps(unpacked(packed, p), p, scale, moments.sigma());
    Grid gradients = gradients();
    double[] theta =
        steps.take(
            central().steps(),
            (t, here) -> {
              double[] key = new double[p + 1];
              key[0] = t;
              System.arraycopy(here, 0, key, 1, p);
              return total(totals, gradients, key, m -> clippedGradient(m, here), t + 1);
            });
    return new Taken(steps, Arrays.stream(theta).boxed().toList());
  }

  /** The grid of one kind of total, and the noise of a share on it. */
  private final class Grid {
    private final double step;
    private final long share;

    Grid(double moves, int numbers) {
      step = Math.scalb(1.0, Math.getExponent(moves) - GRID_BITS);
      // Rounding moves every coordinate by at most half a step, at both ends; one more for doubles.
      double steps = moves / step + Math.sqrt(numbers) + 1;
      double sigma = noise.own() * steps;
      if (!(sigma >= LEAST_SHARE && sigma < Long.MAX_VALUE / 2.0)) {
        throw new InvalidInput(
            "privacy: epsilon is so large that the noise falls below the grid of sums; got %s"
                .formatted(privacy.epsilon()));
      }
      share = (long) Math.ceil(sigma);
    }

    /** The standard deviation of the noise of all sites in a total. */
    double sigma() {
      return Math.sqrt(sites) * share * step;
    }

    double[] noised(double[] sum, NoiseSource source, long number) {
      DiscreteGaussian draws = new DiscreteGaussian(share, source.own(number));
      double[] noised = new double[sum.length];
      for (int j = 0; j < sum.length; j++) {
        BigInteger whole = BigInteger.valueOf(Math.round(sum[j] / step)).add(draws.sample());
        noised[j] = whole.doubleValue() * step;
      }
      return noised;
    }
  }

  /** The sum over all sites of what each says once; a journal has it after a restart. */
  private double[] total(
      Totals totals, Grid grid, double[] key, IntFunction<double[]> term, long number) {
    int width = width(objective.parameters());
    double[][] terms = new double[objective.clients()][];
    int length = 0;
    for (int m = 0; m < terms.length; m++) {
      double[] said = journals.get(m).said(key);
      double[] plain = said == null ? term.apply(m) : said;
      if (said == null) {
        double[] noised = grid.noised(plain, sources.get(m), number);
        length = noised.length;
        terms[m] = noised;
        journals.get(m).keep(key, Arrays.copyOf(noised, width));
      } else {
        length = key[0] == MOMENTS ? width : objective.parameters();
        terms[m] = Arrays.copyOf(said, length);
      }
    }
    return Arrays.copyOf(totals.total(terms), length);
  }

  /** Σ zzᵀ as a vector whose Euclidean norm is its Frobenius norm. */
  private double[] secondMoments(int m, double bound) {
    int p = objective.parameters();
    Shard shard = objective.shards().shard(m);
    double[] sum = new double[width(p)];
    double[] row = new double[p];
    for (int i = 0; i < shard.rows(); i++) {
      double root = Math.sqrt(shard.weight(i));
      for (int j = 0; j < p; j++) {
        row[j] = root * shard.x(i, j);
      }
      GradientNoise.shorten(row, bound);
      int at = 0;
      for (int a = 0; a < p; a++) {
        for (int b = 0; b <= a; b++) {
          sum[at++] += (a == b ? 1 : Math.sqrt(2)) * row[a] * row[b];
        }
      }
    }
    return sum;
  }

  private static double[] unpacked(double[] packed, int p) {
    double[] matrix = new double[p * p];
    int at = 0;
    for (int a = 0; a < p; a++) {
      for (int b = 0; b <= a; b++) {
        double entry = packed[at++] / (a == b ? 1 : Math.sqrt(2));
        matrix[a * p + b] = entry;
        matrix[b * p + a] = entry;
      }
    }
    return matrix;
  }

  private double[] clippedGradient(int m, double[] theta) {
    return NoisedLocal.clippedSum(
        objective,
        m,
        theta,
        IntStream.range(0, objective.shards().rows(m)).toArray(),
        0,
        objective.shards().rows(m),
        privacy.clip());
  }
}
