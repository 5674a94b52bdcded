package ngd.core.algorithm.federated;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import ngd.core.InvalidInput;
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
 * FedNova: {@link FedAvg} whose clients take different numbers of steps τ_m and count for their
 * mean step, so that those who take more do not count for more (Wang, Liu, Liang, Joshi and Poor
 * 2020, for plain gradient steps), p_m = n_m / N:
 *
 * <pre>
 * θ ← θ − (Σ p_m τ_m) Σ p_m (θ − θ_m) / τ_m
 * </pre>
 *
 * @param epochs how often each client goes through its rows in a round, which decides its number of
 *     steps; 0 for as many steps as {@code descent} has
 */
public record FedNova(StepSize alpha, int epochs, LocalDescent descent, ClientSelection selection)
    implements Algorithm.Rounds<FedNova.State> {
  /** With all clients in every round. */
  public FedNova(StepSize alpha, int epochs, LocalDescent descent) {
    this(alpha, epochs, descent, new ClientSelection.All());
  }

  public FedNova {
    if (epochs < 0) {
      throw new InvalidInput(
          "fednova: must go through the rows at least once, or 0 for a number of steps; got "
              + epochs);
    }
  }

  /**
   * Where each client stands.
   *
   * @param mean Σ p_m τ_m; 0 before the first round
   * @param most the largest τ_m of all clients
   */
  public record State(int round, Rows theta, @Nullable Shares shares, double mean, int most)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return shares == null ? List.of(theta) : List.of(theta, shares.sizes());
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, 0, 0);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    int[] steps = new int[s.theta().rows()];
    for (int m = 0; m < steps.length; m++) {
      int batches = descent.batch() == 0 ? 1 : Math.ceilDiv(local.rows(m), descent.batch());
      steps[m] = epochs == 0 ? descent.steps() : epochs * batches;
    }
    return step(s, steps, exchange, local, draws);
  }

  /**
   * A round in which the clients take these numbers of steps.
   *
   * @param steps τ_m for each row here, the same in every round
   */
  public State step(State s, int[] steps, Exchange exchange, Local local, Draws draws) {
    State now = s.shares() == null ? agreed(s, steps, exchange, local) : s;
    Shares shares = Objects.requireNonNull(now.shares());
    Participants those = shares.participants(selection, draws, s.theta(), local, exchange);
    Rows own = descended(now, steps, those.data(local));
    Shares theirs = shares.among(selection, those, exchange);
    double[] each = new double[steps.length];
    Arrays.setAll(each, m -> theirs.sizes().get(m, 0) / steps[m]);
    Rows moves = s.theta().minus(own).timesEach(each);
    double[] move = Shares.divided(exchange.total(moves), theirs.total());
    double mean =
        selection instanceof ClientSelection.All ? now.mean() : mean(theirs, steps, exchange);
    return new State(
        s.round() + 1, s.theta().minus(mean, own.everywhere(move)), shares, now.mean(), now.most());
  }

  /** Σ p_m τ_m among those who take part. */
  private static double mean(Shares theirs, int[] steps, Exchange exchange) {
    double[][] counts = new double[steps.length][1];
    Arrays.setAll(counts, m -> new double[] {steps[m]});
    return theirs.mean(theirs.sizes().of(counts), exchange)[0];
  }

  private State agreed(State s, int[] steps, Exchange exchange, Local local) {
    Shares shares = Shares.of(null, selection, s.theta(), local, exchange);
    double[][] counts = new double[steps.length][1];
    double[] numbers = new double[steps.length];
    for (int m = 0; m < steps.length; m++) {
      numbers[m] = steps[m];
      counts[m][0] = (double) local.rows(m) * steps[m];
    }
    double mean = exchange.total(counts)[0] / shares.total();
    return new State(0, s.theta(), shares, mean, (int) exchange.max(numbers));
  }

  private Rows descended(State s, int[] steps, Local local) {
    double step = alpha.at(s.round());
    double[] moves = new double[steps.length];
    Rows at = s.theta();
    int least = Arrays.stream(steps).min().orElse(0);
    for (int i = 0; i < Arrays.stream(steps).max().orElse(0); i++) {
      int now = i;
      Local moving = now < least ? local : local.among(m -> now < steps[m]);
      Local data =
          descent.batch() == 0 ? moving : moving.batch(descent.batch(), s.round() * s.most() + i);
      Arrays.setAll(moves, m -> now < steps[m] ? -step : 0);
      at = at.plusEach(moves, data.gradient(at));
    }
    return at;
  }

  /** {@code --algorithm fednova}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "fednova",
          "fedavg by mean steps, for clients that take different numbers (Wang et al. 2020)",
          request ->
              new FedNova(
                  request.step(),
                  (int) request.parameter(0, 0),
                  LocalDescent.of(request),
                  request.selection()));
      parameters("EPOCHS");
      needs(Need.MEAN_MIXING);
      options(Option.BATCH, Option.LOCAL_STEPS, Option.SELECTION);
      traits(Trait.CENTRAL);
    }

    @Override
    public boolean exact(AlgorithmChoice choice) {
      return choice.localSteps() == 1 && choice.parameter(0, 0) == 0;
    }
  }
}
