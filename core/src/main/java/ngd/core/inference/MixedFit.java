package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.algorithm.Moments;
import ngd.core.data.RandomEffects;
import ngd.core.data.Shard;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.GaussHermite;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.NoEstimate;
import ngd.core.model.RandomEffectLikelihood;
import ngd.core.model.RandomEffectSums;
import ngd.core.world.World;

/**
 * A mixed model by sums over all clients, as {@code lme4::lmer} and {@code glmer} fit it to the
 * pooled rows. At given variances, and coefficients where responses are not normal, a client's rows
 * depend on no others, or on those of its own site alone: it says its part of the likelihood with
 * derivatives, and sums of these are all that is shared. Every decision is made from totals, which
 * are the same bits at every client.
 *
 * @param glm the family with its link
 * @param terms the coefficients' names, in order
 * @param random the random terms
 * @param settings what is maximised, and how near
 */
public record MixedFit(Glm glm, List<String> terms, List<RandomPart> random, Settings settings) {
  /**
   * What is maximised, and how near.
   *
   * @param reml whether variances are those of restricted maximum likelihood; of normal responses
   *     alone
   * @param points of the quadrature over random effects where responses are not normal; 1 is
   *     Laplace's approximation
   * @param share the share of a standard error that may remain
   */
  public record Settings(boolean reml, int points, double share) {
    public Settings {
      var _ = GaussHermite.of(points);
    }
  }

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
    if (settings.points() > 1 && (random.size() > 1 || random.getFirst().columns() > 1)) {
      throw severalEffects(
          random.stream()
              .map(part -> "%s of %s".formatted(String.join(", ", part.effects()), part.group()))
              .toList());
    }
  }

  /** Why quadrature is refused where there is more than one effect of groups. */
  public static InvalidInput severalEffects(List<String> effects) {
    return new InvalidInput(
        "quadrature: of more points than 1 works only with one random term of one effect, such as (1 | ward); got %s"
            .formatted(String.join(" and ", effects)));
  }

  /** Whether responses are normal. */
  boolean linear() {
    return glm instanceof Linear;
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
          "formula: weights must be positive in a model with random terms, where they are"
              + " precisions or numbers of trials; some are 0");
    }
    if (size.counted() <= p) {
      throw new NoEstimate(
          NoEstimate.Reason.TOO_FEW_ROWS,
          "the data: %d coefficients and a variance need more rows; got %d"
              .formatted(p, size.counted()));
    }
    Groups groups = groups(world, size);
    MixedEstimate.Setting setting =
        linear() ? linear(world, size, groups) : generalised(world, groups, progress);
    progress.begin(FitProgress.Stage.LAST_STEPS);
    MixedCriterion criterion = setting.criteria().of(p, settings.reml());
    DampedNewton.End<MixedCriterion.Place> end = criterion.minimise();
    double[] theta = settled(criterion, end.point());
    return new MixedEstimate(
        this,
        criterion.optimum(theta),
        criterion.factors(theta),
        setting,
        end.point().distance(),
        end.steps());
  }

  /** Normal responses: products of rows, computed once, from which least squares is taken. */
  private MixedEstimate.Setting linear(World world, Size size, Groups groups) {
    int p = terms.size();
    Coordinates coordinates = Coordinates.agree(world, terms, size);
    World there = coordinates.in(world);
    double[] beta = leastSquares(there, p);
    List<RandomEffectSums> sums =
        held(there, shard -> new RandomEffectSums(shard, beta, groups.scales()));
    return new MixedEstimate.Setting(
        coordinates,
        size,
        sums,
        beta,
        groups,
        (leading, reml) ->
            new ProfiledCriterion(
                there, sums, random, p, leading, beta, size.rows(), reml, settings.share()));
  }

  /** Others start from the model without random effects, which must exist for this one to. */
  private MixedEstimate.Setting generalised(World world, Groups groups, FitProgress progress) {
    PooledEstimate without =
        new PooledFit(glm, terms, List.of(), PooledFit.Settings.STANDARD).run(world, progress);
    double[] start = without.end().theta();
    List<RandomEffectLikelihood> clients =
        held(
            without.world(),
            shard -> new RandomEffectLikelihood(glm, shard, groups.scales(), settings.points()));
    return new MixedEstimate.Setting(
        without.coordinates(),
        without.size(),
        clients,
        new double[terms.size()],
        groups,
        (leading, _) ->
            new IntegratedCriterion(
                without.world(), clients, random, Arrays.copyOf(start, leading), settings.share()));
  }

  /** What is made of the rows of each client that this process holds. */
  private static <T> List<T> held(World world, Function<Shard, T> of) {
    List<T> held = new ArrayList<>();
    for (int m = 0; m < world.rows(); m++) {
      // Rows can be got at only by asking for sums.
      var _ =
          world.sums(
              m,
              shard -> {
                held.add(of.apply(shard));
                return new double[0];
              });
    }
    return held;
  }

  /**
   * The likelihood, not restricted, of the model of the first coefficients alone: in these {@link
   * Coordinates} that of the first columns.
   */
  double deviance(MixedEstimate.Setting setting, int leading) {
    double value = setting.criteria().of(leading, false).minimise().point().value();
    return linear() ? value - setting.size().logWeight() : value;
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
      requireGroups(part, count, size.rows());
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

  private void requireGroups(RandomPart part, long count, double rows) {
    if (count < 2) {
      throw new InvalidInput(
          "random term of %s: needs at least two groups, or its variance cannot be told from the intercept; got %d"
              .formatted(part.group(), count));
    }
    // Without a residual variance each row may have an effect of its own.
    long effects = count * part.columns();
    if (linear() ? effects >= rows : effects > rows) {
      throw new InvalidInput(
          "random term of %s: its effects must be %s; got %s of %s, %s in all, and %s"
              .formatted(
                  part.group(),
                  linear()
                      ? "fewer than rows, or they cannot be told from residuals"
                      : "no more than rows",
                  NumberText.count(part.columns(), "effect"),
                  NumberText.count(count, "group"),
                  NumberText.count(effects, "effect"),
                  NumberText.count((long) rows, "row")));
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
