package ngd.core.algorithm.pushing;

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
import ngd.core.algorithm.exact.Tracking;
import ngd.core.linalg.Eigenvalues;
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
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final String WEIGHT = "v is the smallest push-sum weight";

    public Descriptor() {
      super(
          "push-diging",
          "gradient tracking on directed networks (Nedić, Olshevsky, Shi 2017)",
          request -> new PushDiging(request.step(), request.scales()));
      needs(Need.STRONGLY_CONNECTED, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT, Trait.TIME_VARYING);
    }

    /**
     * With push-sum weights v that have settled, P = V⁻¹CV and x ← 2P x − P² x₋ − αPV⁻¹B (x − x₋):
     * gradient tracking whose Hessians are divided by v. With mutual links P has detailed balance,
     * and a step is safe while −Re λ(z − 1)/(z − λ)² αL/v &lt; 1 for all |z| ≥ 1 and eigenvalues λ
     * of P: up to 2 where λ ≥ 0, up to 4(1 + λ)² below. Otherwise half of what clients with one
     * common Hessian bear; in oracles/step_oracle.py no problem needed less.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      Eigenvalues p = network.pushing();
      double weight = network.leastPushWeight();
      if (!p.real()) {
        return new StepLimit(
            weight * p.least(one -> Tracking.limit(one, one.real(), one.imaginary())) / 2,
            "cv / L",
            WEIGHT
                + ", c is half of what the eigenvalues of pushing allow clients with one common"
                + " Hessian");
      }
      double most = 4 * Math.pow(1 + Math.min(0, p.smallest()), 2);
      return most < 2
          ? new StepLimit(
              weight * most,
              "4v (1 + λ)² / L",
              WEIGHT + ", λ is the smallest eigenvalue of pushing")
          : new StepLimit(2 * weight, "2v / L", WEIGHT);
    }
  }
}
