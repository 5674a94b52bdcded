package ngd.core.model;

import java.util.Optional;

/**
 * The hinge loss of support vector machines: max(0, 1 − z) of the margin z, which is η for the
 * label 1 and −η for the label 0 (Cortes and Vapnik 1995), without a penalty.
 */
public record Hinge() implements KinkedLoss, ResponseRule {
  @Override
  public String name() {
    return "hinge";
  }

  /** The sign by which a label multiplies the predictor. */
  static double side(double y) {
    return y > 0 ? 1 : -1;
  }

  static Optional<String> notALabel(double y) {
    return y == 0 || y == 1
        ? Optional.empty()
        : Optional.of("labels under the hinge loss must be 0 or 1");
  }

  @Override
  public double kink(double y) {
    return side(y);
  }

  @Override
  public double lower(double y) {
    return y > 0 ? -1 : 0;
  }

  @Override
  public double upper(double y) {
    return y > 0 ? 0 : 1;
  }

  @Override
  public Optional<String> objection(double y, double weight) {
    return notALabel(y);
  }
}
