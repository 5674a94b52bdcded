package ngd.core.algorithm;

import ngd.core.InvalidInput;
import ngd.core.rows.Rows;

/**
 * Several gradient steps of each client on its own data between two messages.
 *
 * @param batch the rows of a mini-batch, a new one for each step, or 0 for all rows
 * @param steps how many
 */
public record LocalDescent(int batch, int steps, GradientScales scales) {
  public LocalDescent {
    if (steps < 1) {
      throw new InvalidInput("local steps: must be at least 1; got " + steps);
    }
    if (batch < 0) {
      throw new InvalidInput("batch: must be at least 1 row, or 0 for all of them; got " + batch);
    }
  }

  /** The steps that a person asked for. */
  public static LocalDescent of(AlgorithmDescriptor.Request request) {
    return new LocalDescent(request.batch(), request.localSteps(), request.scales());
  }

  /** One step: from a point, along the scaled gradient there. */
  public interface Step {
    Rows next(Rows at, Rows gradient);
  }

  /** All steps of a round. */
  public Rows from(Rows start, int round, Local local, Step step) {
    Rows at = start;
    for (int i = 0; i < steps; i++) {
      at = step.next(at, gradient(at, round, i, local));
    }
    return at;
  }

  /** The scaled gradient that the i-th step of a round takes at this point. */
  public Rows gradient(Rows at, int round, int i, Local local) {
    Local data = batch == 0 ? local : local.batch(batch, round * steps + i);
    return scales.times(data.gradient(at));
  }
}
