package ngd.core.algorithm.descent;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Network gradient descent: average what you hear, then descend at the average (Wu, Huang and Wang,
 * section 2.1).
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="simulation"}
 *
 * @param batch the rows of a mini-batch (section 3.5), or 0 for all rows in every round
 */
public record Ngd(StepSize alpha, int batch) implements Algorithm.Rounds<Ngd.State> {
  /** Where each client stands. */
  public record State(int round, Rows theta) implements Algorithm.State {}

  public Ngd {
    if (batch < 0) {
      throw new InvalidInput("batch: must be at least 1 row, or 0 for all of them; got " + batch);
    }
  }

  public Ngd(StepSize alpha) {
    this(alpha, 0);
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows mixed = exchange.mix(s.theta());
    Local data = batch == 0 ? local : local.batch(batch, s.round());
    return new State(s.round() + 1, mixed.minus(alpha.at(s.round()), data.gradient(mixed)));
  }

  /** {@code --algorithm ngd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "ngd",
          "average what you hear, descend at the average (Wu, Huang, Wang)",
          request ->
              request.localSteps() > 1
                  ? new LocalSteps(request.step(), LocalDescent.of(request))
                  : new Ngd(request.step(), request.batch()));
      options(Option.BATCH, Option.LOCAL_STEPS);
      traits(Trait.GRADIENTS_ONLY, Trait.TIME_VARYING, Trait.AVERAGED_NORMAL);
    }
  }
}
