package ngd.core.algorithm;

import java.util.List;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Weight decay: λ/2 ‖θ‖² on every client's loss, so that every gradient has λθ (L2, not decoupled
 * from the step: the target of an exact method is then the ridge estimate).
 *
 * @param lambda λ
 */
public record WeightDecay(double lambda) implements AddedTerm {
  @Override
  public double value(double[] theta) {
    double sum = 0;
    for (double entry : theta) {
      sum = Math.fma(0.5 * lambda * entry, entry, sum);
    }
    return sum;
  }

  @Override
  public double[] slope(double[] theta) {
    double[] slope = new double[theta.length];
    for (int j = 0; j < slope.length; j++) {
      slope[j] = lambda * theta[j];
    }
    return slope;
  }

  @Override
  public Rows slope(Rows at) {
    return at.times(lambda);
  }

  @Override
  public double[] hessian(int p) {
    double[] hessian = new double[p * p];
    for (int j = 0; j < p; j++) {
      hessian[j * (p + 1)] = lambda;
    }
    return hessian;
  }

  /** A method on losses that carry it. */
  public Algorithm<?> on(Algorithm<?> method) {
    return switch (method) {
      case Algorithm.Rounds<?> rounds -> new Decayed<>(rounds, this);
      case Algorithm.Events<?> events -> new DecayedEvents<>(events, this);
    };
  }

  private record Decayed<S extends Algorithm.State>(Algorithm.Rounds<S> method, WeightDecay decay)
      implements Algorithm.Rounds<S> {
    @Override
    public S start(Rows theta) {
      return method.start(theta);
    }

    @Override
    public S step(S state, Exchange exchange, Local local, Draws draws) {
      return method.step(state, exchange, AddedLocal.of(local, decay), draws);
    }
  }

  private record DecayedEvents<S extends Algorithm.State>(
      Algorithm.Events<S> method, WeightDecay decay) implements Algorithm.Events<S> {
    @Override
    public S start(Rows theta, Algorithm.Mail mail) {
      return method.start(theta, mail);
    }

    @Override
    public S wake(S state, Algorithm.Mail mail, Local local, Draws draws) {
      return method.wake(state, mail, AddedLocal.of(local, decay), draws);
    }

    @Override
    public S receive(S state, Algorithm.Letter letter, Algorithm.Mail mail) {
      return method.receive(state, letter, mail);
    }

    @Override
    public List<Integer> letterWidths(int parameters) {
      return method.letterWidths(parameters);
    }
  }
}
