package ngd.core.algorithm.exact;

import java.util.List;
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
import ngd.core.linalg.Eigenvalues;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * DIGing, gradient tracking: descend along y, each client's running estimate of the mean gradient
 * (Nedić, Olshevsky and Shi 2017): x ← W x − α y; y ← W y + g − g₋. It wants a doubly stochastic W.
 */
public record Diging(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<Diging.State> {

  /**
   * Where each client stands.
   *
   * @param tracker y; null before the first round, where it is the gradient itself
   * @param gradient the gradient at theta; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows tracker, @Nullable Rows gradient)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return tracker == null || gradient == null
          ? List.of(theta)
          : List.of(theta, tracker, gradient);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows last = s.gradient() == null ? scales.times(local.gradient(s.theta())) : s.gradient();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta = exchange.mix(s.theta()).minus(alpha.at(s.round()), tracker);
    Rows gradient = scales.times(local.gradient(theta));
    return new State(
        s.round() + 1, theta, exchange.mix(tracker).plus(gradient).minus(last), gradient);
  }

  /** {@code --algorithm diging}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "diging",
          "gradient tracking (Nedić, Olshevsky, Shi 2017)",
          request -> new Diging(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.DOUBLY_STOCHASTIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT, Trait.TIME_VARYING);
    }

    @Override
    public StepLimit limit(NetworkFacts network) {
      Eigenvalues w = network.mixing();
      return w.real()
          ? new StepLimit(Tracking.limit(w.smallest()), "(1 + λ)² / 2L", StepLimit.SMALLEST)
          : new StepLimit(
              w.least(Tracking::limit) / 2,
              "c / L",
              "c is half of what the eigenvalues of W allow clients with one common Hessian");
    }
  }
}
