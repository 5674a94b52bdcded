package ngd.core.model;

import ngd.core.InvalidInput;
import ngd.core.NumberText;

/**
 * The check loss of a quantile, smoothed: its mean over an even distribution of the residual within
 * {@code width} on either side (Fernandes, Guerre and Horta 2021; He, Pan, Tan and Zhou 2023). With
 * r = y − η it is r² / (4 width) + width / 4 + (tau − 1/2) r for |r| ≤ width, the check loss
 * beyond.
 *
 * <p>The bias of that is of order width², where a kink rounded off at 0 would have one of order
 * width for every quantile but the median.
 */
public record SmoothedQuantile(double tau, double width) implements MEstimator {
  public SmoothedQuantile {
    Quantile.requireShare(tau);
    if (!(width > 0) || Double.isInfinite(width)) {
      throw new InvalidInput(
          "loss quantile: WIDTH, within which the kink is smoothed, must be a positive number; got "
              + NumberText.text(width));
    }
  }

  @Override
  public String name() {
    return "quantile:%s:%s".formatted(NumberText.plain(tau), NumberText.plain(width));
  }

  @Override
  public double slope() {
    return 0.5 / width;
  }

  @Override
  public double shift() {
    return 0.5 - tau;
  }

  @Override
  public double lower(double y) {
    return -tau;
  }

  @Override
  public double upper(double y) {
    return 1 - tau;
  }

  @Override
  public double level() {
    return width * tau * (1 - tau);
  }

  @Override
  public SmoothedQuantile widened(double factor) {
    return new SmoothedQuantile(tau, factor * width);
  }

  @Override
  public double reach() {
    return width;
  }
}
