package ngd.core.model;

import ngd.core.InvalidInput;
import ngd.core.NumberText;

/**
 * Huber's loss (1964) of a residual r = y − η: r² / 2 up to delta, delta |r| − delta² / 2 beyond.
 * Delta is on the scale of the response: no scale is estimated beside the coefficients.
 */
public record Huber(double delta) implements MEstimator {
  public Huber {
    if (!(delta > 0) || Double.isInfinite(delta)) {
      throw new InvalidInput(
          "loss huber: DELTA, from which on residuals count linearly, must be a positive number; got "
              + NumberText.text(delta));
    }
  }

  @Override
  public String name() {
    return "huber:" + NumberText.plain(delta);
  }

  @Override
  public double slope() {
    return 1;
  }

  @Override
  public double lower(double y) {
    return -delta;
  }

  @Override
  public double upper(double y) {
    return delta;
  }

  @Override
  public Huber widened(double factor) {
    return new Huber(factor * delta);
  }

  @Override
  public double reach() {
    return delta;
  }
}
