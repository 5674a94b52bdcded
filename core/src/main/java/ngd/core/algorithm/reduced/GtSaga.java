package ngd.core.algorithm.reduced;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.PartGradients;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * GT-SAGA, gradient tracking of SAGA's estimates (Xin, Khan and Kar 2020): as {@link
 * ngd.core.algorithm.exact.Diging}, with the gradient over one part of a client's rows, drawn at
 * random, less what it was when it was last drawn, plus the mean of what all parts were then.
 *
 * @param parts how many parts each client's rows are divided into
 */
public record GtSaga(StepSize alpha, int parts, GradientScales scales)
    implements Algorithm.Rounds<GtSaga.State> {
  public GtSaga {
    PartGradients.requireParts("gt-saga", parts);
  }

  /**
   * Where each client stands.
   *
   * @param tracker y; null before the first round
   * @param gradient the estimate at theta; null before the first round
   * @param table what each part's gradient last was; null before the first round
   */
  public record State(
      int round,
      Rows theta,
      @Nullable Rows tracker,
      @Nullable Rows gradient,
      PartGradients.@Nullable Table table)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return tracker == null || gradient == null || table == null
          ? List.of(theta)
          : List.of(theta, tracker, gradient, table.gradients(), table.mean());
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    return step(s, PartGradients.pick(draws, s.theta().rows(), parts), exchange, local);
  }

  /** A round in which each client takes the chosen part of its rows. */
  public State step(State s, int[] chosen, Exchange exchange, Local local) {
    PartGradients data = new PartGradients(local, parts, scales);
    PartGradients.Table table = s.table() == null ? data.everywhere(s.theta()) : s.table();
    Rows last = s.gradient() == null ? table.mean() : s.gradient();
    Rows tracker = s.tracker() == null ? last : s.tracker();
    Rows theta = exchange.mix(s.theta()).minus(alpha.at(s.round()), tracker);
    PartGradients.Estimate next = table.next(chosen, data.of(chosen, theta));
    return new State(
        s.round() + 1,
        theta,
        exchange.mix(tracker).plus(1, next.gradient(), -1, last),
        next.gradient(),
        next.table());
  }

  /** {@code --algorithm gt-saga}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "gt-saga",
          "gradient tracking on parts of the rows, by SAGA (Xin, Khan, Kar 2020)",
          request ->
              new GtSaga(
                  request.step(),
                  (int) request.parameter(0, PartGradients.PARTS),
                  request.scales()));
      parameters("PARTS");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    @Override
    public StepLimit limit(NetworkFacts network) {
      return Anchored.limit(network);
    }
  }
}
