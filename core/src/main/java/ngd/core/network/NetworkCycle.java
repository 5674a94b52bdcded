package ngd.core.network;

import java.util.List;
import java.util.OptionalInt;
import ngd.core.InvalidInput;

/** Networks that take turns: round t has the one at place t modulo their number. */
public final class NetworkCycle implements NetworkSchedule {
  private final List<Network> rounds;
  private final Network mean;

  private NetworkCycle(List<Network> rounds) {
    this.rounds = rounds;
    mean = ScheduleProducts.mean(this, rounds.size());
  }

  /** These networks in turn; a single one is a constant network. */
  public static NetworkSchedule of(List<Network> rounds) {
    if (rounds.isEmpty()) {
      throw new InvalidInput("schedule: needs a network for at least one round; got none");
    }
    for (Network one : rounds) {
      if (one.clients() != rounds.getFirst().clients()) {
        throw new InvalidInput(
            "schedule: every round must have the same %d clients as the first; got %d"
                .formatted(rounds.getFirst().clients(), one.clients()));
      }
    }
    return rounds.size() == 1 ? rounds.getFirst() : new NetworkCycle(List.copyOf(rounds));
  }

  @Override
  public int clients() {
    return rounds.getFirst().clients();
  }

  @Override
  public Network at(int round) {
    return rounds.get(round % rounds.size());
  }

  @Override
  public OptionalInt period() {
    return OptionalInt.of(rounds.size());
  }

  @Override
  public Network mean() {
    return mean;
  }

  @Override
  public boolean always(NetworkProperty property) {
    return rounds.stream().allMatch(property::of);
  }
}
