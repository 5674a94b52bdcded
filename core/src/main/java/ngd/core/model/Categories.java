package ngd.core.model;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.formula.Design;
import ngd.core.formula.ResponseClasses;

/**
 * Responses that are one of three or more classes: minus twice the log-likelihood over n. Either
 * baseline-category logits, as {@code nnet::multinom}, in which every class but the first has
 * coefficients of its own; or cumulative links, as {@code MASS::polr}, in which classes in order
 * share them and thresholds ζ lie between neighbours: P(y ≤ k) = F(ζ_k − xᵀβ).
 *
 * <p>A row's response is the number of its class, from 0. A point θ has for each column in turn the
 * coefficients of all classes but the first; of ordered classes first the thresholds, which stand
 * in the place of the intercept, and then a coefficient for every other column. So a model of the
 * first columns alone has the first coefficients alone.
 *
 * @param ordered whether one class is less than the next
 * @param thresholds the distribution whose quantiles thresholds are; logit where there are none
 * @param classes their names, in order; none while they are not known
 * @param columns the names of the columns
 */
public record Categories(
    boolean ordered, Thresholds thresholds, List<String> classes, List<String> columns)
    implements Regression, RowwiseLoss {
  /** The names of the families. */
  public static final String MULTINOMIAL = "multinomial";

  public static final String ORDERED = "ordered";

  private static final int FEWEST = 3;

  public Categories {
    classes = List.copyOf(classes);
    columns = List.copyOf(columns);
  }

  /** Baseline-category logits, of classes that the data say. */
  public static Categories multinomial() {
    return new Categories(false, Thresholds.LOGIT, List.of(), List.of());
  }

  /** Cumulative links, of classes that the data say. */
  public static Categories ordered(Thresholds thresholds) {
    return new Categories(true, thresholds, List.of(), List.of());
  }

  /**
   * The same of the classes and columns of a design.
   *
   * @throws InvalidInput where the classes are fewer than three, or rows lack one that is stated
   */
  public Categories of(Design design) {
    List<String> found = design.classes();
    List<String> nowhere =
        design.frame().formula().classes().stream()
            .flatMap(response -> response.variable().levels().stream())
            .filter(level -> !found.contains(level))
            .toList();
    if (!nowhere.isEmpty()) {
      throw new InvalidInput(
          "order: every level of `%s` must be in some complete row; none has %s"
              .formatted(design.frame().formula().responseText(), String.join(", ", nowhere)));
    }
    if (found.size() < FEWEST) {
      throw new InvalidInput(
          "family %s: the response `%s` must have at least %d levels; it has %d%s"
              .formatted(
                  family(),
                  design.frame().formula().responseText(),
                  FEWEST,
                  found.size(),
                  found.size() == 2
                      ? ", %s and %s; use --family binomial".formatted(found.get(0), found.get(1))
                      : ""));
    }
    return new Categories(ordered, thresholds, found, design.columns());
  }

  @Override
  public String name() {
    return ordered ? ORDERED : MULTINOMIAL;
  }

  @Override
  public String link() {
    return thresholds.word();
  }

  @Override
  public double mean(double eta) {
    throw new UnsupportedOperationException("classes have probabilities, and no mean");
  }

  private ClassLikelihood likelihood() {
    return ordered
        ? new ClassLikelihood.Cumulative(thresholds, classes.size())
        : new ClassLikelihood.Baseline(classes.size());
  }

  /** The classes but one: intercepts, or thresholds, of the model without covariates. */
  public int levels() {
    return classes.size() - 1;
  }

  @Override
  public int parameters(int features) {
    return ordered ? levels() + features - 1 : levels() * features;
  }

  /**
   * Where the coefficients of a point stand in an answer: for each class all columns, or the
   * thresholds last.
   */
  public int[] places() {
    int p = columns.size();
    int[] places = new int[parameters(p)];
    if (ordered) {
      Arrays.setAll(places, t -> t < levels() ? p - 1 + t : t - levels());
    } else {
      Arrays.setAll(places, t -> t % levels() * p + t / levels());
    }
    return places;
  }

  /** The names in the order of a point: those of an answer in another order. */
  @Override
  public List<String> parameterNames(List<String> columns) {
    List<String> answered = ResponseClasses.coefficients(ordered, classes, columns);
    return Arrays.stream(places()).mapToObj(answered::get).toList();
  }

  /** Whether a coefficient of an answer is of no covariate: an intercept or a threshold. */
  public boolean ofLevel(int place) {
    int p = columns.size();
    return ordered ? place >= p - 1 : columns.get(place % p).equals(Design.INTERCEPT);
  }

  /** The coefficients of an answer as a point. */
  private double[] point(double[] answered) {
    int[] places = places();
    double[] theta = new double[places.length];
    Arrays.setAll(theta, t -> answered[places[t]]);
    return theta;
  }

  /**
   * The probability of each class of a row.
   *
   * @param answered the coefficients in the order of an answer
   * @param x the row of the design matrix
   */
  public double[] probabilities(double[] answered, double[] x, double offset) {
    return likelihood().probabilities(predictors(point(answered), x, offset));
  }

  /** Coefficients, in a point's order, of the model whose classes have these shares. */
  public double[] start(double[] shares, double meanOffset) {
    double[] start = new double[levels()];
    double below = 0;
    for (int k = 0; k < start.length; k++) {
      below += shares[k];
      start[k] =
          ordered
              ? thresholds.threshold(below) + meanOffset
              : StrictMath.log(shares[k + 1] / shares[0]);
    }
    return start;
  }

  /**
   * What all classes but one have of a row: linear predictors beside the first class's 0; or the
   * distances of the thresholds from the row's linear predictor.
   */
  private double[] predictors(double[] theta, double[] x, double offset) {
    double[] eta = new double[levels()];
    if (!ordered) {
      for (int j = 0; j < x.length; j++) {
        for (int k = 0; k < eta.length; k++) {
          eta[k] = Math.fma(x[j], theta[j * eta.length + k], eta[k]);
        }
      }
      return eta;
    }
    double score = offset;
    for (int j = 1; j < x.length; j++) {
      score = Math.fma(x[j], theta[eta.length + j - 1], score);
    }
    for (int k = 0; k < eta.length; k++) {
      eta[k] = Math.fma(x[0], theta[k], -score);
    }
    return eta;
  }

  @Override
  public boolean isMean() {
    return true;
  }

  @Override
  public double value(Shard shard, double[] theta) {
    double[] sum = new double[1];
    ClassLikelihood of = likelihood();
    forEach(
        shard,
        theta,
        (row, x, eta) -> sum[0] += shard.weight(row) * of.loss(eta, (int) shard.y(row)));
    return factor() / shard.rows() * sum[0];
  }

  @Override
  public void gradient(Shard shard, double[] theta, double[] gradient) {
    Arrays.fill(gradient, 0);
    int levels = levels();
    ClassLikelihood of = likelihood();
    forEach(
        shard,
        theta,
        (row, x, eta) -> {
          double[] slope = of.slopes(eta, (int) shard.y(row));
          double scale = factor() / shard.rows() * shard.weight(row);
          if (!ordered) {
            for (int j = 0; j < x.length; j++) {
              for (int k = 0; k < levels; k++) {
                gradient[j * levels + k] =
                    Math.fma(scale * x[j], slope[k], gradient[j * levels + k]);
              }
            }
            return;
          }
          double all = 0;
          for (int k = 0; k < levels; k++) {
            gradient[k] = Math.fma(scale * x[0], slope[k], gradient[k]);
            all -= slope[k];
          }
          for (int j = 1; j < x.length; j++) {
            gradient[levels + j - 1] = Math.fma(scale * x[j], all, gradient[levels + j - 1]);
          }
        });
  }

  @Override
  public void hessian(Shard shard, double[] theta, double[] hessian) {
    Arrays.fill(hessian, 0);
    int q = theta.length;
    ClassLikelihood of = likelihood();
    forEach(
        shard,
        theta,
        (row, x, eta) -> {
          double[] bend = of.bends(eta, (int) shard.y(row));
          double scale = factor() / shard.rows() * shard.weight(row);
          if (ordered) {
            addOrdered(x, bend, scale, hessian, q);
          } else {
            addMultinomial(x, bend, scale, hessian, q);
          }
        });
    for (int i = 0; i < q; i++) {
      for (int j = 0; j < i; j++) {
        hessian[j * q + i] = hessian[i * q + j];
      }
    }
  }

  @Override
  public double[] sums(Shard rows, double[] theta, boolean curved) {
    if (!ordered) {
      return ClassSums.of(rows, theta, levels(), curved);
    }
    int q = theta.length;
    double scale = rows.rows() / factor();
    double[] gradient = new double[q];
    gradient(rows, theta, gradient);
    double[] hessian = new double[curved ? q * q : 0];
    if (curved) {
      hessian(rows, theta, hessian);
    }
    double[] sums = new double[2 + q + (curved ? q * (q + 1) / 2 : 0)];
    sums[0] = scale * value(rows, theta);
    int at = 2 + q;
    for (int i = 0; i < q; i++) {
      sums[2 + i] = scale * gradient[i];
      for (int j = 0; curved && j <= i; j++) {
        sums[at++] = scale * hessian[i * q + j];
      }
    }
    return sums;
  }

  /** Adds a row to the lower triangle. */
  private void addMultinomial(double[] x, double[] bend, double scale, double[] hessian, int q) {
    int levels = levels();
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j <= i; j++) {
        double product = scale * x[i] * x[j];
        for (int k = 0; k < levels; k++) {
          int at = (i * levels + k) * q + j * levels;
          for (int l = 0; l < levels; l++) {
            hessian[at + l] = Math.fma(product, bend[k * levels + l], hessian[at + l]);
          }
        }
      }
    }
  }

  private void addOrdered(double[] x, double[] bend, double scale, double[] hessian, int q) {
    int levels = levels();
    double[] across = new double[levels];
    double all = 0;
    for (int k = 0; k < levels; k++) {
      for (int l = 0; l < levels; l++) {
        across[k] -= bend[k * levels + l];
        if (l <= k) {
          hessian[k * q + l] =
              Math.fma(scale * x[0] * x[0], bend[k * levels + l], hessian[k * q + l]);
        }
      }
      all -= across[k];
    }
    for (int j = 1; j < x.length; j++) {
      int at = (levels + j - 1) * q;
      for (int k = 0; k < levels; k++) {
        hessian[at + k] = Math.fma(scale * x[0] * x[j], across[k], hessian[at + k]);
      }
      for (int i = 1; i <= j; i++) {
        hessian[at + levels + i - 1] =
            Math.fma(scale * x[i] * x[j], all, hessian[at + levels + i - 1]);
      }
    }
  }

  /**
   * How many rows of a shard a step moves by more than each of some limits: how far the ends of a
   * row's class go, or its predictor beside those of other classes.
   *
   * @param against whether only what makes the row's own class less likely counts
   */
  public double[] moved(Shard shard, double[] step, double[] limits, boolean against) {
    double[] rows = new double[limits.length];
    ClassLikelihood of = likelihood();
    double[] x = new double[shard.features()];
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      double most = of.moved(predictors(step, x, 0), (int) shard.y(i), against);
      for (int k = 0; k < limits.length; k++) {
        rows[k] += shard.weight(i) > 0 && most > limits[k] ? 1 : 0;
      }
    }
    return rows;
  }

  /** The weight of the rows of each class, and the sum of weighted offsets. */
  public double[] counted(Shard shard) {
    double[] sums = new double[classes.size() + 1];
    for (int i = 0; i < shard.rows(); i++) {
      sums[(int) shard.y(i)] += shard.weight(i);
      sums[classes.size()] += shard.weight(i) * shard.offset(i);
    }
    return sums;
  }

  @FunctionalInterface
  private interface RowVisitor {
    void row(int row, double[] x, double[] eta);
  }

  /** Each row that counts, with what its classes have of it. */
  private void forEach(Shard shard, double[] theta, RowVisitor visitor) {
    double[] x = new double[shard.features()];
    for (int i = 0; i < shard.rows(); i++) {
      if (shard.weight(i) > 0) {
        shard.row(i, x);
        visitor.row(i, x, predictors(theta, x, shard.offset(i)));
      }
    }
  }
}
