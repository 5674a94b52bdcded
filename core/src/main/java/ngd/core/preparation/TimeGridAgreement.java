package ngd.core.preparation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.TimeGrid;

/**
 * The grid of times on which sites pool what they say of their rows: one that was asked for, or the
 * finest by steps of a round number to which no site objects. What is said on the way is the order
 * of magnitude of the largest time, and how many sites object to which intervals.
 */
final class TimeGridAgreement {
  /** Steps up to a round number above all times. */
  private static final int FINEST = 100;

  private final Sites sites;
  private final Totals totals;
  private final TimeGrid grid;
  private final List<TimeCells> cells;

  private TimeGridAgreement(
      Sites sites, Totals totals, Shards shards, TimeGrid grid, List<DisclosureRules> rules) {
    this.sites = sites;
    this.totals = totals;
    this.grid = grid;
    cells =
        IntStream.range(0, shards.clients())
            .mapToObj(m -> new TimeCells(shards.only(m), grid, rules.get(m)))
            .toList();
  }

  static TimeGrid of(
      Sites sites,
      Totals totals,
      Shards shards,
      List<String> strata,
      Optional<List<Double>> given,
      Disclosure disclosure) {
    List<DisclosureRules> rules = disclosure.rules(shards.clients());
    if (given.isPresent()) {
      TimeGrid asked = new TimeGrid(given.get(), strata);
      TimeGridAgreement agreement = new TimeGridAgreement(sites, totals, shards, asked, rules);
      agreement.askOfLateStarts(shards, disclosure);
      disclosure.askOfTimes(sites, totals, agreement.objections());
      disclosure.askOfCounts(sites, totals, shards, asked);
      return asked;
    }
    double end = totals.max(ends(shards));
    List<Double> finest = new ArrayList<>();
    for (int k = 1; k <= FINEST; k++) {
      finest.add(end * k / FINEST);
    }
    TimeGrid fine = new TimeGrid(finest, strata);
    TimeGridAgreement agreement = new TimeGridAgreement(sites, totals, shards, fine, rules);
    agreement.askOfLateStarts(shards, disclosure);
    TimeGrid found =
        agreement.coarsened(
            IntStream.range(0, shards.clients())
                .mapToObj(m -> disclosure.blocked(m, shards.only(m), fine))
                .toList());
    disclosure.askOfCounts(sites, totals, shards, found);
    return found;
  }

  /** Where rows may start late, whether too few of some site do; the formula says it to all. */
  private void askOfLateStarts(Shards shards, Disclosure disclosure) {
    if (shards.haveStarts()) {
      List<List<String>> own = new ArrayList<>();
      for (int t = 0; t < cells.size(); t++) {
        String site = sites.tables().get(t).site();
        own.add(
            cells.get(t).fewEntering().stream()
                .map(why -> "site %s: %s".formatted(site, why))
                .toList());
      }
      disclosure.askOfTimes(sites, totals, own);
    }
  }

  /** What each site here objects to in the grid as it is. */
  private List<List<String>> objections() {
    List<List<String>> objections = new ArrayList<>();
    for (int t = 0; t < cells.size(); t++) {
      TimeCells own = cells.get(t);
      String site = sites.tables().get(t).site();
      objections.add(
          Stream.concat(
                  own.fewLate().stream(),
                  IntStream.range(0, grid.times().size())
                      .mapToObj(k -> own.objection(k, k + 1))
                      .flatMap(Optional::stream))
              .limit(3)
              .map(why -> "site %s: %s".formatted(site, why))
              .toList());
    }
    return objections;
  }

  /**
   * Each interval as short as no site objects to; what is left at the end joins the last ones.
   *
   * @param blocked at each site here, the times at which none may end
   */
  private TimeGrid coarsened(List<BitSet> blocked) {
    int last = grid.times().size();
    List<Integer> ends = new ArrayList<>(List.of(0));
    while (ends.getLast() < last) {
      int from = ends.getLast();
      double[] said = totals.total(said(from, blocked));
      int to = from + 1;
      while (to <= last && said[to] > 0) {
        to++;
      }
      if (said[last + 1] == 0) {
        // No site has a row that leaves later.
        break;
      }
      if (to <= last) {
        ends.add(to);
      } else {
        ends.removeLast();
        while (totals.total(said(ends.getLast(), blocked))[last] > 0) {
          ends.removeLast();
        }
        ends.add(last);
      }
    }
    ends.removeFirst();
    return new TimeGrid(
        ends.stream().map(end -> grid.times().get(end - 1)).toList(), grid.strata());
  }

  /**
   * For each end of an interval from here whether a site objects, and whether it has rows there.
   */
  private double[][] said(int from, List<BitSet> blocked) {
    int last = grid.times().size();
    double[][] said = new double[cells.size()][last + 2];
    for (int m = 0; m < said.length; m++) {
      for (int to = from + 1; to <= last; to++) {
        said[m][to] =
            blocked.get(m).get(to - 1) || cells.get(m).objection(from, to).isPresent() ? 1 : 0;
      }
      said[m][last + 1] = cells.get(m).any(from, last) ? 1 : 0;
    }
    return said;
  }

  /** Each table's largest time, rounded up to 1, 2 or 5 times a power of ten. */
  private static double[] ends(Shards shards) {
    double[] ends = new double[shards.clients()];
    for (int m = 0; m < ends.length; m++) {
      ends[m] = round(shards.folded(m, TimeGridAgreement::latest, Math::max));
    }
    return ends;
  }

  private static double latest(Shard rows) {
    return IntStream.range(0, rows.rows()).mapToDouble(i -> rows.time(i).stop()).max().orElse(0);
  }

  private static double round(double most) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(most, 1e-300))));
    for (double digit : new double[] {1, 2, 5}) {
      if (digit * power >= most) {
        return digit * power;
      }
    }
    return 10 * power;
  }
}
