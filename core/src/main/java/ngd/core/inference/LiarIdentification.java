package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.model.Glm;
import ngd.core.model.Loss;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.FDistribution;

/**
 * Who of those that a client hears says what its own rows contradict, with a bound on the share of
 * honest ones among them (docs/theory.md, 12).
 *
 * <p>A client trusts its own rows alone. It fits the model to them, and holds what each neighbour
 * says against that fit: if the neighbour is honest, its estimate is made of the rows of others,
 * and at most of all of them, so that it is away from the own fit V by V N / (N − n) at most, V the
 * covariance of the own fit, n its rows and N all rows. That gives a p-value for each neighbour,
 * and Benjamini and Yekutieli's procedure (2001), which holds under any dependence, a list in which
 * the expected share of honest clients is at most the stated one. No majority of honest neighbours
 * is needed.
 *
 * <p>A client whose own estimate fails the test says nothing: its rows are unlike those of others,
 * or lies have reached its estimate and so those of its honest neighbours.
 *
 * @param rate the bound on the false-discovery rate
 * @param clients what each client here says
 */
public record LiarIdentification(double rate, List<Verdict> clients) {
  public LiarIdentification {
    clients = List.copyOf(clients);
  }

  /**
   * One neighbour.
   *
   * @param pValue how probable an estimate as far from the listener's own fit is, were it honest
   */
  public record Heard(int client, double pValue, boolean suspected) {}

  /**
   * What one client says of those it hears.
   *
   * @param ownPValue that of its own estimate; NaN where its rows have no fit
   * @param withheld why it suspects nobody, where it cannot tell
   */
  public record Verdict(
      int client, double ownPValue, Optional<String> withheld, List<Heard> heard) {
    public Verdict {
      heard = List.copyOf(heard);
    }

    /** The neighbours it suspects, ascending. */
    public List<Integer> suspects() {
      return heard.stream().filter(Heard::suspected).map(Heard::client).toList();
    }
  }

  /**
   * Refuses what it is not known for.
   *
   * @param rate the false-discovery rate to hold
   */
  public static void require(double rate, NetworkSchedule schedule, Loss loss) {
    requireRate(rate);
    if (!(schedule instanceof Network)) {
      throw new InvalidInput(
          "identify: needs a network that stays as it is, in which neighbours can be judged by what"
              + " they say; use a constant one such as ring:2");
    }
    if (!(loss instanceof Glm)) {
      throw new InvalidInput(
          "identify: needs standard errors of a client's own fit, so a generalized linear model;"
              + " got "
              + loss.name());
    }
  }

  /** Refuses a rate that is none. */
  public static double requireRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new InvalidInput(
          "identify: the false-discovery rate must lie between 0 and 1, such as 0.1; got " + rate);
    }
    return rate;
  }

  /**
   * The clients here, of whom the first has this number.
   *
   * @param theta each client's own estimate
   * @param said what those say that it hears, by link
   * @param allRows N
   */
  public static LiarIdentification of(
      double rate,
      Network network,
      int firstClient,
      Rows theta,
      Edges said,
      CurvedLocal local,
      Glm glm,
      long allRows) {
    Verdict[] verdicts = new Verdict[theta.rows()];
    Arrays.parallelSetAll(
        verdicts,
        m -> {
          int client = firstClient + m;
          int[] others =
              Arrays.stream(
                      network.heard(), network.offsets()[client], network.offsets()[client + 1])
                  .filter(k -> k != client)
                  .toArray();
          double[][] rows = new double[others.length][];
          Arrays.setAll(rows, i -> said.values().row(said.first(m) + i));
          Optional<SiteEstimate> own =
              SiteEstimate.alone(
                  local.moments(m), glm, new double[theta.width()], Double.POSITIVE_INFINITY);
          return own.isEmpty()
              ? unknown(client, others)
              : judged(
                  rate,
                  client,
                  others,
                  new Reference(own.get(), glm, theta.width(), local.rows(m), allRows),
                  theta.row(m),
                  rows);
        });
    return new LiarIdentification(rate, List.of(verdicts));
  }

  private static Verdict unknown(int client, int[] others) {
    return new Verdict(
        client,
        Double.NaN,
        Optional.of("its own rows do not determine the coefficients"),
        Arrays.stream(others).mapToObj(k -> new Heard(k, Double.NaN, false)).toList());
  }

  /** A client's own fit, and how far from it honest estimates lie. */
  private record Reference(SiteEstimate own, Glm glm, int p, int rows, long all) {
    double pValue(double[] point) {
      double square = own.squaredDistance(point) * (all - rows) / all;
      if (Double.isInfinite(square)) {
        return 0;
      }
      return glm.dispersed()
          ? FDistribution.of(p, (double) rows - p).survivalProbability(square / p)
          : ChiSquaredDistribution.of(p).survivalProbability(square);
    }
  }

  private static Verdict judged(
      double rate, int client, int[] others, Reference reference, double[] theta, double[][] said) {
    double own = reference.pValue(theta);
    double[] chances = Arrays.stream(said).mapToDouble(reference::pValue).toArray();
    boolean trusts = own >= rate;
    boolean[] rejected = trusts ? rejected(chances, rate) : new boolean[chances.length];
    List<Heard> heard = new ArrayList<>();
    for (int i = 0; i < others.length; i++) {
      heard.add(new Heard(others[i], chances[i], rejected[i]));
    }
    return new Verdict(
        client,
        own,
        trusts ? Optional.empty() : Optional.of("its own estimate contradicts its own rows"),
        heard);
  }

  /**
   * Benjamini and Yekutieli's procedure: that of Benjamini and Hochberg at the rate over Σ 1/i,
   * which makes it hold whatever the dependence.
   */
  static boolean[] rejected(double[] chances, double rate) {
    double harmonic = IntStream.rangeClosed(1, chances.length).mapToDouble(i -> 1.0 / i).sum();
    return stepUp(chances, rate / harmonic);
  }

  /**
   * Benjamini and Hochberg's (1995): the k smallest of d, k the largest with p_(k) ≤ k rate / d.
   */
  static boolean[] stepUp(double[] chances, double rate) {
    int d = chances.length;
    int[] order =
        IntStream.range(0, d)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> chances[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    int count = d;
    while (count > 0 && chances[order[count - 1]] > count * rate / d) {
      count--;
    }
    boolean[] rejected = new boolean[d];
    for (int k = 0; k < count; k++) {
      rejected[order[k]] = true;
    }
    return rejected;
  }
}
