package ngd.core.model;

import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NumberText;

/**
 * The hinge loss of a margin z = ± η with its kink smoothed over a width: 0 for z ≥ 1, (1 − z)² /
 * (2 width) down to 1 − width, 1 − z − width / 2 below (Rennie and Srebro 2005, for width 1).
 */
public record SmoothedHinge(double width) implements ClampedLoss, ResponseRule {
  public SmoothedHinge {
    if (!(width > 0) || Double.isInfinite(width)) {
      throw new InvalidInput(
          "loss hinge: WIDTH, over which the kink is smoothed, must be a positive number; got "
              + NumberText.text(width));
    }
  }

  @Override
  public String name() {
    return "hinge:" + NumberText.plain(width);
  }

  @Override
  public double slope() {
    return 1 / width;
  }

  @Override
  public double centre(double y) {
    return Hinge.side(y);
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
    return Hinge.notALabel(y);
  }
}
