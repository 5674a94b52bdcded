package ngd.core.algorithm.fair;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LossLocal;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.linalg.Exp;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Distributionally robust decentralized gradient descent (Ben Issaid, Elgabli and Bennis 2022,
 * Algorithm 1): for mixtures of the clients' data that an adversary chooses at the price of μ times
 * their Kullback–Leibler divergence from the even one, the worst loss is μ log of the mean of
 * exp(L_m/μ), and clients descend on the mean of exp(L_m/μ):
 *
 * <pre>
 * x ← W (x − α h ∇L(x) / μ),  h = exp(L(x) / μ).
 * </pre>
 *
 * Clients count alike, however many rows they have. It wants a doubly stochastic W.
 *
 * @param mu the price μ: the smaller, the more the worst client counts
 * @param batch the rows of a mini-batch, or 0 for all rows
 */
public record DrDsgd(StepSize alpha, double mu, int batch) implements Algorithm.Rounds<Ngd.State> {
  public DrDsgd {
    if (!(mu > 0) || Double.isInfinite(mu)) {
      throw new InvalidInput("dr-dsgd: MU must be positive; got " + mu);
    }
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    LossLocal all = LossLocal.in(local);
    LossLocal data = batch == 0 ? all : all.batch(batch, s.round());
    LossLocal.Evaluation here = data.evaluate(s.theta());
    double step = alpha.at(s.round()) / mu;
    double[] losses = here.losses();
    Arrays.setAll(losses, m -> losses[m] / mu);
    double[] moves = Exp.exp(losses);
    Arrays.setAll(moves, m -> -step * moves[m]);
    return new Ngd.State(s.round() + 1, exchange.mix(s.theta().plusEach(moves, here.gradient())));
  }

  /** {@code --algorithm dr-dsgd}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "dr-dsgd",
          "clients with large losses count more (Ben Issaid et al. 2022)",
          request -> new DrDsgd(request.step(), request.parameter(0, 6), request.batch()));
      parameters("MU");
      needs(Need.STRONGLY_CONNECTED, Need.DOUBLY_STOCHASTIC, Need.LOSSES);
      options(Option.BATCH);
    }

    /** None is known: exp(L/μ) bends the more, the larger the losses still are. */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return StepLimit.UNKNOWN;
    }
  }
}
