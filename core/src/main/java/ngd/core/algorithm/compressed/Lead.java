package ngd.core.algorithm.compressed;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.CodedRows;
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
 * LEAD, primal and dual steps with compressed differences (Liu, Li, Wang, Tang and Yan 2021,
 * Algorithm 1): y = x − η g − η d; ŷ = h + Q(y − h); h ← h + α (ŷ − h); d ← d + γ/2η (ŷ − W ŷ); x ←
 * x − η g − η d. The first round is x ← x − η g alone. It wants a symmetric W, and a codec without
 * bias.
 *
 * @param alpha the step size, η
 * @param gamma the dual step
 * @param share how far h follows what was said, their α
 * @param batch the rows of a mini-batch, or 0 for all rows
 */
public record Lead(
    StepSize alpha, double gamma, double share, Codec codec, int batch, GradientScales scales)
    implements Algorithm.Rounds<Lead.State> {
  public Lead {
    Choco.requireShare("lead: GAMMA", gamma);
    Choco.requireShare("lead: ALPHA", share);
  }

  /**
   * Where each client stands.
   *
   * @param dual d
   * @param known h
   */
  public record State(int round, Rows theta, Rows dual, Known known) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return List.of(theta, dual, known.rows(), known.mixed());
    }
  }

  @Override
  public State start(Rows theta) {
    Known nothing = Known.nothing(theta);
    return new State(0, theta, nothing.rows(), nothing);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double eta = alpha.at(s.round());
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    Rows descended = s.theta().minus(eta, scales.times(data.gradient(s.theta())));
    if (s.round() == 0) {
      return new State(1, descended, s.dual(), s.known());
    }
    CodedRows.Said said = s.known().send(descended.minus(eta, s.dual()), codec, exchange, draws, 0);
    double pull = gamma / (2 * eta);
    Rows dual = s.known().pull(-pull, s.dual()).plus(pull, said.read(), -pull, said.mixed());
    return new State(s.round() + 1, descended.minus(eta, dual), dual, s.known().plus(share, said));
  }

  /** {@code --algorithm lead:GAMMA:ALPHA}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "lead",
          "LEAD, primal and dual steps with compressed differences (Liu et al. 2021)",
          request ->
              new Lead(
                  request.step(),
                  request.parameter(0, 1),
                  request.parameter(1, 0.5),
                  request.codec(),
                  request.batch(),
                  request.scales()));
      parameters("GAMMA", "ALPHA");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
      traits(Trait.EXACT, Trait.COMPRESSING);
    }
  }
}
