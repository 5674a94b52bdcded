package ngd.core.network;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;

/** Which clients take part in a round; the others sit it out. */
public sealed interface Activation {

  /** The words on the command line. */
  default String spec() {
    return switch (this) {
      case Cyclic(int together) -> "cyclic:" + together;
      case Shifts(int on, int off, int ahead) -> "shifts:%d:%d:%d".formatted(on, off, ahead);
      case Bernoulli(double probability) -> "bernoulli:" + probability;
      case Markov(double leave, double back) -> "markov:%s:%s".formatted(leave, back);
      case Poisson(double rests) -> "poisson:" + rests;
    };
  }

  /** {@code together} clients in a row take part, from client t modulo M on in round t. */
  record Cyclic(int together) implements Activation {
    public Cyclic {
      if (together < 1) {
        throw new InvalidInput(
            "activation cyclic:K: K must be at least 1, the clients that take part; got "
                + together);
      }
    }
  }

  /**
   * Each client takes part in so many rounds in a row, and sits out so many; client m is m times
   * {@code ahead} rounds ahead of client 0, which takes part from round 0 on.
   */
  record Shifts(int on, int off, int ahead) implements Activation {
    public Shifts {
      if (on < 1 || off < 1 || (long) on + off > MOST) {
        throw new InvalidInput(
            "activation shifts:ON:OFF:AHEAD: ON and OFF must be at least 1 round and together at most %d; got %d and %d"
                .formatted(MOST, on, off));
      }
      if (ahead < 0 || ahead >= on + off) {
        throw new InvalidInput(
            "activation shifts:ON:OFF:AHEAD: AHEAD must lie in [0, %d], rounds within a shift and a rest; got %d"
                .formatted(on + off - 1, ahead));
      }
    }

    private static final int MOST = 1_000_000;

    /** The rounds after which it begins anew. */
    int cycle() {
      return on + off;
    }

    boolean takesPart(int client, int round) {
      return Math.floorMod(round + (long) client * ahead, cycle()) < on;
    }
  }

  /** Each client takes part with this probability, independently in each round. */
  record Bernoulli(double probability) implements Activation {
    public Bernoulli {
      if (!(probability > 0 && probability < 1)) {
        throw new InvalidInput(
            "activation bernoulli:P: P must lie in (0, 1), a probability; got " + probability);
      }
    }
  }

  /**
   * Each client leaves with the first probability after a round in which it took part, and comes
   * back with the second after one that it sat out.
   */
  record Markov(double leave, double back) implements Activation {
    public Markov {
      TwoStateChains.require("activation markov:P:Q", leave, back);
    }
  }

  /**
   * Between two rounds in which it takes part, each client sits out a number of rounds that has a
   * Poisson distribution with this mean.
   */
  record Poisson(double rests) implements Activation {
    /** Beyond this the distribution's probabilities are too small for a double. */
    private static final int MOST = 500;

    public Poisson {
      if (!(rests > 0 && rests <= MOST)) {
        throw new InvalidInput(
            "activation poisson:MEAN: MEAN must lie in (0, %d], the rounds that a client sits out; got %s"
                .formatted(MOST, rests));
      }
    }
  }

  static Activation parse(String spec) {
    Vocabulary words =
        new Vocabulary(
            "activation",
            List.of(
                "cyclic:K", "shifts:ON:OFF:AHEAD", "bernoulli:P", "markov:P:Q", "poisson:MEAN"));
    List<String> given = words.parameters(spec);
    return switch (spec.strip().split(":", 2)[0]) {
      case "cyclic" -> new Cyclic(TopologyWords.whole("activation cyclic:K", "K", given.get(0)));
      case "shifts" -> {
        String subject = "activation shifts:ON:OFF:AHEAD";
        yield new Shifts(
            TopologyWords.whole(subject, "ON", given.get(0)),
            TopologyWords.whole(subject, "OFF", given.get(1)),
            TopologyWords.whole(subject, "AHEAD", given.get(2)));
      }
      case "bernoulli" ->
          new Bernoulli(TopologyWords.number("activation bernoulli:P", "P", given.get(0)));
      case "poisson" ->
          new Poisson(TopologyWords.number("activation poisson:MEAN", "MEAN", given.get(0)));
      default ->
          new Markov(
              TopologyWords.number("activation markov:P:Q", "P", given.get(0)),
              TopologyWords.number("activation markov:P:Q", "Q", given.get(1)));
    };
  }
}
