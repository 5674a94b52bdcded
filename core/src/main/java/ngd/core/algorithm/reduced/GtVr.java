package ngd.core.algorithm.reduced;

import java.util.List;
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
import ngd.core.algorithm.exact.AugDgm;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * GT-VR, gradient tracking of estimates that are anchored where each client's own coin says so
 * (Jiang, Zeng, Sun and Chen 2023); v is the estimate, ∇_b the gradient over a mini-batch:
 *
 * <pre>
 * x ← W (x − α y);  with probability P, τ ← x;
 * v ← ∇_b L(x) − ∇_b L(τ) + ∇L(τ),  y ← W (y + v − v₋).
 * </pre>
 *
 * On all rows it is {@link AugDgm}.
 *
 * @param probability P, in (0, 1]
 * @param batch the rows of a mini-batch, or 0 for all rows
 */
public record GtVr(StepSize alpha, double probability, int batch, GradientScales scales)
    implements Algorithm.Rounds<GtVr.State> {
  public GtVr {
    if (!(probability > 0 && probability <= 1)) {
      throw new InvalidInput(
          "gt-vr: P must lie in (0, 1], or no client looks at all its rows again; got "
              + probability);
    }
  }

  /**
   * Where each client stands.
   *
   * @param tracker y; null before the first round, as the following are
   * @param estimate v at theta
   * @param anchor τ
   * @param full ∇L(τ)
   */
  public record State(
      int round,
      Rows theta,
      @Nullable Rows tracker,
      @Nullable Rows estimate,
      @Nullable Rows anchor,
      @Nullable Rows full)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return tracker == null || estimate == null || anchor == null || full == null
          ? List.of(theta)
          : List.of(theta, tracker, estimate, anchor, full);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    double[] coins = new double[s.theta().rows()];
    for (int row = 0; row < coins.length; row++) {
      coins[row] = draws.of(row).nextDouble() < probability ? 1 : 0;
    }
    return step(s, coins, exchange, local);
  }

  /** A round in which the clients whose coin is 1 look at all their rows, and not those with 0. */
  public State step(State s, double[] coins, Exchange exchange, Local local) {
    Rows full = s.full() == null ? scales.times(local.gradient(s.theta())) : s.full();
    Rows anchor = s.anchor() == null ? s.theta() : s.anchor();
    Rows last = s.estimate() == null ? full : s.estimate();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta = exchange.mix(s.theta().minus(alpha.at(s.round()), tracker));
    boolean looks = batch == 0;
    for (double coin : coins) {
      looks |= coin == 1;
    }
    Rows estimate;
    if (looks) {
      Rows here = scales.times(local.gradient(theta));
      full = batch == 0 ? here : full.plus(here.minus(full).timesEach(coins));
      anchor = batch == 0 ? theta : anchor.plus(theta.minus(anchor).timesEach(coins));
    }
    if (batch == 0) {
      estimate = full;
    } else {
      Local data = local.batch(batch, s.round());
      estimate = scales.times(data.gradient(theta).minus(data.gradient(anchor))).plus(full);
    }
    return new State(
        s.round() + 1,
        theta,
        exchange.mix(tracker.plus(estimate).minus(last)),
        estimate,
        anchor,
        full);
  }

  /** {@code --algorithm gt-vr}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "gt-vr",
          "gradient tracking on mini-batches, anchored now and then (Jiang, Zeng, Sun, Chen 2023)",
          request ->
              new GtVr(
                  request.step(), request.parameter(0, 0.1), request.batch(), request.scales()));
      parameters("P");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.DOUBLY_STOCHASTIC);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
      usualBatch(10);
      traits(Trait.EXACT);
    }

    /** Half of what {@link AugDgm} bears on all rows, as for the others of this family. */
    @Override
    public StepLimit limit(NetworkFacts network) {
      StepLimit all = new AugDgm.Descriptor().limit(network);
      return new StepLimit(
          all.number() / 2, "half of " + all.formula(), all.where().isEmpty() ? "" : all.where());
    }
  }
}
