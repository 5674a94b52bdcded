package ngd.core.algorithm.reduced;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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
import ngd.core.algorithm.exact.Tracking;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Gradient tracking of estimates that are anchored in a gradient over all rows now and then, as
 * GT-SVRG and GT-SARAH have it; v is the estimate, ∇_b the gradient over a mini-batch:
 *
 * <pre>
 * x ← W x − α y,  y ← W y + v − v₋,
 * v = ∇L(x) in every PERIOD-th round, and otherwise
 * v = ∇_b L(x) − ∇_b L(τ) + ∇L(τ), τ being x in the last such round  (GT-SVRG), or
 * v = ∇_b L(x) − ∇_b L(x₋) + v₋  (GT-SARAH).
 * </pre>
 *
 * On all rows both are DIGing. GT-SVRG is of Xin, Khan and Kar 2020, GT-SARAH of Xin, Khan and Kar
 * 2022.
 *
 * @param recursive whether v goes on from the last v, GT-SARAH, or from the anchor, GT-SVRG
 * @param period the rounds from one gradient over all rows to the next
 * @param batch the rows of a mini-batch, or 0 for all rows
 */
public record Anchored(
    StepSize alpha, boolean recursive, int period, int batch, GradientScales scales)
    implements Algorithm.Rounds<Anchored.State> {
  public Anchored {
    if (period < 1) {
      throw new InvalidInput(
          "%s: PERIOD must be at least 1 round; got %d"
              .formatted(recursive ? "gt-sarah" : "gt-svrg", period));
    }
  }

  /**
   * Where each client stands.
   *
   * @param tracker y; null before the first round
   * @param estimate v at theta; null before the first round
   * @param anchor τ; null before the first round, and where v goes on from the last v
   * @param full ∇L(τ); null where the anchor is
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
      return Stream.of(theta, tracker, estimate, anchor, full).filter(Objects::nonNull).toList();
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows last = s.estimate() == null ? scales.times(local.gradient(s.theta())) : s.estimate();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta = exchange.mix(s.theta()).minus(alpha.at(s.round()), tracker);
    Rows sent = exchange.mix(tracker);
    if ((s.round() + 1) % period == 0 || batch == 0) {
      Rows full = scales.times(local.gradient(theta));
      Rows next = sent.plus(full).minus(last);
      return recursive
          ? new State(s.round() + 1, theta, next, full, null, null)
          : new State(s.round() + 1, theta, next, full, theta, full);
    }
    Rows anchor = recursive || s.anchor() == null ? s.theta() : s.anchor();
    Rows full = recursive || s.full() == null ? last : s.full();
    Local data = local.batch(batch, s.round());
    Rows change = data.gradient(theta).minus(data.gradient(anchor));
    Rows estimate = scales.times(change).plus(full);
    Rows next = sent.plus(estimate).minus(last);
    return recursive
        ? new State(s.round() + 1, theta, next, estimate, null, null)
        : new State(s.round() + 1, theta, next, estimate, anchor, full);
  }

  /**
   * Half of what DIGing bears on all rows: the estimates of two rounds are taken on different rows.
   * How much less single rows bear depends on how unlike they are.
   */
  static StepLimit limit(NetworkFacts network) {
    return new StepLimit(
        Tracking.limit(network.mixing().smallest()) / 2, "(1 + λ)² / 4L", StepLimit.SMALLEST);
  }

  /** How it is asked for. */
  abstract static class Estimates extends AlgorithmDescriptor {
    Estimates(String name, String summary, boolean recursive) {
      super(
          name,
          summary,
          request ->
              new Anchored(
                  request.step(),
                  recursive,
                  (int) request.parameter(0, 10),
                  request.batch(),
                  request.scales()));
      parameters("PERIOD");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      options(Option.BATCH);
      usualBatch(10);
      traits(Trait.EXACT);
    }

    @Override
    public StepLimit limit(NetworkFacts network) {
      return Anchored.limit(network);
    }
  }

  /** {@code --algorithm gt-svrg}. */
  public static final class Svrg extends Estimates {
    public Svrg() {
      super("gt-svrg", "gradient tracking on mini-batches, by SVRG (Xin, Khan, Kar 2020)", false);
    }
  }

  /** {@code --algorithm gt-sarah}. */
  public static final class Sarah extends Estimates {
    public Sarah() {
      super("gt-sarah", "gradient tracking on mini-batches, by SARAH (Xin, Khan, Kar 2022)", true);
    }
  }
}
