package ngd.core.algorithm.descent;

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
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Gossip dual averaging (Colin, Bellet, Salmon and Clémençon 2016, after Duchi, Agarwal and
 * Wainwright 2012): z ← W z + ∇L(x); x = x₀ − α z, the minimiser of ⟨z, x⟩ + ‖x − x₀‖² / 2α. The
 * estimate is the mean of all x so far. It wants a doubly stochastic W, and α falling as 1/√t.
 */
public record DualAveraging(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<DualAveraging.State> {

  /** Where each client stands after the first round. */
  record Dual(Rows origin, Rows z, Rows x) {}

  /** The mean of each client's points, and the sums of gradients behind the present one. */
  public record State(int round, Rows theta, @Nullable Dual dual) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return dual == null ? List.of(theta) : List.of(theta, dual.origin, dual.z, dual.x);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Dual dual = s.dual();
    Rows origin = dual == null ? s.theta() : dual.origin;
    Rows x = dual == null ? s.theta() : dual.x;
    Rows gradient = scales.times(local.gradient(x));
    Rows z = dual == null ? gradient : exchange.mix(dual.z).plus(gradient);
    Rows next = origin.minus(alpha.at(s.round()), z);
    // The start is not counted: the mean is over the points that data had a say in.
    double share = 1.0 / (s.round() + 1);
    Rows mean = dual == null ? next : s.theta().times(1 - share).plus(share, next);
    return new State(s.round() + 1, mean, new Dual(origin, z, next));
  }

  /** {@code --algorithm dual-averaging}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "dual-averaging",
          "gossip dual averaging; alpha such as 0.2/sqrt(t) (Colin et al. 2016)",
          request -> new DualAveraging(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.DOUBLY_STOCHASTIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.TIME_VARYING);
    }

    @Override
    public StepLimit limit(NetworkFacts network) {
      return Dgd.limit(network);
    }
  }
}
