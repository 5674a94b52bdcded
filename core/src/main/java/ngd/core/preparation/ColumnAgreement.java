package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.algorithm.Totals;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import ngd.core.formula.Frame;
import org.jspecify.annotations.Nullable;

/**
 * The columns that matter, with their types, the same at every site; or the refusal that names the
 * sites where it is otherwise.
 *
 * <p>All sites learn the names of the columns (those of a formula are known anyway) and of what
 * type each is at each site.
 */
final class ColumnAgreement {
  /** Fixed, as all sites must number them alike. */
  private static final List<ColumnType> TYPES =
      List.of(
          ColumnType.NUMBER,
          ColumnType.TEXT,
          ColumnType.BOOLEAN,
          ColumnType.OTHER,
          ColumnType.EMPTY,
          ColumnType.DATE,
          ColumnType.TIME);

  private final Sites sites;
  private final Totals totals;
  private final List<String> notes = new ArrayList<>();
  private final Map<String, String> differing = new LinkedHashMap<>();

  ColumnAgreement(Sites sites, Totals totals) {
    this.sites = sites;
    this.totals = totals;
  }

  /** What is different between sites and was gone past, in words; the same at every site. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** The columns of different types at different sites, with the types in words. */
  Map<String, String> differing() {
    return differing;
  }

  /** The columns of a formula; where it has a dot, also all others that are alike at every site. */
  List<Column> of(Formula formula) {
    SequencedSet<String> names =
        new LinkedHashSet<>(formula.takesAllOthers() ? union() : List.of());
    names.addAll(formula.columns());
    List<String> wanted = List.copyOf(names);
    return agreed(wanted, types(wanted), formula);
  }

  /** The given columns, or all that any site has. */
  List<Column> named(List<String> chosen) {
    List<String> wanted = chosen.isEmpty() ? union() : chosen;
    return agreed(wanted, types(wanted), null);
  }

  /** The names of all sites' columns, by their mean place in the tables. */
  private List<String> union() {
    List<List<List<String>>> own =
        sites.tables().stream().map(table -> List.of(names(table))).toList();
    List<String> all = WordAgreement.unions(List.of("columns"), own, totals).getFirst();
    double[] places =
        totals.total(
            sites.each(
                t -> {
                  List<String> here = names(sites.tables().get(t));
                  return all.stream()
                      .mapToDouble(name -> Math.max(0, here.indexOf(name)))
                      .toArray();
                }));
    return IntStream.range(0, all.size())
        .boxed()
        .sorted(Comparator.comparingDouble(c -> places[c]))
        .map(all::get)
        .toList();
  }

  private static List<String> names(SiteTable table) {
    return table.columns().stream().map(Column::name).toList();
  }

  /** For each site and column the number of its type, counted from 1; 0 where it has none. */
  private double[] types(List<String> wanted) {
    return wanted.isEmpty()
        ? new double[0]
        : totals.total(
            sites.sideBySide(
                wanted.size(),
                t ->
                    wanted.stream()
                        .mapToDouble(name -> code(sites.tables().get(t), name))
                        .toArray()));
  }

  private static int code(SiteTable table, String name) {
    return table.columns().stream()
        .filter(column -> column.name().equals(name))
        .mapToInt(column -> TYPES.indexOf(column.type()) + 1)
        .findFirst()
        .orElse(0);
  }

