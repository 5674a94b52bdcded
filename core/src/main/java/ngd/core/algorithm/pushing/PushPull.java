package ngd.core.algorithm.pushing;

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
import ngd.core.algorithm.exact.Diging;
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
  public static final class Descriptor implements AlgorithmDescriptor {
    @Override
    public String name() {
      return "push-pull";
    }

    @Override
    public String summary() {
      return "pull parameters, push gradients (Xin, Khan 2018)";
    }

    @Override
    public Set<Need> needs() {
      return EnumSet.of(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.MEAN_MIXING);
    }

    @Override
    public Weighting weighting() {
      return Weighting.BY_SIZE;
    }

    @Override
    public double shareOfSafeStep() {
      return 0.05;
    }

    @Override
    public Algorithm<?> make(Request request) {
      return new PushPull(request.step(), request.scales());
    }
  }
}
