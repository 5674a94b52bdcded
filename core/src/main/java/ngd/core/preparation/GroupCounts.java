package ngd.core.preparation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import ngd.core.NumberText;
import ngd.core.data.SiteTable;
import ngd.core.formula.Frame;
import ngd.core.formula.RandomTerm;

/**
 * How many groups the random terms of a formula have at one site, and of how many rows: what totals
 * at several variances can say of a site's groups are sums over all that have the same number of
 * rows.
 */
final class GroupCounts {
  private GroupCounts() {}

  /** What a site's rules object to, from its own rows. */
  static List<String> objections(Frame frame, SiteTable table, DisclosureRules rules) {
    List<RandomTerm> terms =
        frame.formula().random().stream().filter(term -> !frame.groupedBySite(term)).toList();
    Map<String, Map<String, Long>> rowsOf = new TreeMap<>();
    int count = frame.scanned().size();
    if (!terms.isEmpty()) {
      table.scan(
          frame.scanned(),
          row -> {
            if (frame.isComplete(row, count)) {
              for (RandomTerm term : terms) {
                rowsOf
                    .computeIfAbsent(term.group(), _ -> new HashMap<>())
                    .merge(frame.group(term, row), 1L, Long::sum);
              }
            }
          });
    }
    List<String> objections = new ArrayList<>();
    rowsOf.forEach((name, groups) -> judge(name, groups, rules, objections));
    return objections;
  }

  private static void judge(
      String name, Map<String, Long> groups, DisclosureRules rules, List<String> objections) {
    if (groups.size() < rules.tab()) {
      objections.add(
          "its rows are in %s of %s; it must have at least %d (nfilter.tab)"
              .formatted(NumberText.count(groups.size(), "group"), name, rules.tab()));
      return;
    }
    Map<Long, Long> bySize = new TreeMap<>();
    groups.values().forEach(rows -> bySize.merge(rows, rows, Long::sum));
    bySize.forEach(
        (size, rows) -> {
          if (!rules.allows(rows)) {
            objections.add(
                "groups of %s with %s have %s together; there must be none or at least %d (nfilter.tab)"
                    .formatted(
                        name,
                        NumberText.count(size, "row"),
                        NumberText.count(rows, "row"),
                        rules.tab()));
          }
        });
  }
}
