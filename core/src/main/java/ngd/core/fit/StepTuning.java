package ngd.core.fit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Searches for the step size of the smallest score. What it finds is never worse than anything it
 * tried: a grid by factors of two around a scale, widened while its best lies at an edge, and
 * halved twice around the best.
 */
final class StepTuning {
  /** Powers of two above and below the scale with which the search begins. */
  private static final int ABOVE = 1;

  private static final int BELOW = 7;

  /** How many steps the grid is widened at most, in either direction. */
  private static final int WIDENED = 10;

  private final DoubleUnaryOperator score;
  private final List<Double> powers = new ArrayList<>();
  private final List<Double> scores = new ArrayList<>();

  /**
   * @param score is asked once for each step size, one after the other
   */
  StepTuning(DoubleUnaryOperator score) {
    this.score = score;
  }

  /** The place of the best of these, counted in the order of the attempts. */
  int among(List<Double> steps) {
    for (double step : steps) {
      scores.add(score.applyAsDouble(step));
    }
    return best();
  }

  /** The same, of powers of two times a scale. */
  int around(double scale) {
    for (int power = ABOVE; power >= -BELOW; power--) {
      attempt(power, scale);
    }
    if (Double.isFinite(scores.get(best()))) {
      widen(scale, 1, ABOVE);
    }
    widen(scale, -1, -BELOW);
    for (double half = 0.5; half >= 0.25; half /= 2) {
      double centre = powers.get(best());
      attempt(centre + half, scale);
      attempt(centre - half, scale);
    }
    return best();
  }

  private void widen(double scale, int direction, int edge) {
    for (int i = 1; i <= WIDENED && atEdge(edge + (i - 1) * direction); i++) {
      attempt(edge + (double) i * direction, scale);
    }
  }

  /** Whether the best may lie beyond; where nothing was good, all may. */
  private boolean atEdge(int edge) {
    return powers.get(best()) == edge || Double.isInfinite(scores.get(best()));
  }

  private void attempt(double power, double scale) {
    // Three digits: a step size that people can read, write and repeat.
    BigDecimal step = new BigDecimal(scale * Math.pow(2, power)).round(new MathContext(3));
    scores.add(score.applyAsDouble(step.doubleValue()));
    powers.add(power);
  }

  /** The first of the smallest scores. */
  private int best() {
    int best = 0;
    for (int i = 1; i < scores.size(); i++) {
      if (scores.get(i) < scores.get(best)) {
        best = i;
      }
    }
    return best;
  }
}
