package ngd.core.model;

import java.util.function.DoubleUnaryOperator;
import ngd.core.data.Shard;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Nested;

/** The contract for every loss of ours and for two that a user might write. */
class LossesTest {
  @Nested
  class OfLinear extends GlmContract {
    @Override
    protected Glm loss() {
      return new Linear();
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return eta + ZigguratSampler.NormalizedGaussian.of(draw).sample();
    }

    @Override
    protected double expectation(double eta, DoubleUnaryOperator of) {
      return integral(
          eta - 12,
          eta + 12,
          y -> Math.exp(-loss().rowLoss(eta, y)) / Math.sqrt(2 * Math.PI) * of.applyAsDouble(y));
    }
  }

  @Nested
  class OfLogistic extends GlmContract {
    @Override
    protected Glm loss() {
      return new Logistic();
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return draw.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
    }

    @Override
    protected double expectation(double eta, DoubleUnaryOperator of) {
      return sum(loss(), eta, 1, of);
    }
  }

  @Nested
  class OfPoisson extends GlmContract {
    @Override
    protected Glm loss() {
      return new Poisson();
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return Math.floor(3 * draw.nextDouble() * Math.exp(eta));
    }

    @Override
    protected double expectation(double eta, DoubleUnaryOperator of) {
      return sum(loss(), eta, 300, of);
    }
  }

  @Nested
  class OfProbit extends GlmContract {
    @Override
    protected Glm loss() {
      return new Probit();
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return eta + ZigguratSampler.NormalizedGaussian.of(draw).sample() > 0 ? 1 : 0;
    }

    @Override
    protected double expectation(double eta, DoubleUnaryOperator of) {
      return sum(loss(), eta, 1, of);
    }
  }

  @Nested
  class OfGamma extends GlmContract {
    @Override
    protected Glm loss() {
      return new Gamma();
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return -Math.exp(eta) * Math.log(1 - draw.nextDouble());
    }

    /** The exponential distribution, which is the family at dispersion 1. */
    @Override
    protected double expectation(double eta, DoubleUnaryOperator of) {
      return integral(
          0, 60 * Math.exp(eta), y -> Math.exp(-loss().rowLoss(eta, y)) * of.applyAsDouble(y));
    }
  }

  @Nested
  class OfNegativeBinomial extends GlmContract {
    @Override
    protected Glm loss() {
      return new NegativeBinomial(1.7);
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return Math.floor(3 * draw.nextDouble() * Math.exp(eta));
    }

    @Override
    protected double expectation(double eta, DoubleUnaryOperator of) {
      return sum(loss(), eta, 3000, of);
    }
  }

  /** Over the counts 0 to {@code last} with the density that the model states. */
  private static double sum(Glm glm, double eta, int last, DoubleUnaryOperator of) {
    double sum = 0;
    for (int y = 0; y <= last; y++) {
      sum += Math.exp(-glm.rowLoss(eta, y) - glm.rest(y, 1)) * of.applyAsDouble(y);
    }
    return sum;
  }

  /** Simpson's rule. */
  private static double integral(double from, double to, DoubleUnaryOperator of) {
    int steps = 20_000;
    double h = (to - from) / steps;
    double sum = of.applyAsDouble(from) + of.applyAsDouble(to);
    for (int i = 1; i < steps; i++) {
      sum += (i % 2 == 1 ? 4 : 2) * of.applyAsDouble(from + i * h);
    }
    return sum * h / 3;
  }

  /** The pseudo-Huber loss: value and gradient only. */
  @Nested
  class OfPseudoHuber extends LossContract {
    @Override
    protected Loss loss() {
      return new PseudoHuber();
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return eta + 3 * ZigguratSampler.NormalizedGaussian.of(draw).sample();
    }
  }

  /** A loss with one parameter more than the data have features. */
  @Nested
  class OfOwnIntercept extends LossContract {
    @Override
    protected Loss loss() {
      return new OwnIntercept();
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return 5 + eta + draw.nextDouble();
    }
  }

  /** Σ √(1 + r²) / n. */
  record PseudoHuber() implements Loss {
    @Override
    public String name() {
      return "pseudo-huber";
    }

    @Override
    public double value(Shard shard, double[] theta) {
      double sum = 0;
      for (int i = 0; i < shard.rows(); i++) {
        sum += Math.hypot(1, residual(shard, i, theta));
      }
      return sum / shard.rows();
    }

    @Override
    public void gradient(Shard shard, double[] theta, double[] gradient) {
      for (int j = 0; j < theta.length; j++) {
        double sum = 0;
        for (int i = 0; i < shard.rows(); i++) {
          double r = residual(shard, i, theta);
          sum += r / Math.hypot(1, r) * shard.x(i, j);
        }
        gradient[j] = sum / shard.rows();
      }
    }

    private static double residual(Shard shard, int row, double[] theta) {
      double eta = 0;
      for (int j = 0; j < theta.length; j++) {
        eta += shard.x(row, j) * theta[j];
      }
      return eta - shard.y(row);
    }
  }

  /** Squared error around θ_p + xᵀθ. */
  record OwnIntercept() implements Loss {
    @Override
    public String name() {
      return "own-intercept";
    }

    @Override
    public int parameters(int features) {
      return features + 1;
    }

    @Override
    public double value(Shard shard, double[] theta) {
      double sum = 0;
      for (int i = 0; i < shard.rows(); i++) {
        sum += residual(shard, i, theta) * residual(shard, i, theta);
      }
      return sum / shard.rows();
    }

    @Override
    public void gradient(Shard shard, double[] theta, double[] gradient) {
      int p = shard.features();
      for (int j = 0; j <= p; j++) {
        gradient[j] = 0;
      }
      for (int i = 0; i < shard.rows(); i++) {
        double r = 2 * residual(shard, i, theta) / shard.rows();
        for (int j = 0; j < p; j++) {
          gradient[j] += r * shard.x(i, j);
        }
        gradient[p] += r;
      }
    }

    private static double residual(Shard shard, int row, double[] theta) {
      double eta = theta[shard.features()];
      for (int j = 0; j < shard.features(); j++) {
        eta += shard.x(row, j) * theta[j];
      }
      return eta - shard.y(row);
    }
  }
}
