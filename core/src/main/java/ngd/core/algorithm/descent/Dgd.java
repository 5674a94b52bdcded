package ngd.core.algorithm.descent;

import java.util.EnumSet;
import java.util.Set;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Decentralized gradient descent: average what you hear, and descend along the gradient at your own
 * point (Yuan, Ling and Yin 2016): x ← W x − α ∇L(x).
 */
public record Dgd(StepSize alpha, GradientScales scales) implements Algorithm.Rounds<Ngd.State> {

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Rows gradient = scales.times(local.gradient(s.theta()));
    return new Ngd.State(
        s.round() + 1, exchange.mix(s.theta()).minus(alpha.at(s.round()), gradient));
  }

  /** {@code --algorithm dgd}. */
  public static final class Descriptor implements AlgorithmDescriptor {
    @Override
    public String name() {
      return "dgd";
    }

    @Override
    public String summary() {
      return "average what you hear, descend at your own point (Yuan, Ling, Yin 2016)";
    }

    @Override
    public Set<Need> needs() {
      return EnumSet.of(Need.APERIODIC);
    }

    @Override
    public Weighting weighting() {
      return Weighting.BY_SIZE_AND_WEIGHT;
    }

    @Override
    public boolean showsGradientsOnly() {
      return true;
    }

    @Override
    public Algorithm<?> make(Request request) {
      return new Dgd(request.step(), request.scales());
    }
  }
}
