package ngd.core.algorithm.pushing;

import java.util.EnumSet;
import java.util.List;
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
import org.jspecify.annotations.Nullable;

/**
 * Push-DIGing, gradient tracking on directed networks (Nedić, Olshevsky and Shi 2017): u ← C (u − α
 * y); v ← C v; x = u / v; y ← C y + g − g₋, C giving 1 / (1 + listeners) to each listener and to
 * the client itself. It wants strong connection and nothing of W's weights.
 */
public record PushDiging(StepSize alpha, GradientScales scales)
    implements Algorithm.Rounds<PushDiging.State> {

  /** What is known after the first round. */
  record Pushed(Rows u, Rows v, Rows tracker, Rows gradient) {}

  /** Where each client stands. */
  public record State(int round, Rows theta, @Nullable Pushed pushed) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return pushed == null
          ? List.of(theta)
          : List.of(theta, pushed.u, pushed.v, pushed.tracker, pushed.gradient);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Pushed p = s.pushed() == null ? first(s.theta(), local) : s.pushed();
    Rows u = exchange.push(p.u.minus(alpha.at(s.round()), p.tracker));
    Rows v = exchange.push(p.v);
    Rows theta = PushSum.divided(u, v);
    Rows gradient = scales.times(local.gradient(theta));
    Rows tracker = exchange.push(p.tracker).plus(gradient).minus(p.gradient);
    return new State(s.round() + 1, theta, new Pushed(u, v, tracker, gradient));
  }

  private Pushed first(Rows theta, Local local) {
    Rows gradient = scales.times(local.gradient(theta));
    return new Pushed(theta, PushSum.ones(theta), gradient, gradient);
  }

  /** {@code --algorithm push-diging}. */
  public static final class Descriptor implements AlgorithmDescriptor {
    @Override
    public String name() {
      return "push-diging";
    }

    @Override
    public String summary() {
      return "gradient tracking on directed networks (Nedić, Olshevsky, Shi 2017)";
    }

    @Override
    public Set<Need> needs() {
      return EnumSet.of(Need.STRONGLY_CONNECTED, Need.MEAN_MIXING);
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
      return new PushDiging(request.step(), request.scales());
    }
  }
}
