package ngd.core.inference;

import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.model.NoEstimate;
import ngd.core.world.Richardson;
import ngd.core.world.World;
import org.jspecify.annotations.Nullable;

/**
 * Balanced NGD to the end, without Newton steps: runs at α, α/2 and α/4, each until the clients'
 * mean stands still, extrapolated to α = 0 (docs/theory.md, 5), and again from there with smaller
 * steps until what remains is small.
 *
 * <p>What remains is measured by the trace of the pooled Hessian, one number. Where that says that
 * it is enough, the pooled information is shared, once: standard errors need it anyway, and by it
 * the distance is measured as it is.
 */
final class WithoutSteps {
  /**
   * A run stands still when 1/α rounds move its mean by less than this share of what may remain.
   */
  private static final double STILL = 0.05;

  private final World world;
  private final GradientScales scales;
  private final SummedLikelihood likelihood;
  private final PooledFit.Settings settings;
  private final FitProgress progress;
  private int rounds;
  private double @Nullable [] information;

  WithoutSteps(
      World world,
      GradientScales scales,
      SummedLikelihood likelihood,
      PooledFit.Settings settings,
      FitProgress progress) {
    this.world = world;
    this.scales = scales;
    this.likelihood = likelihood;
    this.settings = settings;
    this.progress = progress;
  }

  FitEnd from(double[] start, double firstAlpha, int before) {
    rounds = before;
    FitEnd best = judged(likelihood.traced(start));
    double alpha = firstAlpha;
    while (true) {
      while (best.distance() > settings.biasShare()) {
        best = extrapolated(best, alpha);
        alpha /= 4;
      }
      if (information != null) {
        return best;
      }
      information = likelihood.information(best.theta());
      best = judged(best.at());
    }
  }

  /** Three runs from a point, and where they lead. */
  private FitEnd extrapolated(FitEnd from, double alpha) {
    double[] one = settle(from.theta(), alpha, from);
    double[] two = settle(one, alpha / 2, from);
    double[] three = settle(two, alpha / 4, from);
    double[] combined = Richardson.secondOrder(one, two, three);
    FitEnd plain = judged(likelihood.traced(three));
    FitEnd extrapolated = judged(likelihood.traced(combined));
    return extrapolated.distance() < plain.distance() ? extrapolated : plain;
  }

  private FitEnd judged(Likelihood traced) {
    Likelihood here = information == null ? traced : traced.curved(information);
    return new FitEnd(here, likelihood.distance(here), rounds, 0);
  }

  /** The clients' mean once it stands still at a step size. */
  private double[] settle(double[] from, double alpha, FitEnd scale) {
    BalancedNgd method = new BalancedNgd(StepSize.constant(alpha), scales);
    int window = (int) Math.min(10_000, Math.ceil(1 / alpha));
    Ngd.State state = method.start(PooledFit.common(world, from));
    double[] mean = from;
    while (true) {
      if (rounds >= settings.mostRounds()) {
        throw new NoEstimate(
            NoEstimate.Reason.NOT_CONVERGED,
            "without last steps: %d rounds left the clients %.3g standard errors from the pooled estimate, %.3g are asked for; allow more rounds, a larger bias share, or the last steps"
                .formatted(rounds, scale.distance(), settings.biasShare()));
      }
      int next = Math.min(window, settings.mostRounds() - rounds);
      state = world.advance(method, state, next);
      rounds += next;
      progress.rounds(rounds, settings.mostRounds());
      double[] now = PooledFit.mean(world, state.theta(), likelihood.size().clients());
      if (now.length == 0) {
        throw new NoEstimate(
            NoEstimate.Reason.NOT_CONVERGED,
            "without last steps: the rounds diverged at step size %.3g".formatted(alpha));
      }
      double moved = length(difference(now, mean), scale.at());
      mean = now;
      if (moved <= STILL * settings.biasShare()) {
        return mean;
      }
    }
  }

  private static double[] difference(double[] a, double[] b) {
    double[] difference = a.clone();
    for (int j = 0; j < difference.length; j++) {
      difference[j] -= b[j];
    }
    return difference;
  }

  /** √(dᵀHd / dispersion): a distance in standard errors. */
  private double length(double[] d, Likelihood scale) {
    double sum = 0;
    double[] hessian = scale.hessian();
    for (int i = 0; i < d.length; i++) {
      for (int j = 0; j < d.length; j++) {
        sum += d[i] * hessian[i * d.length + j] * d[j];
      }
    }
    return Math.sqrt(sum / likelihood.dispersion(scale));
  }
}
