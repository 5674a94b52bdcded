package ngd.core.model;

import ngd.core.InvalidInput;
import ngd.core.NumberText;

/**
 * The check loss of quantile regression (Koenker and Bassett 1978) of a residual r = y − η: tau r
 * above, (tau − 1) r below.
 */
public record Quantile(double tau) implements KinkedLoss {
  public Quantile {
    requireShare(tau);
  }

  static void requireShare(double tau) {
    if (!(tau > 0 && tau < 1)) {
      throw new InvalidInput(
          "loss quantile: TAU, the share of responses below the quantile, must lie between 0 and 1; got "
              + NumberText.text(tau));
    }
  }

  @Override
  public String name() {
    return "quantile:" + NumberText.plain(tau);
  }

  @Override
  public double kink(double y) {
    return y;
  }

  @Override
  public double lower(double y) {
    return -tau;
  }

  @Override
  public double upper(double y) {
    return 1 - tau;
  }
}
