package ngd.core.algorithm.federated;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * FedProx: {@link FedAvg} whose clients stay near the common model (Li, Sahu, Zaheer, Sanjabi,
 * Talwalkar and Smith 2020): they descend on L_m(θ) + μ/2 ‖θ − common‖².
 *
 * @param mu the pull μ of the common model; 0 for none
 */
public record FedProx(StepSize alpha, double mu, LocalDescent descent, ClientSelection selection)
    implements Algorithm.Rounds<FedAvg.State> {
  /** With all clients in every round. */
  public FedProx(StepSize alpha, double mu, LocalDescent descent) {
    this(alpha, mu, descent, new ClientSelection.All());
  }

  public FedProx {
    if (!(mu >= 0)) {
      throw new InvalidInput("fedprox: the pull of the common model must be 0 or more; got " + mu);
    }
  }

  @Override
  public FedAvg.State start(Rows theta) {
    return new FedAvg.State(0, theta, null);
  }

  @Override
  public FedAvg.State step(FedAvg.State s, Exchange exchange, Local local, Draws draws) {
    Shares shares = Shares.of(s.shares(), selection, s.theta(), local, exchange);
    Participants theirs = shares.participants(selection, draws, s.theta(), local, exchange);
    double step = alpha.at(s.round());
    Rows own =
        descent.from(
            s.theta(),
            s.round(),
            theirs.data(local),
            (at, gradient) -> at.minus(step, gradient).plus(-step * mu, at, step * mu, s.theta()));
    Shares now = shares.among(selection, theirs, exchange);
    return new FedAvg.State(s.round() + 1, own.everywhere(now.mean(own, exchange)), shares);
  }

  /** {@code --algorithm fedprox}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    private static final double PULL = 0.1;

    public Descriptor() {
      super(
          "fedprox",
          "fedavg with clients drawn to the common model (Li et al. 2020)",
          request ->
              new FedProx(
                  request.step(),
                  request.parameter(0, PULL),
                  LocalDescent.of(request),
                  request.selection()));
      parameters("MU");
      needs(Need.MEAN_MIXING);
      options(Option.BATCH, Option.LOCAL_STEPS, Option.SELECTION);
      traits(Trait.CENTRAL);
    }

    @Override
    public boolean exact(AlgorithmChoice choice) {
      return choice.localSteps() == 1;
    }

    /** A client's own Hessian and the pull. */
    @Override
    public StepLimit limit(NetworkFacts network, AlgorithmChoice choice) {
      return new StepLimit(2, choice.parameter(0, PULL), "2 / (L + MU)", "");
    }
  }
}
