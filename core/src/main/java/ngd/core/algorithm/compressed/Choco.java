package ngd.core.algorithm.compressed;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.codec.Codec;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * CHOCO-SGD, gossip of compressed differences (Koloskova, Stich and Jaggi 2019, Algorithm 2): y = x
 * − α g(x); x̂ ← x̂ + Q(y − x̂); x ← y + γ (W x̂ − x̂). It wants a doubly stochastic W.
 *
 * @param gamma the share of the way towards the average that a client goes
 * @param batch the rows of a mini-batch, or 0 for all rows
 */
public record Choco(StepSize alpha, double gamma, Codec codec, int batch, GradientScales scales)
    implements Algorithm.Rounds<Choco.State> {
  public Choco {
    requireShare("choco: GAMMA", gamma);
  }

  /** Refuses a share of the way that is none. */
  static void requireShare(String what, double share) {
    if (!(share > 0 && share <= 1)) {
      throw new InvalidInput("%s must lie in (0, 1]; got %s".formatted(what, share));
    }
  }

  /**
   * Where each client stands.
   *
   * @param known x̂
   */
  public record State(int round, Rows theta, Known known) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return List.of(theta, known.rows(), known.mixed());
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, Known.nothing(theta));
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows half = s.theta().minus(alpha.at(s.round()), scales.times(data.gradient(s.theta())));
    Known known = s.known().plus(1, s.known().send(half, codec, exchange, draws, 0));
    return new State(s.round() + 1, known.pull(gamma, half), known);
  }

  /** {@code --algorithm choco:GAMMA}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "choco",
          "CHOCO-SGD, gossip of compressed differences (Koloskova, Stich, Jaggi 2019)",
          request ->
              new Choco(
                  request.step(),
                  request.parameter(0, 0.2),
                  request.codec(),
                  request.batch(),
                  request.scales()));
      parameters("GAMMA");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.DOUBLY_STOCHASTIC, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
      traits(Trait.COMPRESSING);
    }
  }
}
