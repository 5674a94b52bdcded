package ngd.core.algorithm.local;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.algorithm.exact.Diging;
import ngd.core.algorithm.exact.Tracking;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * DIGing with local steps (Nguyen, Alghunaim, Yuan and Uribe 2022): a round is one step of {@link
 * Diging}, with what is heard, and then K − 1 in which a client hears itself alone:
 *
 * <pre>
 * x ← W x − α y,  y ← W y + g − g₋;   K − 1 times  x ← x − α y,  y ← y + g − g₋.
 * </pre>
 *
 * It wants a doubly stochastic W.
 */
public record LocalDiging(StepSize alpha, int steps, GradientScales scales)
    implements Algorithm.Rounds<Diging.State> {
  public LocalDiging {
    if (steps < 1) {
      throw new InvalidInput("local steps: must be at least 1; got " + steps);
    }
  }

  @Override
  public Diging.State start(Rows theta) {
    return new Diging.State(0, theta, null, null);
  }

  @Override
  public Diging.State step(Diging.State s, Exchange exchange, Local local, Draws draws) {
    double step = alpha.at(s.round());
    Rows last = s.gradient() == null ? scales.times(local.gradient(s.theta())) : s.gradient();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta = exchange.mix(s.theta()).minus(step, tracker);
    Rows gradient = scales.times(local.gradient(theta));
    tracker = exchange.mix(tracker).plus(gradient).minus(last);
    for (int i = 1; i < steps; i++) {
      last = gradient;
      theta = theta.minus(step, tracker);
      gradient = scales.times(local.gradient(theta));
      tracker = tracker.plus(gradient).minus(last);
    }
    return new Diging.State(s.round() + 1, theta, tracker, gradient);
  }

  /** {@code --algorithm local-diging}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "local-diging",
          "gradient tracking, talking in every K-th step (Nguyen et al. 2022)",
          request -> new LocalDiging(request.step(), request.localSteps(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      options(Option.LOCAL_STEPS);
      traits(Trait.EXACT);
    }

    /** That of {@link Diging}, and at most 1: no problem of oracles/step_oracle.py needed less. */
    @Override
    public StepLimit limit(NetworkFacts network) {
      double tracking = Tracking.limit(network.mixing().smallest());
      return tracking < 1
          ? new StepLimit(tracking, "(1 + λ)² / 2L", StepLimit.SMALLEST)
          : new StepLimit(1, "1 / L", "");
    }
  }
}
