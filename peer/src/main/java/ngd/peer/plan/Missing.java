package ngd.peer.plan;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;

/** What a peer does in a round for which a neighbour's message has not come. */
public sealed interface Missing {
  /** The words in the plan. */
  String spec();

  /** Wait: the rounds stay those of the simulator, bit for bit. */
  record Wait() implements Missing {
    @Override
    public String spec() {
      return "wait";
    }
  }

  /**
   * Use the neighbour's last value, at most so many rounds old.
   *
   * @param rounds the largest age; beyond it the peer waits
   */
  record Last(int rounds) implements Missing {
    public Last {
      if (rounds < 1) {
        throw new InvalidInput("missing last:S: S must be at least 1 round; got " + rounds);
      }
    }

    @Override
    public String spec() {
      return "last:" + rounds;
    }
  }

  /** Average over those who were heard, their weights scaled to sum to 1. */
  record Drop() implements Missing {
    @Override
    public String spec() {
      return "drop";
    }
  }

  static Missing parse(String spec) {
    List<String> given =
        new Vocabulary("missing", List.of("wait", "last:S", "drop")).parameters(spec);
    return switch (spec.strip().split(":", 2)[0]) {
      case "wait" -> new Wait();
      case "drop" -> new Drop();
      default -> {
        try {
          yield new Last(Integer.parseInt(given.getFirst().strip()));
        } catch (NumberFormatException notANumber) {
          throw new InvalidInput(
              "missing last:S: S must be a whole number of rounds; got `%s`"
                  .formatted(given.getFirst()),
              notANumber);
        }
      }
    };
  }
}
