package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.algorithm.Moments;
import ngd.core.data.RandomEffects;
import ngd.core.data.Shard;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.NoEstimate;
import ngd.core.model.RandomEffectSums;
import ngd.core.world.World;

/**
 * A linear mixed model by sums over all clients, as {@code lme4::lmer} fits it to the pooled rows.
 * At given variances a client's rows depend on no others, or on those of its own site alone: it
 * says XᵀV⁻¹X, XᵀV⁻¹y, yᵀV⁻¹y, log|V| and their derivatives, and sums of these are all that is
 * shared. Every decision is made from totals, which are the same bits at every client.
 *
 * @param terms the coefficients' names, in order
 * @param random the random terms
 * @param reml whether variances are those of restricted maximum likelihood
 * @param share the share of a standard error that may remain
 */
public record MixedFit(List<String> terms, List<RandomPart> random, boolean reml, double share) {
  /** A variance below this share of its scale is none, as for lme4's {@code isSingular}. */
  static final double SINGULAR = 1e-4;

  /** By how much of itself the criterion may differ where a variance is taken for 0. */
  private static final double SETTLED = 1e-9;

  /** What is left of a column beside earlier ones, below which it is one of them. */
  private static final double REDUNDANT = 1e-10;

  public MixedFit {
    terms = List.copyOf(terms);
    random = List.copyOf(random);
    if (random.isEmpty()) {
      throw new IllegalArgumentException("a mixed model: needs a random term");
    }
    if (terms.size() > PooledFit.Settings.MOST_CURVED) {
      throw new InvalidInput(
          "random terms: sums are of at most %d coefficients; got %d"
              .formatted(PooledFit.Settings.MOST_CURVED, terms.size()));
    }
  }

  /**
   * Finds the estimate.
   *
   * @throws NoEstimate if it does not exist
   */
  public MixedEstimate run(World world, FitProgress progress) {
    progress.begin(FitProgress.Stage.COORDINATES);
    int p = terms.size();
    Size size = Size.of(world, p);
    if (size.counted() < size.rows()) {
      throw new InvalidInput(
          "formula: weights must be positive in a model with random terms, where they are precisions; some are 0");
    }
    if (size.counted() <= p) {
      throw new NoEstimate(
          NoEstimate.Reason.TOO_FEW_ROWS,
          "the data: %d coefficients and a residual variance need more rows; got %d"
              .formatted(p, size.counted()));
    }
    Groups groups = groups(world, size);
    Coordinates coordinates = Coordinates.agree(world, terms, size);
    World there = coordinates.in(world);
    double[] beta = leastSquares(there, p);
    List<RandomEffectSums> sums = new ArrayList<>();
    for (int m = 0; m < there.rows(); m++) {
      // Rows can be got at only by asking for sums.
      var _ =
          there.sums(
              m,
              shard -> {
                sums.add(new RandomEffectSums(shard, beta, groups.scales()));
                return new double[0];
              });
    }
    progress.begin(FitProgress.Stage.LAST_STEPS);
    MixedCriterion criterion =
        new MixedCriterion(there, sums, random, p, p, beta, size.rows(), reml, share);
    DampedNewton.End<MixedCriterion.Place> end = criterion.minimise();
    double[] theta = settled(criterion, end.point());
    return new MixedEstimate(
        this,
        criterion.profile(theta),
        criterion.factors(theta),
        new MixedEstimate.Setting(there, coordinates, size, sums, beta, groups),
        end.point().distance(),
        end.steps());
  }

  /**
   * The likelihood, not restricted, of the model of the first coefficients alone: in these {@link
   * Coordinates} that of the first columns.
   */
  double deviance(MixedEstimate.Setting setting, int leading) {
    MixedCriterion criterion =
        new MixedCriterion(
            setting.world(),
            setting.sums(),
            random,
            terms.size(),
            leading,
            setting.beta(),
            setting.size().rows(),
            false,
            share);
    return criterion.minimise().point().value() - setting.size().logWeight();
  }

  /**
   * How many groups each term has, and what its effects' numbers are divided by, so that factors
   * are near 1.
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Groups(List<Long> counts, double[][] scales) {}

  /** By one total: the number of groups of each term, and the products of its effects' numbers. */
  private Groups groups(World world, Size size) {
    double[] sums = Pooled.bounded(world, m -> world.sums(m, MixedFit::counted));
    List<Long> counts = new ArrayList<>();
    double[][] scales = new double[random.size()][];
    int at = 0;
    for (int k = 0; k < scales.length; k++) {
      RandomPart part = random.get(k);
      long count = (long) sums[at++];
      counts.add(count);
      int n = part.columns();
      double[] gram = Pooled.symmetric(sums, at, n);
      at += part.parameters();
      requireGroups(part, count, size);
      requireVarying(part, gram);
      scales[k] = new double[n];
      for (int c = 0; c < n; c++) {
        scales[k][c] = Math.sqrt(gram[c * (n + 1)] / size.weight());
      }
    }
    return new Groups(counts, scales);
  }

