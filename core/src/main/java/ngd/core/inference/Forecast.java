package ngd.core.inference;

import java.util.Optional;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.core.model.Cox;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Linear;
import ngd.core.model.Loss;
import ngd.core.model.NoEstimate;
import ngd.core.network.NetworkSchedule;
import ngd.core.theory.Check;
import ngd.core.theory.ClientDerivatives;
import ngd.core.theory.Curvature;
import ngd.core.theory.Problem;
import org.jspecify.annotations.Nullable;

/** What the theory says of a fit before it runs, wherever the rows are. */
public final class Forecast {
  private Forecast() {}

  /**
   * Judges network gradient descent.
   *
   * @param estimate finds the global estimate, and throws {@link NoEstimate} where there is none
   * @param step the step size; where none is given, half the safe limit
   * @param truth the true parameters of simulated data
   */
  public static Check of(
      NetworkSchedule schedule,
      Loss loss,
      ClientDerivatives data,
      Supplier<double[]> estimate,
      Optional<StepSize> step,
      Optional<double[]> truth) {
    if (loss instanceof Cox cox && cox.grid().isPresent()) {
      throw new InvalidInput(
          "formula: must have strata(site) in a check: in rounds each client compares its own rows"
              + " alone");
    }
    double @Nullable [] found = null;
    String why = "";
    try {
      found = estimate.get();
    } catch (NoEstimate none) {
      why = "there is no global estimate: " + none.getMessage();
    }
    double alpha = step.isPresent() ? settled(step.get()) : halfSafe(loss, data, found);
    Problem theory = Problem.of(schedule, loss, data, alpha);
    return Check.of(found == null ? theory.withoutEstimate(why) : theory.near(found), truth);
  }

  /** Where no step size is given, a sound one: half the safe limit. */
  private static double halfSafe(Loss loss, ClientDerivatives data, double @Nullable [] estimate) {
    if (!(loss instanceof CurvedLoss curved)) {
      throw new InvalidInput(
          "alpha: must be given, as the loss `%s` has no Hessian from which a safe limit would follow"
              .formatted(loss.name()));
    }
    if (estimate == null && !(loss instanceof Linear)) {
      throw new InvalidInput(
          "alpha: must be given, as without a global estimate there is no safe limit");
    }
    double[] at = estimate == null ? new double[data.features()] : estimate;
    double safe = Curvature.at(curved, data, at).eigenvalues().safeAlpha();
    return Double.isFinite(safe) ? safe / 2 : 1;
  }

  /** The α that decides where a run ends: the last of a schedule. */
  public static double settled(StepSize step) {
    return step instanceof StepSize.Cuts cuts ? cuts.cuts().getLast().alpha() : step.largest();
  }
}
