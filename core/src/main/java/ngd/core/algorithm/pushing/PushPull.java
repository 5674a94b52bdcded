package ngd.core.algorithm.pushing;

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
import ngd.core.linalg.Eigenvalues;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Push-pull, or AB: pull parameters with row weights, push gradients with column weights (Xin and
 * Khan 2018): x ← W x − α y; y ← C y + g − g₋, C splitting each row over the listeners and the
 * client itself. It wants a strongly connected W without a period.
 */
public record PushPull(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<Diging.State> {

  @Override
  public Diging.State start(Rows theta) {
    return new Diging.State(0, theta, null, null);
  }

  @Override
  public Diging.State step(Diging.State s, Exchange exchange, Local local, Draws draws) {
    Rows last = s.gradient() == null ? scales.times(local.gradient(s.theta())) : s.gradient();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta = exchange.mix(s.theta()).minus(alpha.at(s.round()), tracker);
    Rows gradient = scales.times(local.gradient(theta));
    return new Diging.State(
        s.round() + 1, theta, exchange.push(tracker).plus(gradient).minus(last), gradient);
  }

  /** {@code --algorithm push-pull}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final String OVERLAP = "k says how far the clients heard most also receive most";

    public Descriptor() {
      super(
          "push-pull",
          "pull parameters, push gradients (Xin, Khan 2018)",
          request -> new PushPull(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT, Trait.TIME_VARYING);
    }

    /**
     * The mean moves by α M Σ π_m ρ_m times the mean gradient: {@link NetworkFacts#overlap}. No
     * bound is known for all W, C and Hessians. This is half of what was seen to hold, by W and C
     * as {@link Tracking} has it by W alone; in oracles/step_oracle.py no problem needed less.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      Eigenvalues w = network.mixing();
      Eigenvalues c = network.pushing();
      double overlap = Math.max(1, network.overlap());
      return w.real() && c.real()
          ? new StepLimit(
              (1 + w.smallest()) * (1 + c.smallest()) / 4 / overlap,
              "(1 + λ)(1 + μ) / 4kL",
              "λ and μ are the smallest eigenvalues of W and of pushing, " + OVERLAP)
          : new StepLimit(
              Math.min(w.least(Tracking::limit), c.least(Tracking::limit)) / 2 / overlap,
              "c / kL",
              "c is half of what the eigenvalues of W and of pushing allow clients with one common"
                  + " Hessian, "
                  + OVERLAP);
    }
  }
}
