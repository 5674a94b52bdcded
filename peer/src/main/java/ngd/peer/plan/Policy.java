package ngd.peer.plan;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;

/**
 * What a peer does about a neighbour that is slow or gone when it averages. Whatever else it hears
 * for (sums over all, shares that must arrive, replies) it waits; and where nobody at all is heard,
 * since its own data alone are not what the plan asks for.
 */
public sealed interface Policy {
  /** The words in a plan. */
  String spec();

  /** Waits as long as it takes: the simulator's bits. */
  record Wait() implements Policy {
    @Override
    public String spec() {
      return "wait";
    }
  }

  /** Goes on with what the neighbour last said, if that is at most {@code rounds} rounds old. */
  record Last(int rounds) implements Policy {
    public Last {
      if (rounds < 1) {
        throw new InvalidInput("policy last:R: R must be at least 1 round; got " + rounds);
      }
    }

    @Override
    public String spec() {
      return "last:" + rounds;
    }
  }

  /** Goes on without the neighbour; the others' weights are scaled up to sum to 1. */
  record Drop() implements Policy {
    @Override
    public String spec() {
      return "drop";
    }
  }

  public static Policy parse(String spec) {
    List<String> given =
        new Vocabulary("policy", List.of("wait", "last:R", "drop")).parameters(spec);
    return switch (spec.strip().split(":", 2)[0]) {
      case "wait" -> new Wait();
      case "drop" -> new Drop();
      default -> {
        try {
          yield new Last(Integer.parseInt(given.getFirst().strip()));
        } catch (NumberFormatException e) {
          throw new InvalidInput(
              "policy last:R: R must be a whole number; got `%s`".formatted(given.getFirst()), e);
        }
      }
    };
  }
}
