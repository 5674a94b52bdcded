package ngd.core.theory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import ngd.core.theory.Exposed.Finding;
import ngd.core.theory.Exposed.Verdict;

/**
 * Which sites' moments a coalition can solve for from what it hears in rounds: the Jacobian of what
 * is heard by what is unknown (El Mrini, Cyffers and Bellet 2024), its rank modulo a prime, so that
 * no threshold decides what is determined, and its condition in doubles, which says how precisely.
 *
 * <p>A site's moments are determined, up to finitely many solutions, exactly if the null space of
 * the Jacobian at a random problem is zero in them. A prime field may show a rank too small, with a
 * probability below 10⁻⁹; what is not determined is therefore tried on a second problem.
 */
public final class Identification {
  /**
   * The most unknowns of which ranks are computed; with more, whatever reaches a site is assumed.
   */
  private static final int MOST_UNKNOWNS = 800;

  /** Elimination steps, about a nanosecond each; where it takes more, likewise. */
  private static final double MOST_WORK = 1e10;

  /** The most coalitions that are looked at one by one. */
  private static final int MOST_COALITIONS = 5000;

  private final Conversation said;
  private final ExactListener exact;
  private final NetworkSymmetry symmetry;
  private final Precision precision;

  private Identification(Conversation said) {
    this.said = said;
    exact = new ExactListener(said, Streams.of(1));
    precision = new Precision(said, Streams.of(2));
    symmetry = new NetworkSymmetry(said.network());
  }

  /** What every coalition of at most this many sites learns. */
  public static List<Exposed> of(Conversation said, int most) {
    Identification all = new Identification(said);
    return all.run(coalitions(said.sites(), most));
  }

  /** What one coalition learns. */
  public static Exposed of(Conversation said, List<Integer> coalition) {
    return new Identification(said).run(List.of(coalition)).getFirst();
  }

  /** The same where the way of the models is not known: all that reaches a coalition is assumed. */
  public static List<Exposed> byReach(Network network, int most) {
    return coalitions(network.clients(), most).stream()
        .map(coalition -> reached(network, coalition, 0))
        .toList();
  }

  private static List<List<Integer>> coalitions(int sites, int most) {
    if (most < 1 || most >= sites) {
      throw new InvalidInput(
          "coalition: must be at least 1 site and at most %d, all but one; got %d"
              .formatted(sites - 1, most));
    }
    List<List<Integer>> all = new ArrayList<>();
    List<List<Integer>> smaller = List.of(List.of());
    for (int size = 1; size <= most; size++) {
      List<List<Integer>> larger = new ArrayList<>();
      for (List<Integer> coalition : smaller) {
        int from = coalition.isEmpty() ? 0 : coalition.getLast() + 1;
        for (int m = from; m < sites; m++) {
          larger.add(Stream.concat(coalition.stream(), Stream.of(m)).toList());
        }
        if (all.size() + larger.size() > MOST_COALITIONS) {
          throw new InvalidInput(
              "coalition: there are more than %d of at most %d among %d sites; ask for smaller ones"
                  .formatted(MOST_COALITIONS, most, sites));
        }
      }
      all.addAll(larger);
      smaller = larger;
    }
    return all;
  }

  /** A coalition is computed itself, or is the image of one that is. */
  private record Likeness(List<Integer> coalition, int like, Optional<List<Integer>> image) {}

  private List<Exposed> run(List<List<Integer>> coalitions) {
    List<List<Integer>> different = new ArrayList<>();
    List<Likeness> all =
        coalitions.stream().map(coalition -> likeness(coalition, different)).toList();
    double unknowns = (said.sites() - 1) * (double) said.each();
    boolean feasible =
        unknowns <= MOST_UNKNOWNS && different.size() * Math.pow(unknowns, 3) / 3 <= MOST_WORK;
    List<Exposed> computed =
        different.parallelStream()
            .map(
                coalition ->
                    feasible
                        ? compute(coalition)
                        : reached(said.network(), coalition, exact.unknowns()))
            .toList();
    return all.stream()
        .map(
            one ->
                one.image()
                    .map(to -> moved(computed.get(one.like()), to, one.coalition()))
                    .orElseGet(() -> computed.get(one.like())))
        .toList();
  }

  private Likeness likeness(List<Integer> coalition, List<List<Integer>> different) {
    for (int k = 0; k < different.size(); k++) {
      if (different.get(k).size() == coalition.size()) {
        Optional<List<Integer>> image = symmetry.between(different.get(k), coalition);
        if (image.isPresent()) {
          return new Likeness(coalition, k, image);
        }
      }
    }
    different.add(coalition);
    return new Likeness(coalition, different.size() - 1, Optional.empty());
  }

  private static Exposed moved(Exposed known, List<Integer> to, List<Integer> coalition) {
    return new Exposed(
        coalition,
        known.rounds(),
        known.findings().stream()
            .map(
                f ->
                    new Finding(
                        to.get(f.site()),
                        f.verdict(),
                        f.rounds(),
                        f.accuracy(),
                        f.known(),
                        f.unknowns()))
            .sorted((a, b) -> Integer.compare(a.site(), b.site()))
            .toList());
  }

  private Exposed compute(List<Integer> coalition) {
    ExactListener.Heard heard = exact.listen(coalition);
    boolean any = heard.sites().stream().anyMatch(site -> site.since() >= 0);
    double[] accuracy = any ? precision.of(coalition, heard) : new double[said.sites()];
    List<Integer> reached = reaching(said.network(), coalition);
    List<Finding> findings = new ArrayList<>();
    for (ExactListener.Site site : heard.sites()) {
      int m = site.number();
      boolean determined = site.since() >= 0;
      boolean safe = said.everything() && heard.complete();
      Verdict verdict;
      if (determined) {
        verdict = accuracy[m] <= Precision.ENOUGH ? Verdict.SOLVED : Verdict.ASSUMED;
      } else if (!site.heard() && (safe || !reached.contains(m))) {
        verdict = Verdict.UNHEARD;
      } else {
        verdict = safe ? Verdict.MIXED : Verdict.ASSUMED;
      }
      findings.add(
          new Finding(
              m,
              verdict,
              site.since(),
              determined ? accuracy[m] : Double.NaN,
              site.known(),
              exact.unknowns()));
    }
    return new Exposed(coalition, any ? precision.rounds(heard) : -1, findings);
  }

  private static Exposed reached(Network network, List<Integer> coalition, int unknowns) {
    List<Integer> reached = reaching(network, coalition);
    return new Exposed(
        coalition,
        -1,
        IntStream.range(0, network.clients())
            .filter(m -> !coalition.contains(m))
            .mapToObj(
                m ->
                    new Finding(
                        m,
                        reached.contains(m) ? Verdict.ASSUMED : Verdict.UNHEARD,
                        -1,
                        Double.NaN,
                        -1,
                        unknowns))
            .toList());
  }

  /** The sites whose data reach a coalition, through whomever. */
  private static List<Integer> reaching(Network network, List<Integer> coalition) {
    List<Integer> found = new ArrayList<>(coalition);
    Deque<Integer> next = new ArrayDeque<>(coalition);
    while (!next.isEmpty()) {
      int at = next.remove();
      for (int e = network.offsets()[at]; e < network.offsets()[at + 1]; e++) {
        int other = network.heard()[e];
        if (!found.contains(other)) {
          found.add(other);
          next.add(other);
        }
      }
    }
    found.removeAll(coalition);
    return found;
  }
}
