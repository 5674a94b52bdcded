package ngd.core.algorithm.compressed;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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
import ngd.core.algorithm.exact.Diging;
import ngd.core.codec.Codec;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * BEER, gradient tracking by compressed differences (Zhao, Li, Li, Richtárik and Chi 2022,
 * Algorithm 1): x ← x + γ (W h − h) − α v; h ← h + Q(x − h); v ← v + γ (W g − g) + ∇L(x) − ∇L(x₋);
 * g ← g + Q(v − g). It wants a doubly stochastic W.
 *
 * @param gamma the share of the way towards the average that a client goes
 */
public record Beer(StepSize alpha, double gamma, Codec codec, GradientScales scales)
    implements Algorithm.Rounds<Beer.State> {
  public Beer {
    Choco.requireShare("beer: GAMMA", gamma);
  }

  /**
   * Where each client stands.
   *
   * @param tracker v; null before the first round, where it is the gradient itself
   * @param gradient at theta; null before the first round
   * @param knownTheta h
   * @param knownTracker g
   */
  public record State(
      int round,
      Rows theta,
      @Nullable Rows tracker,
      @Nullable Rows gradient,
      Known knownTheta,
      Known knownTracker)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return Stream.of(
              theta,
              tracker,
              gradient,
              knownTheta.rows(),
              knownTheta.mixed(),
              knownTracker.rows(),
              knownTracker.mixed())
          .filter(Objects::nonNull)
          .toList();
    }
  }

  @Override
  public State start(Rows theta) {
    Known nothing = Known.nothing(theta);
    return new State(0, theta, null, null, nothing, nothing);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows last = s.gradient() == null ? scales.times(local.gradient(s.theta())) : s.gradient();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta = s.knownTheta().pull(gamma, s.theta()).minus(alpha.at(s.round()), tracker);
    Known h = s.knownTheta().plus(1, s.knownTheta().send(theta, codec, exchange, draws, 0));
    Rows gradient = scales.times(local.gradient(theta));
    Rows next = s.knownTracker().pull(gamma, tracker).plus(gradient).minus(last);
    Known g = s.knownTracker().plus(1, s.knownTracker().send(next, codec, exchange, draws, 1));
    return new State(s.round() + 1, theta, next, gradient, h, g);
  }

  /** {@code --algorithm beer:GAMMA}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "beer",
          "BEER, gradient tracking by compressed differences (Zhao et al. 2022)",
          request ->
              new Beer(
                  request.step(), request.parameter(0, 0.2), request.codec(), request.scales()));
      parameters("GAMMA");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.DOUBLY_STOCHASTIC, Need.MEAN_MIXING);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT, Trait.COMPRESSING);
    }

    /** With full numbers it is {@link Diging} one message behind, over a lazier W. */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return new Diging.Descriptor().limit(network);
    }
  }
}
