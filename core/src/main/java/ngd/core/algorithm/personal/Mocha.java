package ngd.core.algorithm.personal;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Federated multi-task learning (Smith, Chiang, Sanjabi and Talwalkar 2017): personal models, row m
 * of X client m's, and how they are related, Ω, learned together, on
 *
 * <pre>
 * Σ c_m L_m(x_m) + λ/2 tr(Xᵀ Ω⁻¹ X) + ν/2 ‖X‖²,  Ω positive with trace 1.
 * </pre>
 *
 * At given X the best Ω is (X Xᵀ)^½ over its trace (Zhang and Yeung 2010), here with a share ε of
 * the identity so that it can be inverted. A round is one gradient step of all clients at given Ω,
 * where theirs solves a dual problem to some accuracy; every K rounds Ω follows. It begins at I/M.
 *
 * <p>Nobody sees another's model: with x° the models of which Ω was made, S = Σ x° x°ᵀ = U diag(d²)
 * Uᵀ, T = Σ x°_k x_kᵀ and e = ε Σ d / M, row m of Ω⁻¹ X is
 *
 * <pre>
 * (1 + ε) Σ d · (x_m / e − Tᵀ U diag(1 / (e d (d + e))) Uᵀ x°_m),
 * </pre>
 *
 * so that the sums S and T over all clients, p × p numbers, do.
 *
 * @param coupling λ, how strongly related models are drawn together
 * @param ridge ν
 * @param own ε, the share of every model's own direction in Ω
 * @param every K, the rounds between two Ω
 */
public record Mocha(
    StepSize alpha, double coupling, double ridge, double own, int every, GradientScales scales)
    implements Algorithm.Rounds<Mocha.State> {
  /** The most coefficients: a sum has as many numbers as their square. */
  private static final int MOST = 2000;

  /** A direction in which models differ by less beside the largest is rounding. */
  private static final double ROUNDING = 1e-14;

  public Mocha {
    requireNotNegative("LAMBDA", coupling);
    requireNotNegative("NU", ridge);
    if (!(own > 0) || Double.isInfinite(own)) {
      throw new InvalidInput("mocha: EPS must be positive, or Ω has no inverse; got " + own);
    }
    if (every < 1) {
      throw new InvalidInput("mocha: K must be at least 1 round; got " + every);
    }
  }

  private static void requireNotNegative(String parameter, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new InvalidInput("mocha: %s must be 0 or more; got %s".formatted(parameter, value));
    }
  }

  /**
   * Where each client stands.
   *
   * @param made how models are related; null while Ω is I/M
   */
  public record State(int round, Rows theta, @Nullable Relation made) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return made == null ? List.of(theta) : List.of(theta, made.from(), made.turned());
    }
  }

  /**
   * Ω, as each client knows it.
   *
   * @param from x°
   * @param turned row m: U diag(1 / (e d (d + e))) Uᵀ x°_m
   * @param trace Σ d
   * @param even e
   */
  public record Relation(Rows from, Rows turned, double trace, double even) {}

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double step = alpha.at(s.round());
    Rows x = s.theta();
    Rows gradient = scales.times(local.gradient(x));
    Rows pulled = x.plus(-step, gradient, -step * coupling, related(s.made(), x, exchange));
    Rows next = ridge == 0 ? pulled : pulled.minus(step * ridge, x);
    return new State(
        s.round() + 1,
        next,
        (s.round() + 1) % every == 0 ? relation(next, s.made(), exchange) : s.made());
  }

  /** Ω⁻¹ X. */
  private Rows related(@Nullable Relation made, Rows x, Exchange exchange) {
    if (made == null) {
      return x.times(exchange.clients(x.rows()));
    }
    double[] sum = products(made.from(), x, exchange);
    double scale = (1 + own) * made.trace();
    return x.times(scale / made.even()).minus(scale, made.turned().times(sum));
  }

  /** The Ω of these models; the one before where all of them are 0. */
  private @Nullable Relation relation(Rows x, @Nullable Relation before, Exchange exchange) {
    int p = x.width();
    SymmetricMatrix.Spectrum spectrum = SymmetricMatrix.spectrum(products(x, x, exchange), p);
    double largest = 0;
    for (int k = 0; k < p; k++) {
      largest = Math.max(largest, spectrum.value(k));
    }
    if (!(largest > 0)) {
      return before;
    }
    double[] d = new double[p];
    for (int k = 0; k < p; k++) {
      d[k] = spectrum.value(k) > ROUNDING * largest ? Math.sqrt(spectrum.value(k)) : 0;
    }
    double trace = Arrays.stream(d).sum();
    double even = own * trace / exchange.clients(x.rows());
    double[] turn = new double[p * p];
    for (int k = 0; k < p; k++) {
      double scale = d[k] > 0 ? 1 / (even * d[k] * (d[k] + even)) : 0;
      for (int i = 0; i < p; i++) {
        for (int j = 0; j < p; j++) {
          turn[i * p + j] += scale * spectrum.vector(k, i) * spectrum.vector(k, j);
        }
      }
    }
    return new Relation(x, x.times(turn), trace, even);
  }

  /** Σ a_k b_kᵀ over all clients, row by row. */
  private static double[] products(Rows a, Rows b, Exchange exchange) {
    int p = a.width();
    if (p > MOST) {
      throw new InvalidInput(
          "mocha: sums the square of the number of coefficients, which must be at most %d; got %d"
              .formatted(MOST, p));
    }
    return exchange.total(a.outer(b));
  }

  /** {@code --algorithm mocha}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final double COUPLING = 0.02;
    private static final double OWN = 0.1;

    public Descriptor() {
      super(
          "mocha",
          "personal models and how they are related (Smith et al. 2017)",
          request ->
              new Mocha(
                  request.step(),
                  request.parameter(0, COUPLING),
                  request.parameter(1, 0),
                  request.parameter(2, OWN),
                  (int) request.parameter(3, 5),
                  request.scales()));
      parameters("LAMBDA", "NU", "EPS", "K");
      needs(Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.CENTRAL, Trait.EXACT);
    }

    /** The largest eigenvalue of Ω⁻¹ is at most that of ε/M of the identity. */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      double own = choice.parameter(2, OWN);
      double added =
          choice.parameter(1, 0)
              + choice.parameter(0, COUPLING) * network.clients() * (1 + own) / own;
      return new StepLimit(2, added, "2 / (L + NU + LAMBDA M (1 + EPS) / EPS)", "");
    }
  }
}
