package ngd.core.algorithm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Vocabulary;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Which clients take part in a round of a method that talks through sums over all. Every client
 * finds the same ones by itself, from the seed and the round, or from sums.
 */
public interface ClientSelection {
  /** The words on the command line. */
  String spec();

  /**
   * Whether each client takes part, all M of them; at least one does.
   *
   * @param clients M
   * @param theta where each client stands
   */
  boolean[] chosen(Draws draws, int clients, Rows theta, Local local, Totals totals);

  /** How many it needs there to be. */
  default int least() {
    return 1;
  }

  /** Whether it looks at losses, which not all data show. */
  default boolean needsLosses() {
    return false;
  }

  /** Whether sums are over all clients in every round, and never over some of them. */
  default boolean everybody() {
    return false;
  }

  /** What it tells all clients of each, in words; empty where it needs nothing of anybody. */
  default String shows() {
    return "";
  }

  /** Everybody, always. */
  record All() implements ClientSelection {
    @Override
    public boolean everybody() {
      return true;
    }

    @Override
    public String spec() {
      return "all";
    }

    @Override
    public boolean[] chosen(Draws draws, int clients, Rows theta, Local local, Totals totals) {
      boolean[] all = new boolean[clients];
      Arrays.fill(all, true);
      return all;
    }
  }

  /** Each client with this probability, independently; drawn again where that is nobody. */
  record Bernoulli(double probability) implements ClientSelection {
    public Bernoulli {
      if (!(probability > 0 && probability < 1)) {
        throw new InvalidInput(
            "selection bernoulli:P: P must lie in (0, 1), a probability; got " + probability);
      }
    }

    @Override
    public String spec() {
      return "bernoulli:" + probability;
    }

    @Override
    public boolean[] chosen(Draws draws, int clients, Rows theta, Local local, Totals totals) {
      UniformRandomProvider random = draws.selection();
      boolean[] chosen = new boolean[clients];
      boolean any = false;
      while (!any) {
        for (int m = 0; m < clients; m++) {
          chosen[m] = random.nextDouble() < probability;
          any |= chosen[m];
        }
      }
      return chosen;
    }
  }

  /** The same number of clients in every round. */
  record Count(Rule rule, int count) implements ClientSelection {
    /** Which of them. */
    public enum Rule {
      /** Every set of that many with the same probability. */
      UNIFORM("uniform"),
      /** One after the other from those who are left, in proportion to their rows. */
      BY_SIZE("by-size"),
      /** One after the other by their numbers, going on where the round before ended. */
      IN_TURN("in-turn"),
      /** Those with the largest losses where they stand; of equal ones those of lower number. */
      HIGH_LOSS("high-loss");

      private final String word;

      Rule(String word) {
        this.word = word;
      }
    }

    public Count {
      if (count < 1) {
        throw new InvalidInput(
            "selection %s:K: K must be at least 1, the clients that take part; got %d"
                .formatted(rule.word, count));
      }
    }

    @Override
    public String spec() {
      return rule.word + ":" + count;
    }

    @Override
    public int least() {
      return count;
    }

    @Override
    public boolean needsLosses() {
      return rule == Rule.HIGH_LOSS;
    }

    @Override
    public String shows() {
      return switch (rule) {
        case UNIFORM, IN_TURN -> "";
        case BY_SIZE -> "number of rows";
        case HIGH_LOSS -> "loss in every round";
      };
    }

    @Override
    public boolean[] chosen(Draws draws, int clients, Rows theta, Local local, Totals totals) {
      boolean[] chosen = new boolean[clients];
      double[] last =
          switch (rule) {
            case UNIFORM -> {
              UniformRandomProvider random = draws.selection();
              yield IntStream.range(0, clients).mapToDouble(_ -> random.nextDouble()).toArray();
            }
            case BY_SIZE -> bySize(draws, told(draws, clients, sizes(theta, local), totals));
            case IN_TURN -> {
              long first = (long) draws.round() * count;
              yield IntStream.range(0, clients)
                  .mapToDouble(m -> Math.floorMod(m - first, (long) clients))
                  .toArray();
            }
            case HIGH_LOSS -> {
              double[] losses = told(draws, clients, LossLocal.in(local).losses(theta), totals);
              yield Arrays.stream(losses).map(loss -> -loss).toArray();
            }
          };
      IntStream.range(0, clients)
          .boxed()
          .sorted(Comparator.comparingDouble(m -> last[m]))
          .limit(count)
          .forEach(m -> chosen[m] = true);
      return chosen;
    }

    /**
     * Exponential times with rates n_m: the first to ring are chosen one after the other with
     * probabilities in proportion to n_m among those who are left (Efraimidis and Spirakis 2006).
     */
    private static double[] bySize(Draws draws, double[] sizes) {
      UniformRandomProvider random = draws.selection();
      return Arrays.stream(sizes)
          .map(size -> -StrictMath.log(1 - random.nextDouble()) / size)
          .toArray();
    }

    private static double[] sizes(Rows theta, Local local) {
      return IntStream.range(0, theta.rows()).mapToDouble(local::rows).toArray();
    }

    /** All clients' numbers: a sum in which each has a place of its own. */
    private static double[] told(Draws draws, int clients, double[] own, Totals totals) {
      double[][] places = new double[own.length][clients];
      for (int row = 0; row < own.length; row++) {
        places[row][draws.firstClient() + row] = own[row];
      }
      return totals.total(places);
    }
  }

  static ClientSelection parse(String spec) {
    Vocabulary words =
        new Vocabulary(
            "selection",
            List.of("all", "uniform:K", "by-size:K", "in-turn:K", "high-loss:K", "bernoulli:P"));
    List<String> given = words.parameters(spec);
    String word = spec.strip().split(":", 2)[0];
    return switch (word) {
      case "all" -> new All();
      case "bernoulli" ->
          new Bernoulli(
              NumberText.read(
                  given.getFirst(),
                  Double::parseDouble,
                  () ->
                      "selection bernoulli:P: P must be a number; got `%s`"
                          .formatted(given.getFirst())));
      default ->
          new Count(
              Arrays.stream(Count.Rule.values())
                  .filter(rule -> rule.word.equals(word))
                  .findFirst()
                  .orElseThrow(),
              NumberText.read(
                  given.getFirst(),
                  Integer::parseInt,
                  () ->
                      "selection %s:K: K must be a whole number; got `%s`"
                          .formatted(word, given.getFirst())));
    };
  }
}
