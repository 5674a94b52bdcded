package ngd.core.preparation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.SideBySide;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.formula.Design;
import ngd.core.formula.Formula;
import ngd.core.formula.Variable;
import ngd.core.model.TimeGrid;

/**
 * What the rules of the sites whose tables are here make of a question. A real site refuses by
 * them; a rehearsal, which holds all tables anyway, reports what real sites would refuse.
 */
public final class Disclosure {
  /** No rules: the clients are parts of one table, and no sites. */
  public static final Disclosure NONE =
      new Disclosure(List.of(), false, () -> {}, Optional.empty());

  private final List<SiteDisclosure> ofTables;
  private final boolean refuses;
  private final Runnable admitted;
  private final Optional<EarlierAnswers> earlier;
  private final List<String> objections = new ArrayList<>();

  private Disclosure(
      List<SiteDisclosure> ofTables,
      boolean refuses,
      Runnable admitted,
      Optional<EarlierAnswers> earlier) {
    this.earlier = earlier;
    this.ofTables = List.copyOf(ofTables);
    this.refuses = refuses;
    this.admitted = admitted;
  }

  /**
   * A real site, which has looked at its rows.
   *
   * @param admitted is run once no site objects, before anything of the rows is said
   */
  public static Disclosure refusing(SiteDisclosure own, Runnable admitted, EarlierAnswers earlier) {
    return new Disclosure(List.of(own), true, admitted, Optional.of(earlier));
  }

  /** A rehearsal of sites that all have the same rules. */
  public static Disclosure warning(
      Formula formula, List<? extends SiteTable> tables, DisclosureRules rules) {
    return new Disclosure(
        SideBySide.each(
            tables, table -> SiteDisclosure.of(formula, table, rules, Optional.empty())),
        false,
        () -> {},
        Optional.empty());
  }

  /** The fewest rows of a class that the sites here allow, and never fewer than the standard. */
  int fewest() {
    return Math.max(
        DisclosureRules.STANDARD.tab(),
        ofTables.stream().mapToInt(SiteDisclosure::fewest).max().orElse(0));
  }

  /** What the sites whose tables are here object to. */
  List<String> objections() {
    return List.copyOf(objections);
  }

  /** Asks all sites before anything else is said. */
  void askFirst(Sites sites, Totals totals) {
    ask(sites, totals, ofTables.stream().map(SiteDisclosure::objections).toList());
    admitted.run();
  }

  void requireChecked() {
    ofTables.forEach(SiteDisclosure::requireChecked);
  }

  /** Asks all sites again, when the rows of all are counted and the coefficients known. */
  void askAgain(Sites sites, Totals totals, long rows, Design design) {
    Map<String, Integer> levels = new TreeMap<>();
    for (Variable factor : design.frame().factors()) {
      levels.put(factor.text(), design.levels(factor).size());
    }
    ask(
        sites,
        totals,
        ofTables.stream()
            .map(
                one ->
                    one.pooledObjections(rows, sites.count(), design.coefficients().size(), levels))
            .toList());
  }

  /** The rules of the sites whose tables are here; the usual ones where they have none. */
  List<DisclosureRules> rules(int tables) {
    return ofTables.isEmpty()
        ? Collections.nCopies(tables, DisclosureRules.STANDARD)
        : ofTables.stream().map(SiteDisclosure::rules).toList();
  }

  /** Asks all sites about the intervals of a grid of times. */
  void askOfTimes(Sites sites, Totals totals, List<List<String>> own) {
    ask(sites, totals, own);
  }

  /**
   * The times up to which rows of a site may not be counted, since earlier answers were up to
   * others.
   */
  BitSet blocked(int table, Shards own, TimeGrid fine) {
    BitSet blocked = new BitSet();
    if (earlier.isPresent() && rows(table, own).areKnown()) {
      Set<String> isolating =
          earlier.get().isolating(rows(table, own).cut(upToEach(table, own, fine)));
      for (int k = 0; k < fine.times().size() - 1; k++) {
        blocked.set(k, isolating.contains(name(fine, k)));
      }
    }
    return blocked;
  }

  /** Asks all sites about all of a grid's counts together, and with earlier answers. */
  void askOfCounts(Sites sites, Totals totals, Shards shards, TimeGrid grid) {
    List<UsedRows> cut = new ArrayList<>();
    List<List<String>> own = new ArrayList<>();
    for (int t = 0; t < ofTables.size(); t++) {
      Shards one = shards.only(t);
      UsedRows rows = rows(t, one);
      List<String> why = new ArrayList<>();
      cut.add(rows.cut(all(t, one, grid)));
      ofTables.get(t).together(cut.getLast()).ifPresent(why::add);
      if (earlier.isPresent() && rows.areKnown()) {
        SequencedMap<String, List<RowSet>> each = upToEach(t, one, grid);
        each.putAll(all(t, one, grid));
        Set<String> isolating = earlier.get().isolating(rows.cut(each));
        if (!isolating.isEmpty()) {
          why.add(ofTables.get(t).subtracted(offending(isolating, grid)));
        }
      }
      own.add(why);
    }
    ask(sites, totals, own);
    earlier.ifPresent(memory -> cut.stream().filter(UsedRows::areKnown).forEach(memory::remember));
  }

  /** What all of a grid's counts are known by. */
  private static final String ALL = "times";

  private static String name(TimeGrid grid, int time) {
    return "time " + NumberText.text(grid.times().get(time));
  }

  private static List<String> offending(Set<String> isolating, TimeGrid grid) {
    return IntStream.range(0, grid.times().size())
        .filter(k -> isolating.contains(name(grid, k)))
        .mapToObj(k -> NumberText.text(grid.times().get(k)))
        .toList();
  }

  private SequencedMap<String, List<RowSet>> all(int table, Shards own, TimeGrid grid) {
    return new LinkedHashMap<>(
        Map.of(ALL, TimeCells.followed(own, grid, ofTables.get(table).rules())));
  }

  /** Of each time but the last, the rows before and after it. */
  private SequencedMap<String, List<RowSet>> upToEach(int table, Shards own, TimeGrid grid) {
    SequencedMap<String, List<RowSet>> found = new LinkedHashMap<>();
    for (int k = 0; k < grid.times().size() - 1; k++) {
      TimeGrid two = new TimeGrid(List.of(grid.times().get(k), grid.last()), grid.strata());
      found.put(name(grid, k), TimeCells.followed(own, two, ofTables.get(table).rules()));
    }
    return found;
  }

  /** The rows that a site's rules looked at; the same ones, in the same order, as it has read. */
  private UsedRows rows(int table, Shards own) {
    UsedRows rows = ofTables.get(table).used().orElseThrow();
    if (rows.count() != own.rows(0)) {
      throw new InvalidInput(
          "site %s: its table must not change while it is read; it had %d complete rows and then %d"
              .formatted(ofTables.get(table).site(), rows.count(), own.rows(0)));
    }
    return rows;
  }

  private void ask(Sites sites, Totals totals, List<List<String>> own) {
    if (ofTables.isEmpty()) {
      return;
    }
    double[] objecting = totals.total(sites.each(t -> new double[] {own.get(t).isEmpty() ? 0 : 1}));
    own.forEach(objections::addAll);
    if (refuses && objecting[0] > 0) {
      throw new DisclosureRefusal((int) objecting[0], sites.count(), objections);
    }
  }
}
