package ngd.core.algorithm.federated;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Federated averaging (McMahan, Moore, Ramage, Hampson and Agüera y Arcas 2017): every client
 * descends a few steps from the common model, and the common model becomes their mean, weighted by
 * rows. The central baseline: it needs no network, only the sum over all clients.
 */
public record FedAvg(StepSize alpha, LocalDescent descent, ClientSelection selection)
    implements Algorithm.Rounds<FedAvg.State> {
  /** With all clients in every round. */
  public FedAvg(StepSize alpha, LocalDescent descent) {
    this(alpha, descent, new ClientSelection.All());
  }

  /** Where each client stands, and what it counts for. */
  public record State(int round, Rows theta, @Nullable Shares shares) implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return shares == null ? List.of(theta) : List.of(theta, shares.sizes());
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    Shares shares = Shares.of(s.shares(), selection, s.theta(), local, exchange);
    Participants theirs = shares.participants(selection, draws, s.theta(), local, exchange);
    double step = alpha.at(s.round());
    Rows own =
        descent.from(
            s.theta(), s.round(), theirs.data(local), (at, gradient) -> at.minus(step, gradient));
    Shares now = shares.among(selection, theirs, exchange);
    return new State(s.round() + 1, own.everywhere(now.mean(own, exchange)), shares);
  }

  /** {@code --algorithm fedavg}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "fedavg",
          "the central baseline: local steps, then the mean over all (McMahan et al. 2017)",
          request -> new FedAvg(request.step(), LocalDescent.of(request), request.selection()));
      needs(Need.MEAN_MIXING);
      options(Option.BATCH, Option.LOCAL_STEPS, Option.SELECTION);
      traits(Trait.CENTRAL);
    }

    /** One step is gradient descent on the pooled loss; more of them drift apart. */
    @Override
    public boolean exact(AlgorithmChoice choice) {
      return choice.localSteps() == 1;
    }
  }
}
