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
import ngd.core.algorithm.LossLocal;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Personal models and a collaboration graph learned together (Zantedeschi, Bellet and Tommasi 2020,
 * whose program is called Dada), with coefficients where theirs has boosted models, all clients in
 * every round and w ≥ 0 on the links of the network: it descends on
 *
 * <pre>
 * Σ d_m c_m L_m(x_m) + μ₁/2 Σ w_mk ‖x_m − x_k‖² + μ₂ (λ ‖w‖² − Σ log(d_m + δ)),  d_m = Σ w_mk,
 * </pre>
 *
 * the sums over links counting each once. In a round
 *
 * <pre>
 * x_m ← x_m − α (d_m g_m + μ₁ Σ w_mk (x_m − x_k)),
 * </pre>
 *
 * and every K rounds both ends of a link take the same step along its weight,
 *
 * <pre>
 * w ← [w − β (ℓ_m + ℓ_k + μ₁/2 ‖x_m − x_k‖² + μ₂ (2λw − 1/(d_m + δ) − 1/(d_k + δ)))]₊,  ℓ = c L(x),
 * </pre>
 *
 * for which clients send ℓ − μ₂ / (d + δ) beside their model. All weights are 1 at first. Losses
 * grow with d, so that who is well served by itself listens less.
 */
public record Dada(StepSize alpha, Settings settings, GradientScales scales)
    implements Algorithm.Rounds<Dada.State> {

  /**
   * What the paper's letters stand for.
   *
   * @param pull μ₁, how strongly linked models are drawn together
   * @param graph μ₂, how much the shape of the graph counts
   * @param spread λ: the larger, the more even the weights
   * @param floor δ
   * @param step β, the step of weights
   * @param every K, the rounds between two of them
   */
  public record Settings(
      double pull, double graph, double spread, double floor, double step, int every) {
    public Settings {
      requirePositive("MU1", pull);
      requirePositive("MU2", graph);
      requirePositive("LAMBDA", spread);
      requirePositive("DELTA", floor);
      requirePositive("BETA", step);
      if (every < 1) {
        throw new InvalidInput("dada: K must be at least 1 round; got " + every);
      }
    }

    private static void requirePositive(String parameter, double value) {
      if (!(value > 0) || Double.isInfinite(value)) {
        throw new InvalidInput("dada: %s must be positive; got %s".formatted(parameter, value));
      }
    }
  }

  /**
   * Where each client stands.
   *
   * @param weights w of each link, of those that a client hears; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Edges weights) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return weights == null ? List.of(theta) : List.of(theta, weights.values());
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  /** The weights follow the models of the round before, which this round's messages show. */
  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows x = s.theta();
    Edges weights = s.weights();
    Edges heard;
    double[] w;
    Rows own;
    if (weights == null) {
      heard = exchange.hear(x);
      w = ones(heard, x.rows());
      own = local.gradient(x);
    } else if (s.round() % settings.every() == 0) {
      LossLocal.Evaluation here = LossLocal.in(local).evaluate(x);
      w = weights.column(0);
      Rows costs = costs(here.losses(), degrees(weights, w, x.rows()), x);
      Edges all = exchange.hear(x.beside(List.of(costs)));
      heard = all.leading(x.width());
      step(w, all.ends(costs, x.width()), heard.distances(x));
      own = here.gradient();
    } else {
      heard = exchange.hear(x);
      w = weights.column(0);
      own = local.gradient(x);
    }
    double[] degrees = degrees(heard, w, x.rows());
    Rows gradient = scales.times(own).plus(settings.pull(), x).timesEach(degrees);
    Rows drawn = heard.sum(w);
    double step = alpha.at(s.round());
    return new State(
        s.round() + 1,
        x.plus(-step, gradient, step * settings.pull(), drawn),
        weights != null && s.round() % settings.every() != 0 ? weights : heard.with(x.of(w)));
  }

  private static double[] ones(Edges heard, int rows) {
    double[] ones = new double[heard.first(rows)];
    if (ones.length == 0) {
      throw new InvalidInput("dada: a client needs neighbours; this one has none");
    }
    Arrays.fill(ones, 1);
    return ones;
  }

  /** d. */
  private static double[] degrees(Edges links, double[] w, int rows) {
    double[] degrees = new double[rows];
    for (int m = 0; m < rows; m++) {
      double sum = 0;
      for (int e = links.first(m); e < links.first(m + 1); e++) {
        sum += w[e];
      }
      degrees[m] = sum;
    }
    return degrees;
  }

  /** ℓ − μ₂ / (d + δ). */
  private Rows costs(double[] losses, double[] degrees, Rows like) {
    double[] costs = new double[losses.length];
    for (int m = 0; m < costs.length; m++) {
      costs[m] = scales.of(m) * losses[m] - settings.graph() / (degrees[m] + settings.floor());
    }
    return like.of(costs);
  }

  /** A step along every link's weight, the same bits at both ends. */
  private void step(double[] w, double[] ends, double[] distances) {
    double half = settings.pull() / 2;
    double spread = 2 * settings.graph() * settings.spread();
    double step = settings.step();
    for (int e = 0; e < w.length; e++) {
      double slope = ends[e] + half * distances[e] + spread * w[e];
      w[e] = Math.max(0, w[e] - step * slope);
    }
  }

  /** {@code --algorithm dada}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final double PULL = 0.5;
    private static final double SPREAD = 0.05;

    public Descriptor() {
      super(
          "dada",
          "personal models and weights of links, learned together (Zantedeschi et al. 2020)",
          request ->
              new Dada(
                  request.step(),
                  new Settings(
                      request.parameter(0, PULL),
                      request.parameter(1, 1),
                      request.parameter(2, SPREAD),
                      request.parameter(3, 0.1),
                      request.parameter(4, 0.01),
                      (int) request.parameter(5, 1)),
                  request.scales()));
      parameters("MU1", "MU2", "LAMBDA", "DELTA", "BETA", "K");
      needs(Need.STRONGLY_CONNECTED, Need.MUTUAL_LINKS, Need.MEAN_MIXING, Need.LOSSES);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /**
     * With weights of at most 1/√λ, above which the slope of a weight is never negative, or 1,
     * where they begin.
     */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      double degree = network.mostLinks() * Math.max(1, 1 / Math.sqrt(choice.parameter(2, SPREAD)));
      return new StepLimit(
          2 / degree,
          2 * choice.parameter(0, PULL),
          "2 / d(L + 2 MU1)",
          "d is the most links of a client, over √LAMBDA where that is below 1,");
    }
  }
}
