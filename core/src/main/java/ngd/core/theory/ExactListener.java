package ngd.core.theory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import ngd.core.linalg.PrimeField;
import ngd.core.linalg.RowSpace;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * What coalitions can solve for in exact arithmetic, at random problems over a prime field. Models
 * after rounds 1 to T count as heard, the last one too, since results are shared.
 */
final class ExactListener {
  /** Bytes of tangents that are kept; with more rounds than these hold, nothing is called safe. */
  private static final double MOST_BYTES = 160e6;

  private final Conversation said;
  private final Streams streams;
  private final List<ModelPath> paths = new ArrayList<>();
  private final int mostRounds;
  private final boolean allRounds;

  ExactListener(Conversation said, Streams streams) {
    this.said = said;
    this.streams = streams;
    double numbers = (double) said.sites() * said.each();
    double bytes = 8 * numbers * said.sites() * said.coefficients();
    int telling =
        said.steps().constant() ? Math.min(said.rounds(), said.tellingRounds()) : said.rounds();
    mostRounds = (int) Math.min(telling, MOST_BYTES / bytes);
    allRounds = mostRounds == telling;
  }

  /**
   * What is determined of one site.
   *
   * @param since after how many rounds all its moments are; −1 for never
   * @param known how many independent combinations of them alone are
   * @param heard whether anything that is heard depends on them
   */
  record Site(int number, int since, int known, boolean heard) {}

  /**
   * What a coalition heard.
   *
   * @param columns which of all sites' numbers are unknown to it and, those that are not determined
   *     given, independent of each other
   * @param complete whether more rounds would tell nothing more, or there are none
   */
  record Heard(List<Site> sites, List<Integer> columns, boolean complete) {}

  /** How many numbers of a site are unknown. */
  int unknowns() {
    return said.each() - (said.intercept() ? 1 : 0);
  }

  Heard listen(List<Integer> coalition) {
    Heard first = listen(coalition, path(0), 0);
    if (first.sites().stream().allMatch(site -> site.since() >= 0)) {
      return first;
    }
    Heard second = listen(coalition, path(1), 1);
    return second.columns().size() > first.columns().size() ? second : first;
  }

  private synchronized ModelPath path(int problem) {
    while (paths.size() <= problem) {
      UniformRandomProvider draws =
          streams.stream(Streams.Purpose.EXAMPLES, paths.size(), said.sites());
      double[] moments = new double[said.sites() * said.each()];
      Arrays.setAll(moments, k -> draws.nextLong(PrimeField.PRIME));
      paths.add(new ModelPath(said, PrimeField.INSTANCE, moments));
    }
    return paths.get(problem);
  }

  private Heard listen(List<Integer> coalition, ModelPath path, int problem) {
    List<Integer> unknown = unknown(said, coalition);
    int[] columns = unknown.stream().mapToInt(k -> k).toArray();
    UniformRandomProvider draws =
        streams.stream(Streams.Purpose.EXAMPLES, problem, said.sites(), 1);
    RowSpace space = new RowSpace(columns.length);
    totals(said).forEach(row -> space.add(part(exactly(row), columns), 0));
    List<Integer> speakers = speakers(said, coalition);
    boolean grew = true;
    for (int round = 1; round <= mostRounds && space.rank() < columns.length; round++) {
      List<double[]> rows = new ArrayList<>();
      for (int k : speakers) {
        for (int i = 0; i < said.coefficients(); i++) {
          rows.add(part(path.tangent(round, k, i), columns));
        }
      }
      // Once a round told nothing new, one random combination of the next tells whether it does.
      if (!grew && space.since(combined(rows, columns.length, draws)).isPresent()) {
        continue;
      }
      grew = false;
      for (double[] row : rows) {
        grew |= space.add(row, round);
      }
    }
    boolean complete = allRounds || space.rank() == columns.length;
    List<Integer> independent = space.pivots().stream().map(k -> columns[k]).sorted().toList();
    return new Heard(sites(coalition, columns, space, draws), independent, complete);
  }

  private List<Site> sites(
      List<Integer> coalition, int[] columns, RowSpace space, UniformRandomProvider draws) {
    List<Site> sites = new ArrayList<>();
    List<double[]> hidden = space.rank() == columns.length ? List.of() : space.nullSpace();
    for (int m = 0; m < said.sites(); m++) {
      if (coalition.contains(m)) {
        continue;
      }
      int site = m;
      List<Integer> own =
          IntStream.range(0, columns.length)
              .filter(k -> columns[k] / said.each() == site)
              .boxed()
              .toList();
      // A random combination of a site's numbers is determined only where all of them are.
      double[] probe = new double[columns.length];
      own.forEach(k -> probe[k] = 1 + draws.nextLong(PrimeField.PRIME - 1));
      OptionalInt since = space.since(probe);
      int known = since.isPresent() ? own.size() : own.size() - RowSpace.rank(hidden, own);
      sites.add(new Site(m, since.orElse(-1), known, space.touches(own)));
    }
    return sites;
  }

  private static double[] combined(List<double[]> rows, int columns, UniformRandomProvider draws) {
    double[] sum = new double[columns];
    rows.forEach(
        row ->
            PrimeField.INSTANCE.addTimes(
                sum, (double) (1 + draws.nextLong(PrimeField.PRIME - 1)), row));
    return sum;
  }

  private static double[] exactly(double[] row) {
    return Arrays.stream(row).map(PrimeField.INSTANCE::of).toArray();
  }

  static double[] part(double[] row, int[] columns) {
    double[] part = new double[columns.length];
    for (int j = 0; j < columns.length; j++) {
      part[j] = row[columns[j]];
    }
    return part;
  }

  /** The numbers of all sites that a coalition does not know from the start. */
  static List<Integer> unknown(Conversation said, List<Integer> coalition) {
    List<Integer> unknown = new ArrayList<>();
    for (int k = 0; k < said.sites() * said.each(); k++) {
      boolean known = said.intercept() && k == said.at(k / said.each(), 0, 0);
      if (!known && !coalition.contains(k / said.each())) {
        unknown.add(k);
      }
    }
    return unknown;
  }

  /** The sites outside a coalition that some member hears. */
  static List<Integer> speakers(Conversation said, List<Integer> coalition) {
    return IntStream.range(0, said.sites())
        .filter(k -> !coalition.contains(k))
        .filter(k -> coalition.stream().anyMatch(m -> said.network().weight(m, k) > 0))
        .boxed()
        .toList();
  }

  /** The derivatives of the totals that all know. */
  static List<double[]> totals(Conversation said) {
    List<double[]> rows = new ArrayList<>();
    for (int k = 0; k < said.each() && !said.shares().isEmpty(); k++) {
      double[] row = new double[said.sites() * said.each()];
      for (int m = 0; m < said.sites(); m++) {
        row[m * said.each() + k] = said.shares().get(m);
      }
      rows.add(row);
    }
    return rows;
  }
}
