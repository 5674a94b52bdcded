package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import ngd.core.InvalidInput;
import ngd.core.data.Table;
import ngd.core.formula.ResponseClasses;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.NoEstimate;
import ngd.core.random.Streams;
import ngd.core.world.World;

/**
 * Penalised estimates of the pooled data along a path of λ, as glmnet reports them, and the choice
 * of λ by cross-validation, by sums over all clients alone (docs/penalties.md).
 *
 * <p>A least-squares path needs one total, its folds one more; of other models every Newton step is
 * one total, which the models of all folds share.
 *
 * @param pooled the same model without a penalty, or with the ridge penalty from whose estimate an
 *     adaptive lasso starts
 */
public record PenalisedFit(PooledFit pooled, Settings settings) {
  /** How λ is chosen where there are several. */
  public enum Choice {
    /** The one with the least deviance of unseen rows. */
    MIN("min"),
    /** The largest within one standard error of it. */
    ONE_SE("1se");

    private final String word;

    Choice(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    public static Choice parse(String word) {
      return switch (word) {
        case "min" -> MIN;
        case "1se" -> ONE_SE;
        default -> throw new InvalidInput("select: must be min or 1se; got `%s`".formatted(word));
      };
    }
  }

  /**
   * What is asked.
   *
   * @param lambdas in any order; none for {@code count} of them from the least that makes all
   *     coefficients 0 down to a share of it
   * @param ratio that share; by default 0.0001, or 0.01 where rows are fewer than coefficients
   * @param folds of the cross-validation; 0 for none
   */
  public record Settings(
      ElasticNet penalty,
      List<Double> lambdas,
      int count,
      OptionalDouble ratio,
      int folds,
      Choice choice) {
    /** The λ of a path, where nothing else is said. */
    public static final int COUNT = 100;

    public Settings {
      lambdas = lambdas.stream().sorted((a, b) -> Double.compare(b, a)).distinct().toList();
      for (double lambda : lambdas) {
        if (!(lambda > 0) || Double.isInfinite(lambda)) {
          throw new InvalidInput(
              "lambda: must be positive numbers (without a penalty, leave out --penalty); got "
                  + lambda);
        }
      }
      if (count < 2) {
        throw new InvalidInput("lambda count: must be at least 2; got " + count);
      }
      if (ratio.isPresent() && !(ratio.getAsDouble() > 0 && ratio.getAsDouble() < 1)) {
        throw new InvalidInput(
            "lambda ratio: must lie above 0 and below 1; got " + ratio.getAsDouble());
      }
      if (folds != 0 && (folds < 3 || folds > Folds.MOST)) {
        throw new InvalidInput(
            "folds: must be 0, for none, or lie in [3, %d]; got %d".formatted(Folds.MOST, folds));
      }
    }
  }

  /**
   * How clients draw their folds.
   *
   * @param first the number of the first client whose rows this process holds
   * @param fewest rows of a client, and of each of its classes, that a fold has at least where it
   *     has any; 1 where clients are no sites
   */
  public record Drawing(Streams streams, int first, int fewest) {
    /** Whether folds protect rows: then they are the same in every question. */
    boolean protective() {
      return fewest > 1;
    }
  }

  /** The λ before which a path does not end early. */
  private static final int LEAST_PATH = 5;

  /** A path ends where a λ explains less than this share of the deviance more. */
  private static final double USEFUL = 1e-5;

  /** Or where this share of the deviance is explained. */
  private static final double EXPLAINED = 0.999;

  public PenalisedFit {
    PooledFit.Settings of = pooled.settings();
    if (of.way() != PooledFit.Way.SUMS) {
      throw new InvalidInput("penalty: works only with a pooled fit by sums");
    }
    if (pooled.terms().size() > of.mostCurved()) {
      throw new InvalidInput(
          "penalty: sums of Hessians are of at most %d coefficients; got %d (--ridge takes more)"
              .formatted(of.mostCurved(), pooled.terms().size()));
    }
  }

  /**
   * Finds the path.
   *
   * @throws NoEstimate where a column is constant, or steps come to no end
   */
  public PenalisedEstimate run(World world, Drawing drawing, FitProgress progress) {
    progress.begin(FitProgress.Stage.COORDINATES);
    List<String> terms = pooled.columns();
    Size size = Size.of(world, terms.size());
    if (!(pooled.regression() instanceof Categories)) {
      pooled.requireResponses(world);
    }
    boolean intercept = terms.getFirst().equals(Table.INTERCEPT);
    if (terms.size() == (intercept ? 1 : 0)) {
      throw new InvalidInput("penalty: needs a column besides the intercept; there is none");
    }
    Coordinates coordinates =
        pooled.regression() instanceof Cox
            ? Coordinates.standardisedAround(world, terms, size)
            : Coordinates.standardised(world, terms, size);
    double[] factors = factors(world, size, intercept, progress);
    World there = coordinates.in(world);
    progress.begin(FitProgress.Stage.NULL_MODEL);
    return new PenalisedPath(this, there, coordinates, size, factors).run(world, drawing, progress);
  }