  private List<Column> agreed(List<String> wanted, double[] types, @Nullable Formula formula) {
    List<Column> columns = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (int c = 0; c < wanted.size(); c++) {
      String name = wanted.get(c);
      int[] codes = new int[sites.count()];
      for (int m = 0; m < codes.length; m++) {
        codes[m] = (int) types[m * wanted.size() + c];
      }
      int absent = (int) Arrays.stream(codes).filter(code -> code == 0).count();
      if (absent == codes.length) {
        if (!name.equals(Frame.SITE) || formula == null) {
          throw nowhere(name, formula);
        }
        continue;
      }
      if (name.equals(Frame.SITE) && formula != null && formula.stratifiedBySite()) {
        notes.add(
            "strata(site) is the column `site` of the tables; without a column of that name it is"
                + " the site itself");
      }
      Column column = new Column(name, TYPES.get(mostFrequent(codes) - 1));
      if (formula == null) {
        columns.add(described(column, codes));
      } else if (formula.columns().contains(name)) {
        problems.addAll(disagreements(column, codes));
        columns.add(column);
      } else if (isUsable(column, codes)) {
        columns.add(column);
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidInput(String.join("\n", problems));
    }
    return columns;
  }

  private List<String> disagreements(Column column, int[] codes) {
    int type = TYPES.indexOf(column.type()) + 1;
    return IntStream.range(0, codes.length)
        .filter(m -> codes[m] != type)
        .mapToObj(m -> disagreement(m, column.name(), codes, type))
        .toList();
  }

  /** Whether a column that only a dot asks for can be used; if not, it is left out and told. */
  private boolean isUsable(Column column, int[] codes) {
    List<String> problems = disagreements(column, codes);
    String name = Expression.quoted(column.name());
    if (!problems.isEmpty()) {
      notes.add("column %s is left out of `.`: %s".formatted(name, held(codes)));
      return false;
    }
    if (column.type() == ColumnType.OTHER || column.type() == ColumnType.EMPTY) {
      notes.add("column %s is left out of `.`: it holds %s".formatted(name, column.type().words()));
      return false;
    }
    return true;
  }

  /**
   * What is described may be missing at a site altogether, or differ; what is explained may not.
   */
  private Column described(Column column, int[] codes) {
    int type = TYPES.indexOf(column.type()) + 1;
    int empty = TYPES.indexOf(ColumnType.EMPTY) + 1;
    if (Arrays.stream(codes).anyMatch(code -> code != type && code != 0 && code != empty)) {
      differing.put(column.name(), held(codes));
      return new Column(column.name(), ColumnType.OTHER);
    }
    if (Arrays.stream(codes).anyMatch(code -> code == 0)) {
      notes.add("column %s: %s".formatted(Expression.quoted(column.name()), held(codes)));
    }
    return column;
  }

  /** What a column holds at which sites, in words. */
  private String held(int[] codes) {
    Map<String, List<String>> where = new LinkedHashMap<>();
    for (int m = 0; m < codes.length; m++) {
      String what = codes[m] == 0 ? "none" : TYPES.get(codes[m] - 1).words();
      where.computeIfAbsent(what, _ -> new ArrayList<>()).add(sites.names().get(m));
    }
    return where.entrySet().stream()
        .map(e -> "%s at %s".formatted(e.getKey(), String.join(", ", e.getValue())))
        .collect(Collectors.joining("; "));
  }

  private InvalidInput nowhere(String name, @Nullable Formula formula) {
    SequencedSet<String> known = new LinkedHashSet<>();
    sites.tables().forEach(table -> known.addAll(names(table)));
    String message =
        "no site has a column %s%s; there are: %s"
            .formatted(
                Expression.quoted(name),
                NearestName.hint(name, known),
                String.join(", ", known.stream().map(Expression::quoted).toList()));
    return formula == null
        ? new InvalidInput("columns: " + message)
        : formula.refusal(name, message);
  }

  /** The type of most sites, the first of equals; empty columns have no say. */
  private static int mostFrequent(int[] codes) {
    int[] counts = new int[TYPES.size() + 1];
    Arrays.stream(codes).forEach(code -> counts[code]++);
    int empty = TYPES.indexOf(ColumnType.EMPTY) + 1;
    int best = empty;
    for (int code : codes) {
      if (code != 0 && code != empty && (best == empty || counts[code] > counts[best])) {
        best = code;
      }
    }
    return best;
  }

  private String disagreement(int m, String name, int[] codes, int type) {
    int other =
        IntStream.range(0, codes.length).filter(k -> codes[k] == type).findFirst().orElse(0);
    String quoted = Expression.quoted(name);
    return codes[m] == 0
        ? "site %s: must have a column %s as site %s has; it has none%s"
            .formatted(sites.names().get(m), quoted, sites.names().get(other), nearest(m, name))
        : "column %s: holds %s at site %s and %s at site %s; the types must agree"
            .formatted(
                quoted,
                TYPES.get(type - 1).words(),
                sites.names().get(other),
                TYPES.get(codes[m] - 1).words(),
                sites.names().get(m));
  }

  /** A hint from the site's own columns, where they are known here. */
  private String nearest(int m, String name) {
    int table = m - sites.first();
    return table < 0 || table >= sites.tables().size()
        ? ""
        : NearestName.hint(name, new TreeSet<>(names(sites.tables().get(table))));
  }
}
