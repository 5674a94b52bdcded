package ngd.library;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

// docs/algorithms.md
/** Network gradient descent with momentum: {@code --algorithm heavy-ball:0.5}. */
public final class HeavyBall extends AlgorithmDescriptor {
  public HeavyBall() {
    super(
        "heavy-ball",
        "ngd with momentum",
        request -> new Rounds(request.step(), request.parameter(0, 0.5)));
    parameters("BETA");
    needs(Need.SYMMETRIC);
  }

  /** Where each client stands, and where it stood a round ago. */
  public record Momentum(int round, Rows theta, @Nullable Rows before) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return before == null ? List.of(theta) : List.of(theta, before);
    }
  }

  /** θ ← W θ − α ∇L(W θ) + β (θ − θ₋). */
  public record Rounds(StepSize alpha, double beta) implements Algorithm.Rounds<Momentum> {
    @Override
    public Momentum start(Rows theta) {
      return new Momentum(0, theta, null);
    }

    @Override
    public Momentum step(Momentum s, Exchange exchange, Local local, Draws draws) {
      Rows mixed = exchange.mix(s.theta());
      Rows next = mixed.minus(alpha.at(s.round()), local.gradient(mixed));
      if (s.before() != null) {
        next = next.plus(beta, s.theta()).minus(beta, s.before());
      }
      return new Momentum(s.round() + 1, next, s.theta());
    }
  }
}
