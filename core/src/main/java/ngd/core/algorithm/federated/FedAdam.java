package ngd.core.algorithm.federated;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.HeavyBall;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Federated averaging whose mean step is taken as a gradient by Adam, Yogi or Adagrad (Reddi,
 * Charles, Zaheer, Garrett, Rush, Konečný, Kumar and McMahan 2021, Algorithm 2), Δ being Σ p_m (θ_m
 * − θ):
 *
 * <pre>
 * m ← β₁ m + (1 − β₁) Δ
 * v ← β₂ v + (1 − β₂) Δ²  (Adam)  or  v − (1 − β₂) Δ² sign(v − Δ²)  (Yogi)  or  v + Δ²  (Adagrad)
 * θ ← θ + η m / (√v + τ)
 * </pre>
 *
 * m begins at 0 and v at τ².
 *
 * @param rule how v follows Δ²
 * @param eta the common step η
 * @param tau what bounds the step where v is small, τ
 */
public record FedAdam(
    StepSize alpha,
    Rule rule,
    double eta,
    double beta1,
    double beta2,
    double tau,
    LocalDescent descent,
    ClientSelection selection)
    implements Algorithm.Rounds<FedAdam.State> {
  /** With all clients in every round. */
  public FedAdam(
      StepSize alpha,
      Rule rule,
      double eta,
      double beta1,
      double beta2,
      double tau,
      LocalDescent descent) {
    this(alpha, rule, eta, beta1, beta2, tau, descent, new ClientSelection.All());
  }

  /** How the second moment follows the squares. */
  public enum Rule {
    ADAM,
    YOGI,
    ADAGRAD
  }

  public FedAdam {
    HeavyBall.requireMomentum("fedadam", beta1);
    HeavyBall.requireMomentum("fedadam", beta2);
    if (!(eta > 0) || !(tau > 0)) {
      throw new InvalidInput(
          "fedadam: ETA and TAU must be positive; got %s and %s".formatted(eta, tau));
    }
  }

  /**
   * Where each client stands: all alike.
   *
   * @param momentum m; null before the first round
   * @param square v; null before the first round
   */
  public record State(
      int round,
      Rows theta,
      @Nullable Shares shares,
      @Nullable Rows momentum,
      @Nullable Rows square)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return shares == null || momentum == null || square == null
          ? List.of(theta)
          : List.of(theta, shares.sizes(), momentum, square);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Shares shares = Shares.of(s.shares(), selection, s.theta(), local, exchange);
    Participants theirs = shares.participants(selection, draws, s.theta(), local, exchange);
    double step = alpha.at(s.round());
    Rows own =
        descent.from(
            s.theta(), s.round(), theirs.data(local), (at, gradient) -> at.minus(step, gradient));
    double[] delta = shares.among(selection, theirs, exchange).mean(own.minus(s.theta()), exchange);
    double[] momentum = s.momentum() == null ? new double[delta.length] : s.momentum().row(0);
    double[] square = s.square() == null ? filled(delta.length, tau * tau) : s.square().row(0);
    double[] move = new double[delta.length];
    for (int j = 0; j < delta.length; j++) {
      double squared = delta[j] * delta[j];
      momentum[j] = beta1 * momentum[j] + (1 - beta1) * delta[j];
      square[j] =
          switch (rule) {
            case ADAM -> beta2 * square[j] + (1 - beta2) * squared;
            case YOGI -> square[j] - (1 - beta2) * squared * Math.signum(square[j] - squared);
            case ADAGRAD -> square[j] + squared;
          };
      move[j] = momentum[j] / (Math.sqrt(square[j]) + tau);
    }
    return new State(
        s.round() + 1,
        s.theta().plus(eta, own.everywhere(move)),
        shares,
        own.everywhere(momentum),
        own.everywhere(square));
  }

  private static double[] filled(int width, double value) {
    double[] all = new double[width];
    Arrays.fill(all, value);
    return all;
  }

  /** How they are asked for. */
  abstract static class Adaptive extends AlgorithmDescriptor {
    Adaptive(String name, String summary, Rule rule) {
      super(
          name,
          summary,
          request -> {
            // Adagrad forgets nothing, and has no β₂.
            int tau = rule == Rule.ADAGRAD ? 2 : 3;
            return new FedAdam(
                request.step(),
                rule,
                request.parameter(0, 0.1),
                request.parameter(1, 0.9),
                rule == Rule.ADAGRAD ? 0 : request.parameter(2, 0.99),
                request.parameter(tau, 0.001),
                LocalDescent.of(request),
                request.selection());
          });
      if (rule == Rule.ADAGRAD) {
        parameters("ETA", "BETA1", "TAU");
      } else {
        parameters("ETA", "BETA1", "BETA2", "TAU");
      }
      needs(Need.MEAN_MIXING);
      options(Option.BATCH, Option.LOCAL_STEPS, Option.SELECTION);
      traits(Trait.CENTRAL);
    }
  }

  /** {@code --algorithm fedadam}. */
  public static final class Descriptor extends Adaptive {
    public Descriptor() {
      super("fedadam", "fedavg whose mean step goes through Adam (Reddi et al. 2021)", Rule.ADAM);
    }
  }

  /** {@code --algorithm fedyogi}. */
  public static final class Yogi extends Adaptive {
    public Yogi() {
      super("fedyogi", "fedavg whose mean step goes through Yogi (Reddi et al. 2021)", Rule.YOGI);
    }
  }

  /** {@code --algorithm fedadagrad}. */
  public static final class Adagrad extends Adaptive {
    public Adagrad() {
      super(
          "fedadagrad",
          "fedavg whose mean step goes through Adagrad (Reddi et al. 2021)",
          Rule.ADAGRAD);
    }
  }
}
