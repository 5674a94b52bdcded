package ngd.app.fit;

import java.util.List;
import ngd.core.model.Loss;
import ngd.core.model.LossDescriptor;
import ngd.core.model.PredictorLoss;

/**
 * A loss of somebody's own, √(1 + r²), and with a number other than 1 one with a wrong gradient.
 */
public final class PseudoHuber implements LossDescriptor {
  @Override
  public String name() {
    return "pseudo-huber";
  }

  @Override
  public List<String> parameters() {
    return List.of("MISTAKE");
  }

  @Override
  public Loss loss(List<Double> numbers) {
    return new Rounded(numbers.isEmpty() ? 1 : numbers.getFirst());
  }

  private record Rounded(double mistake) implements PredictorLoss {
    @Override
    public String name() {
      return "pseudo-huber";
    }

    @Override
    public double rowLoss(double eta, double y) {
      return Math.hypot(1, eta - y);
    }

    @Override
    public double score(double eta, double y) {
      return mistake * (eta - y) / Math.hypot(1, eta - y);
    }
  }
}
