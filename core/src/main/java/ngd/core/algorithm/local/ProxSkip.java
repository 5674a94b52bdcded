package ngd.core.algorithm.local;

import java.util.List;
import java.util.function.UnaryOperator;
import ngd.core.InvalidInput;
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
 * ProxSkip over a network, decentralized Scaffnew: local steps, and an average when a common coin
 * says so (Mishchenko, Malinovsky, Stich and Richtárik 2022, section 5):
 *
 * <pre>
 * x̂ = x − α (g − h);  with probability p, x ← (1 − S) x̂ + S W x̂, otherwise x ← x̂;
 * h ← h + (p/α)(x − x̂)
 * </pre>
 *
 * S being γτ/p in the paper, and h 0 at first. With p = 1 and S = 1/2 it is exact diffusion. It
 * wants a symmetric W.
 *
 * @param probability p, in (0, 1]
 * @param share S, in (0, 1]; at most 1/2 suits every symmetric W
 */
public record ProxSkip(StepSize alpha, double probability, double share, GradientScales scales)
    implements Algorithm.Rounds<ProxSkip.State> {
  public ProxSkip {
    requireProbability("proxskip", probability);
    if (!(share > 0 && share <= 1)) {
      throw new InvalidInput(
          "proxskip: S must lie in (0, 1], it is a share of the way; got " + share);
    }
  }

  /** Refuses what is no probability of talking. */
  public static void requireProbability(String algorithm, double probability) {
    if (!(probability > 0 && probability <= 1)) {
      throw new InvalidInput(
          "%s: the probability must lie in (0, 1], or clients never talk; got %s"
              .formatted(algorithm, probability));
    }
  }

  /**
   * Where each client stands.
   *
   * @param control h; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows control) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return control == null ? List.of(theta) : List.of(theta, control);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    return step(s, toss(draws, probability), exchange, local);
  }

  /** The coin of the round, the same for all clients. */
  public static boolean toss(Draws draws, double probability) {
    return draws.common().nextDouble() < probability;
  }

  /** A round for which the coin is tossed: all clients talk, or none does. */
  public State step(State s, boolean talk, Exchange exchange, Local local) {
    return step(
        s,
        alpha.at(s.round()),
        probability,
        scales.times(local.gradient(s.theta())),
        talk ? sent -> sent.times(1 - share).plus(share, exchange.mix(sent)) : null);
  }

  /**
   * The round, whatever is averaged over.
   *
   * @param average of what all clients send; null where they do not talk
   */
  public static State step(
      State s,
      double alpha,
      double probability,
      Rows gradient,
      @Nullable UnaryOperator<Rows> average) {
    Rows control = s.control() == null ? gradient.times(0) : s.control();
    Rows alone = s.theta().plus(-alpha, gradient, alpha, control);
    if (average == null) {
      return new State(s.round() + 1, alone, control);
    }
    Rows theta = average.apply(alone);
    double pull = probability / alpha;
    return new State(s.round() + 1, theta, control.plus(pull, theta, -pull, alone));
  }

  /** {@code --algorithm proxskip}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "proxskip",
          "local steps, an average now and then (Mishchenko et al. 2022)",
          request ->
              new ProxSkip(
                  request.step(),
                  request.parameter(0, 0.5),
                  request.parameter(1, 0.5),
                  request.scales()));
      parameters("P", "S");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    /** What the paper proves for strongly convex losses, whatever p is. */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return new StepLimit(1, "1 / L", "");
    }
  }
}
