package ngd.core.theory;

import java.util.Arrays;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Loss;
import ngd.core.network.Measured;
import ngd.core.network.Network;
import org.jspecify.annotations.Nullable;

/**
 * The stable solution: the θ* at which a round of network gradient descent changes nothing.
 *
 * <p>For the linear model it is α Ω̂⁻¹ Σ̂*xy (2.4). For other losses it solves θ = Wθ − α c ∇L(Wθ)
 * by Newton's method from the global estimate, with the Jacobian I − Δ*(W ⊗ I) at the mixed point.
 * It may exist where the iteration does not reach it: that is for the spectral radius to say.
 */
public final class StableSolution {
  private static final int NEWTON_STEPS = 50;
  private static final int HALVINGS = 30;

  /** A round that moves no entry by more than this share of the largest one moves nothing. */
  private static final double STILL = 1e-13;

  private final int clients;
  private final int parameters;
  private final double @Nullable [] theta;
  private final String how;

  private StableSolution(Problem problem, double @Nullable [] theta, String how) {
    clients = problem.data().clients();
    parameters = problem.parameters();
    this.theta = theta;
    this.how = how;
  }

  public static StableSolution of(Problem problem) {
    try {
      return of(Linearised.of(problem));
    } catch (NotComputed why) {
      return absent(problem, why.reason());
    }
  }

  static StableSolution absent(Problem problem, String reason) {
    return new StableSolution(problem, null, reason);
  }

  static StableSolution of(Linearised linearised) {
    Problem problem = linearised.problem();
    try {
      for (int c : problem.classes().closedClasses()) {
        int rank = linearised.rank(problem.classes().members(c));
        if (linearised.convex() && rank < problem.parameters()) {
          throw new NotComputed(
              "Ω̂ is singular: the pooled data of the closed class of client %d determine only %d of %d parameters, so there is no single stable solution"
                  .formatted(problem.classes().members(c)[0], rank, problem.parameters()));
        }
      }
      return problem.linear() ? linear(linearised) : newton(problem);
    } catch (NotComputed why) {
      return absent(problem, why.reason());
    }
  }

  public boolean exists() {
    return theta != null;
  }

  /** How it was computed, or why it was not. */
  public String how() {
    return how;
  }

  /** A copy of one client's parameters in the stable solution, which must exist. */
  public double[] of(int client) {
    if (theta == null) {
      throw new IllegalStateException("stable solution: does not exist; " + how);
    }
    return Arrays.copyOfRange(theta, client * parameters, (client + 1) * parameters);
  }

  /** ‖θ* − 1 ⊗ θ_global‖ / √M. */
  public Measured distanceTo(double[] global) {
    if (theta == null) {
      return Measured.not(how);
    }
    double sum = 0;
    for (int i = 0; i < theta.length; i++) {
      double apart = theta[i] - global[i % parameters];
      sum += apart * apart;
    }
    return Measured.of(Math.sqrt(sum / clients), how);
  }

  private static StableSolution linear(Linearised linearised) throws NotComputed {
    Problem problem = linearised.problem();
    double[] origin = new double[problem.data().clients() * problem.parameters()];
    // The gradient at 0 is −Σ̂xy.
    double[] b = round(problem, origin);
    double[] theta =
        new StableSystem(problem.network(), problem.classes()).solve(linearised.operator(), b);
    return new StableSolution(problem, theta, "solved class by class");
  }

  private static StableSolution newton(Problem problem) throws NotComputed {
    Loss loss = problem.loss();
    if (!(loss instanceof CurvedLoss curved)) {
      throw new NotComputed("the loss `%s` has no Hessian".formatted(loss.name()));
    }
    StableSystem system = new StableSystem(problem.network(), problem.classes());
    int p = problem.parameters();
    double[] global = problem.globalEstimate();
    double[] theta = new double[problem.data().clients() * p];
    for (int i = 0; i < theta.length; i++) {
      theta[i] = global[i % p];
    }
    double[] move = move(problem, theta);
    for (int step = 0; step < NEWTON_STEPS; step++) {
      if (largest(move) <= STILL * Math.max(1, largest(theta))) {
        return new StableSolution(problem, theta, "Newton's method, %d steps".formatted(step));
      }
      Curvature here =
          Curvature.atOwn(
              curved, problem.data(), mixed(problem.network(), theta, p), problem.scales());
      double[] direction =
          system.solve(ContractionOperator.of(problem.network(), here, problem.alpha()), move);
      double before = norm(move);
      double length = 1;
      double[] next = plus(theta, length, direction);
      double[] nextMove = move(problem, next);
      for (int i = 0; i < HALVINGS && !(norm(nextMove) < before); i++) {
        length /= 2;
        next = plus(theta, length, direction);
        nextMove = move(problem, next);
      }
      if (!(norm(nextMove) < before)) {
        // No shorter step helps either: rounding, if what remains is that small.
        if (largest(move) <= 100 * STILL * Math.max(1, largest(theta))) {
          return new StableSolution(problem, theta, "Newton's method, %d steps".formatted(step));
        }
        throw new NotComputed(
            "Newton's method for the stable solution got no further than a round that moves %s"
                .formatted(Certificate.number(largest(move))));
      }
      theta = next;
      move = nextMove;
    }
    throw new NotComputed(
        "Newton's method for the stable solution did not converge in %d steps"
            .formatted(NEWTON_STEPS));
  }

  /** What one round adds to theta: Wθ − α c ∇L(Wθ) − θ. */
  private static double[] move(Problem problem, double[] theta) {
    return plus(round(problem, theta), -1, theta);
  }

  /** One round of network gradient descent. */
  private static double[] round(Problem problem, double[] theta) {
    int p = problem.parameters();
    double[] mixed = mixed(problem.network(), theta, p);
    double[] scales = problem.scales();
    double[] gradients = problem.data().gradients(problem.loss(), mixed);
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] -= problem.alpha() * scales[i / p] * gradients[i];
    }
    return mixed;
  }

  /** (W ⊗ I) θ. */
  private static double[] mixed(Network network, double[] theta, int p) {
    double[] mixed = new double[theta.length];
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int from = network.heard()[e] * p;
        for (int j = 0; j < p; j++) {
          mixed[m * p + j] = Math.fma(network.weights()[e], theta[from + j], mixed[m * p + j]);
        }
      }
    }
    return mixed;
  }

  private static double[] plus(double[] x, double factor, double[] y) {
    double[] sum = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      sum[i] = Math.fma(factor, y[i], x[i]);
    }
    return sum;
  }

  private static double largest(double[] x) {
    double largest = 0;
    for (double value : x) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }

  private static double norm(double[] x) {
    double sum = 0;
    for (double value : x) {
      sum += value * value;
    }
    return Math.sqrt(sum);
  }
}
