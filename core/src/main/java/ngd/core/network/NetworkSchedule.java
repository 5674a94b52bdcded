package ngd.core.network;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * W by round: who hears whom in each round, and with what weight. A {@link Network} is the schedule
 * that never changes.
 *
 * <p>A schedule is a function of the round alone, so that clients in processes of their own, and
 * one that comes back in mid-run, know the same W without asking.
 */
public sealed interface NetworkSchedule
    permits Network, NetworkCycle, RandomMatching, ImpairedNetwork {

  int clients();

  /** W of a round, from 0 on; the same every time. */
  Network at(int round);

  /** After how many rounds the networks repeat; empty where each is drawn. */
  OptionalInt period();

  /** Every link that some round has, with its mean weight over a period, or its expected one. */
  Network mean();

  /**
   * Every link that there may ever be: what peers open, and what sums over all clients go along.
   */
  default Network union() {
    return mean();
  }

  /** Whether W has this property in every round. */
  boolean always(NetworkProperty property);

  /** Whether a client sits a round out: it neither hears, nor is heard, nor moves. */
  default boolean rests(int client, int round) {
    return false;
  }

  /** Whether any client ever sits a round out. */
  default boolean hasRests() {
    return false;
  }

  /** W over a topology. */
  static NetworkSchedule of(Topology topology, Weights weights) {
    return switch (topology) {
      case ChangingTopology changing -> changing.schedule();
      case Topology.EdgeFile file when file.changes() -> EdgeList.read(file).cycle(weights);
      default -> Network.of(topology, weights);
    };
  }

  /**
   * What a whole period does to the clients' rows, W_T … W_1; where networks are drawn, the
   * expected W of one round.
   */
  default Network overPeriod() {
    if (period().isEmpty()) {
      return mean();
    }
    return period().getAsInt() == 1 ? at(0) : ScheduleProducts.product(this, period().getAsInt());
  }

  /**
   * The constant network of which this schedule is one walk: client m after round t of the period
   * is client {@code t M + m}, and hears those of the round before. What is true of constant
   * networks is true of it. Empty where there is no period.
   */
  default Optional<Network> unrolled() {
    return period().isEmpty()
        ? Optional.empty()
        : Optional.of(
            period().getAsInt() == 1
                ? at(0)
                : ScheduleProducts.unrolled(this, period().getAsInt()));
  }

  /**
   * The weight with which each client's data enter what NGD minimises when α is small: the
   * stationary distribution of W; of a period, its mean over the rounds in which the client does
   * not rest; where networks are drawn, that of the expected W. Empty where it is not unique.
   */
  default Optional<double[]> stationary() {
    Network whole = unrolled().orElseGet(this::mean);
    Optional<double[]> found = Stationary.of(whole, CommunicatingClasses.of(whole)).distribution();
    if (whole.clients() == clients()) {
      return found;
    }
    return found.map(
        all -> {
          double[] sums = new double[clients()];
          for (int i = 0; i < all.length; i++) {
            int m = i % clients();
            sums[m] += rests(m, i / clients()) ? 0 : all[i];
          }
          double total = IntStream.range(0, sums.length).mapToDouble(m -> sums[m]).sum();
          return IntStream.range(0, sums.length).mapToDouble(m -> sums[m] / total).toArray();
        });
  }
}