  /** The coefficients' names: of classes, those of every class. */
  List<String> terms() {
    return pooled.regression() instanceof Categories of
        ? of.classes().stream()
            .flatMap(
                level -> of.columns().stream().map(column -> level + ResponseClasses.OF + column))
            .toList()
        : pooled.terms();
  }

  /**
   * The length of each column's coefficients: of classes around their mean, else the absolute
   * value.
   */
  private double[] lengths(double[] theta, int p) {
    double[] lengths = new double[p];
    // The first class has 0.
    int classes = pooled.regression() instanceof Categories of ? of.classes().size() : 1;
    for (int j = 0; j < p; j++) {
      double sum = 0;
      double squares = 0;
      for (int t = j; t < theta.length; t += p) {
        sum += theta[t];
        squares = Math.fma(theta[t], theta[t], squares);
      }
      lengths[j] =
          classes == 1 ? Math.abs(theta[j]) : Math.sqrt(Math.max(0, squares - sum * sum / classes));
    }
    return lengths;
  }

  /** What multiplies each column's penalty, on the scale of its deviation. */
  private double[] factors(World world, Size size, boolean intercept, FitProgress progress) {
    int p = pooled.columns().size();
    double[] factors = new double[p];
    Arrays.fill(factors, intercept ? 1 : 0, p, 1);
    if (settings.penalty().gamma().isEmpty()) {
      return factors;
    }
    double[] lengths = lengths(pooled.run(world, progress).theta(), p);
    double[] variances = Pooled.variances(world, p, size.weight());
    double sum = 0;
    for (int j = intercept ? 1 : 0; j < p; j++) {
      factors[j] =
          Math.pow(Math.sqrt(variances[j]) * lengths[j], -settings.penalty().gamma().getAsDouble());
      sum += factors[j];
    }
    for (int j = 0; j < p; j++) {
      factors[j] *= (p - (intercept ? 1 : 0)) / sum;
    }
    return factors;
  }

  /** The λ of the path, the largest first. */
  List<Double> lambdas(PenalisedModel from, boolean fewRows) {
    if (!settings.lambdas().isEmpty()) {
      return settings.lambdas();
    }
    double largest =
        from.largest(settings.penalty().mix())
            .orElseThrow(
                () ->
                    new NoEstimate(
                        NoEstimate.Reason.REDUNDANT_COLUMN,
                        "the response: must vary with some column; at the null model no"
                            + " coefficient would leave 0, whatever λ"));
    double ratio = settings.ratio().orElse(fewRows ? 1e-2 : 1e-4);
    List<Double> lambdas = new ArrayList<>();
    for (int k = 0; k < settings.count(); k++) {
      lambdas.add(largest * Math.pow(ratio, (double) k / (settings.count() - 1)));
    }
    return lambdas;
  }

  /**
   * Whether a path of its own making has come to where λ matters no more, by glmnet's rules: most
   * of the deviance is explained, or little more than one or some λ before.
   */
  boolean ends(List<PenalisedEstimate.Step> path, double nullDeviance) {
    int count = path.size();
    if (!settings.lambdas().isEmpty() || count < LEAST_PATH) {
      return false;
    }
    double is = 1 - path.getLast().deviance() / nullDeviance;
    double was = 1 - path.get(count - 2).deviance() / nullDeviance;
    double earlier = 1 - path.get(count - LEAST_PATH).deviance() / nullDeviance;
    return switch (pooled.regression().family()) {
      case Cox.FAMILY -> is > 0.99 || is - earlier < 100 * USEFUL * is;
      case "gaussian" -> is > EXPLAINED || is - was < USEFUL * is;
      case "poisson" -> is > EXPLAINED || is - earlier < 10 * USEFUL * is;
      default -> is > EXPLAINED || is - was < USEFUL;
    };
  }

  /** The place of the λ whose coefficients are reported. */
  OptionalInt chosen(int lambdas, Optional<CrossValidation> validation) {
    return validation.isPresent()
        ? OptionalInt.of(
            settings.choice() == Choice.MIN
                ? validation.get().least()
                : validation.get().simplest())
        : lambdas == 1 ? OptionalInt.of(0) : OptionalInt.empty();
  }
}
