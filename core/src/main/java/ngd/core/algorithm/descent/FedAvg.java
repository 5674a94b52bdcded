package ngd.core.algorithm.descent;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Federated averaging (McMahan, Moore, Ramage, Hampson and Agüera y Arcas 2017): every client
 * descends a few steps from the common model, and the common model becomes their mean, weighted by
 * rows. The central baseline: it needs no network, only the sum over all clients.
 *
 * @param batch the rows of a mini-batch, or 0 for all rows
 * @param steps the local steps between two averages
 */
public record FedAvg(StepSize alpha, int batch, int steps)
    implements Algorithm.Rounds<FedAvg.State> {
  public FedAvg {
    if (steps < 1) {
      throw new InvalidInput("local steps: must be at least 1; got " + steps);
    }
    if (batch < 0) {
      throw new InvalidInput("batch: must be at least 1 row, or 0 for all of them; got " + batch);
    }
  }

  /**
   * Where each client stands.
   *
   * @param sizes n_m, one number per row; null before the first round
   * @param total N; 0 before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows sizes, double total)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return sizes == null ? List.of(theta) : List.of(theta, sizes);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, 0);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Rows sizes = s.sizes() == null ? sizes(s.theta(), local) : s.sizes();
    double total = s.sizes() == null ? local.totalRows(s.theta(), exchange) : s.total();
    Rows own = LocalSteps.descend(s.theta(), s.round(), local, alpha, batch, steps);
    double[] mean = exchange.total(own.timesEach(sizes));
    for (int j = 0; j < mean.length; j++) {
      mean[j] /= total;
    }
    return new State(s.round() + 1, own.everywhere(mean), sizes, total);
  }

  private static Rows sizes(Rows like, Local local) {
    double[][] sizes = new double[like.rows()][1];
    for (int m = 0; m < sizes.length; m++) {
      sizes[m][0] = local.rows(m);
    }
    return like.of(sizes);
  }

  /** {@code --algorithm fedavg}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "fedavg",
          "the central baseline: local steps, then the mean over all (McMahan et al. 2017)",
          request -> new FedAvg(request.step(), request.batch(), request.localSteps()));
      needs(Need.MEAN_MIXING);
      options(Option.BATCH, Option.LOCAL_STEPS);
      traits(Trait.CENTRAL);
    }

    /** One step is gradient descent on the pooled loss; more of them drift apart. */
    @Override
    public boolean exact(AlgorithmChoice choice) {
      return choice.localSteps() == 1;
    }
  }
}
