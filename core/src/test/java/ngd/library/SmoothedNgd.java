package ngd.library;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

// docs/algorithms.md
/** Network gradient descent, its estimates smoothed: {@code --algorithm smoothed-ngd:0.1}. */
public final class SmoothedNgd extends AlgorithmDescriptor {
  public SmoothedNgd() {
    super(
        "smoothed-ngd",
        "ngd with smoothed estimates, for mini-batches",
        request -> new Rounds(request.step(), request.batch(), request.parameter(0, 0.1)));
    parameters("SHARE");
    options(Option.BATCH);
  }

  /** The estimate, and the point that it follows. */
  public record Smoothed(int round, Rows theta, Rows point) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return List.of(theta, point);
    }
  }

  /** x ← W x − α ∇L(W x); θ ← θ + share · (x − θ). */
  public record Rounds(StepSize alpha, int batch, double share)
      implements Algorithm.Rounds<Smoothed> {
    @Override
    public Smoothed start(Rows theta) {
      return new Smoothed(0, theta, theta);
    }

    @Override
    public Smoothed step(Smoothed s, Exchange exchange, Local local, Draws draws) {
      Local data = batch == 0 ? local : local.batch(batch, s.round());
      Rows mixed = exchange.mix(s.point());
      Rows point = mixed.minus(alpha.at(s.round()), data.gradient(mixed));
      return new Smoothed(s.round() + 1, s.theta().times(1 - share).plus(share, point), point);
    }
  }
}
