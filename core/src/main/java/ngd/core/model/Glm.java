package ngd.core.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.data.Shard;
import ngd.core.data.Table;

/**
 * A generalised linear model with its canonical link: the loss depends on theta only through each
 * row's linear predictor η = xᵀθ.
 *
 * <p>The loss of a shard of n rows is {@code factor / n · Σ rowLoss(η, y)}, its gradient {@code
 * factor / n · Σ (mean(η) − y) x} and its Hessian {@code factor / n · Σ variance(η) x xᵀ}. What
 * stands here are the definitions in plain loops.
 */
public sealed interface Glm extends CurvedLoss permits Linear, Logistic, Poisson {

  /** The name on the command line: gaussian, binomial or poisson. */
  String family();

  /** 1 for half the mean squared error, 2 for minus twice the log-likelihood over n. */
  double factor();

  /** The expected response at a linear predictor. */
  double mean(double eta);

  /** The derivative of {@link #mean}, which for a canonical link is the response's variance. */
  double variance(double eta);

  /** Minus the log-likelihood of one response, without the terms that do not depend on eta. */
  double rowLoss(double eta, double y);

  /** Why this response cannot come from this family, if it cannot. */
  Optional<String> objection(double y);

  static Glm ofFamily(String family) {
    List<Glm> all = List.of(new Linear(), new Logistic(), new Poisson());
    return all.stream()
        .filter(glm -> glm.family().equals(family))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "family: must be one of gaussian, binomial, poisson; got `%s`%s"
                        .formatted(
                            family,
                            NearestName.hint(family, all.stream().map(Glm::family).toList()))));
  }

  /** Refuses a table with a response that cannot come from this family, naming its line. */
  default void requireResponses(Table table) {
    for (int row = 0; row < table.rows(); row++) {
      Optional<String> objection = objection(table.y(row));
      if (objection.isPresent()) {
        throw new InvalidInput(
            "%s, column `%s`: %s; got %s"
                .formatted(
                    table.place(row), table.responseName(), objection.get(), shown(table.y(row))));
      }
    }
  }

  private static String shown(double y) {
    return y == Math.rint(y) && Math.abs(y) < 1e15 ? Long.toString((long) y) : Double.toString(y);
  }

  @Override
  default double value(Shard shard, double[] theta) {
    requireWidth(shard, theta);
    double[] x = new double[theta.length];
    double sum = 0;
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      sum += rowLoss(dot(x, theta), shard.y(i));
    }
    return factor() * sum / shard.rows();
  }

  @Override
  default void gradient(Shard shard, double[] theta, double[] gradient) {
    requireWidth(shard, theta);
    double[] x = new double[theta.length];
    Arrays.fill(gradient, 0);
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      double residual = mean(dot(x, theta)) - shard.y(i);
      for (int j = 0; j < x.length; j++) {
        gradient[j] = Math.fma(residual, x[j], gradient[j]);
      }
    }
    for (int j = 0; j < gradient.length; j++) {
      gradient[j] = factor() * gradient[j] / shard.rows();
    }
  }

  @Override
  default void hessian(Shard shard, double[] theta, double[] hessian) {
    requireWidth(shard, theta);
    int p = theta.length;
    double[] x = new double[p];
    Arrays.fill(hessian, 0);
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      double weight = variance(dot(x, theta));
      for (int j = 0; j < p; j++) {
        double weighted = weight * x[j];
        for (int k = 0; k <= j; k++) {
          hessian[j * p + k] = Math.fma(weighted, x[k], hessian[j * p + k]);
        }
      }
    }
    for (int j = 0; j < p; j++) {
      for (int k = 0; k <= j; k++) {
        hessian[j * p + k] = factor() * hessian[j * p + k] / shard.rows();
        hessian[k * p + j] = hessian[j * p + k];
      }
    }
  }

  private static double dot(double[] x, double[] theta) {
    double eta = 0;
    for (int j = 0; j < x.length; j++) {
      eta = Math.fma(x[j], theta[j], eta);
    }
    return eta;
  }

  private static void requireWidth(Shard shard, double[] theta) {
    if (theta.length != shard.features()) {
      throw new IllegalArgumentException(
          "theta: must have %d entries, one a feature; got %d"
              .formatted(shard.features(), theta.length));
    }
  }
}
