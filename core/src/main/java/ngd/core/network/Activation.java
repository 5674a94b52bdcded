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
      case Bernoulli(double probability) -> "bernoulli:" + probability;
      case Markov(double leave, double back) -> "markov:%s:%s".formatted(leave, back);
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

  static Activation parse(String spec) {
    Vocabulary words =
        new Vocabulary("activation", List.of("cyclic:K", "bernoulli:P", "markov:P:Q"));
    List<String> given = words.parameters(spec);
    return switch (spec.strip().split(":", 2)[0]) {
      case "cyclic" -> new Cyclic(TopologyWords.whole("activation cyclic:K", "K", given.get(0)));
      case "bernoulli" ->
          new Bernoulli(TopologyWords.number("activation bernoulli:P", "P", given.get(0)));
      default ->
          new Markov(
              TopologyWords.number("activation markov:P:Q", "P", given.get(0)),
              TopologyWords.number("activation markov:P:Q", "Q", given.get(1)));
    };
  }
}