  private static double[] counted(Shard shard) {
    RandomEffects own = shard.random();
    double[][] parts = new double[2 * own.terms()][];
    for (int k = 0; k < own.terms(); k++) {
      int n = own.columns(k);
      double[] gram = new double[n * n];
      for (int i = 0; i < shard.rows(); i++) {
        for (int a = 0; a < n; a++) {
          for (int b = 0; b <= a; b++) {
            gram[a * n + b] += shard.weight(i) * own.number(k, i, a) * own.number(k, i, b);
          }
        }
      }
      parts[2 * k] = new double[] {own.groups(k)};
      parts[2 * k + 1] = Pooled.triangle(gram, n);
    }
    return Pooled.joined(parts);
  }

  private static void requireGroups(RandomPart part, long count, Size size) {
    if (count < 2) {
      throw new InvalidInput(
          "random term of %s: needs at least two groups, or its variance cannot be told from the intercept; got %d"
              .formatted(part.group(), count));
    }
    if (count * part.columns() >= size.rows()) {
      throw new InvalidInput(
          "random term of %s: its effects must be fewer than rows, or they cannot be told from residuals; got %s of %s, %s in all, and %s"
              .formatted(
                  part.group(),
                  NumberText.count(part.columns(), "effect"),
                  NumberText.count(count, "group"),
                  NumberText.count(count * part.columns(), "effect"),
                  NumberText.count((long) size.rows(), "row")));
    }
  }

  /** Refuses an effect that the others of its term make up, such as a slope that does not vary. */
  private static void requireVarying(RandomPart part, double[] gram) {
    int n = part.columns();
    double[] lower = new double[n * n];
    for (int j = 0; j < n; j++) {
      double left = gram[j * (n + 1)];
      for (int i = 0; i <= j; i++) {
        double sum = gram[j * n + i];
        for (int k = 0; k < i; k++) {
          sum -= lower[j * n + k] * lower[i * n + k];
        }
        if (i < j) {
          lower[j * n + i] = sum / lower[i * n + i];
        } else {
          left = sum;
        }
      }
      if (!(left > REDUNDANT * gram[j * (n + 1)])) {
        throw new NoEstimate(
            NoEstimate.Reason.REDUNDANT_COLUMN,
            "random term of %s: `%s` must vary between rows, beyond the effects before it; it does not; leave it out"
                .formatted(part.group(), part.effects().get(j)));
      }
      lower[j * (n + 1)] = Math.sqrt(left);
    }
  }

  /** The coefficients without random effects: only what they leave is summed, for its digits. */
  private static double[] leastSquares(World world, int p) {
    double[] sums =
        Pooled.bounded(
            world,
            m -> {
              Moments own = world.curved().moments(m);
              return Pooled.joined(Pooled.triangle(own.xx(), p), own.xy());
            });
    double[] right = Arrays.copyOfRange(sums, sums.length - p, sums.length);
    return SymmetricMatrix.solve(Pooled.symmetric(sums, 0, p), p, right)
        .orElseThrow(
            () -> new ArithmeticException("the pooled second moments are not positive definite"));
  }

  /** Diagonals that are not negative, and 0 where steps left them beside it. */
  private double[] settled(MixedCriterion criterion, MixedCriterion.Place end) {
    double[] kept = turned(end.theta(), 0);
    double[] settled = turned(end.theta(), SINGULAR);
    return Arrays.equals(kept, settled)
            || criterion.value(settled) <= end.value() + SETTLED * (1 + Math.abs(end.value()))
        ? settled
        : kept;
  }

  private double[] turned(double[] theta, double least) {
    double[] turned = theta.clone();
    int at = 0;
    for (RandomPart part : random) {
      for (int length = part.columns(); length > 0; length--) {
        double sign = turned[at] < 0 ? -1 : 1;
        for (int j = at; j < at + length; j++) {
          turned[j] *= sign;
        }
        turned[at] = turned[at] < least ? 0 : turned[at];
        at += length;
      }
    }
    return turned;
  }
}
