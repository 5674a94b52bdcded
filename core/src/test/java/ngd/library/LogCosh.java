package ngd.library;

import java.util.List;
import ngd.core.model.Loss;
import ngd.core.model.LossDescriptor;
import ngd.core.model.PredictorLoss;

// docs/losses.md
/** The logarithm of the hyperbolic cosine of the residual: {@code --loss log-cosh:SCALE}. */
public final class LogCosh implements LossDescriptor {
  @Override
  public String name() {
    return "log-cosh";
  }

  @Override
  public List<String> parameters() {
    return List.of("SCALE");
  }

  @Override
  public Loss loss(List<Double> numbers) {
    return new Smooth(numbers.isEmpty() ? 1 : numbers.getFirst());
  }

  /** scale² log cosh((η − y) / scale): half the squared residual near 0, its size far away. */
  public record Smooth(double scale) implements PredictorLoss {
    @Override
    public String name() {
      return "log-cosh";
    }

    @Override
    public double rowLoss(double eta, double y) {
      double r = Math.abs(eta - y) / scale;
      return scale * scale * (r + Math.log1p(Math.exp(-2 * r)) - Math.log(2));
    }

    @Override
    public double score(double eta, double y) {
      return scale * Math.tanh((eta - y) / scale);
    }
  }
}
