package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import ngd.core.algorithm.Totals;
import ngd.core.data.SiteTable;
import ngd.core.formula.Design;
import ngd.core.formula.Formula;
import ngd.core.formula.Variable;

/**
 * What the rules of the sites whose tables are here make of a question. A real site refuses by
 * them; a rehearsal, which holds all tables anyway, reports what real sites would refuse.
 */
public final class Disclosure {
  /** No rules: the clients are parts of one table, and no sites. */
  public static final Disclosure NONE = new Disclosure(List.of(), false, () -> {});

  private final List<SiteDisclosure> ofTables;
  private final boolean refuses;
  private final Runnable admitted;
  private final List<String> objections = new ArrayList<>();

  private Disclosure(List<SiteDisclosure> ofTables, boolean refuses, Runnable admitted) {
    this.ofTables = List.copyOf(ofTables);
    this.refuses = refuses;
    this.admitted = admitted;
  }

  /**
   * A real site, which has looked at its rows.
   *
   * @param admitted is run once no site objects, before anything of the rows is said
   */
  public static Disclosure refusing(SiteDisclosure own, Runnable admitted) {
    return new Disclosure(List.of(own), true, admitted);
  }

  /** A rehearsal of sites that all have the same rules. */
  public static Disclosure warning(
      Formula formula, List<? extends SiteTable> tables, DisclosureRules rules) {
    return new Disclosure(
        tables.stream()
            .map(table -> SiteDisclosure.of(formula, table, rules, Optional.empty()))
            .toList(),
        false,
        () -> {});
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
