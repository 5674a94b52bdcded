package ngd.core.preparation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.data.SiteTable;
import ngd.core.file.Sha256;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import ngd.core.formula.Frame;
import ngd.core.formula.RowValues;
import org.jspecify.annotations.Nullable;

/**
 * What one site's rules make of a question, from its own rows alone, before anything of them
 * leaves: what it objects to, and which rows the answer would rest on.
 */
public final class SiteDisclosure {
  /** Of more reasons, the number is said. */
  private static final int MOST_REASONS = 8;

  /** Names a row by its values; the site's secret is in it. */
  @FunctionalInterface
  public interface RowDigest {
    long of(byte[] values);
  }

  private final DisclosureRules rules;
  private final String site;
  private final List<String> objections = new ArrayList<>();
  private final @Nullable UsedRows used;
  private final @Nullable InvalidInput failure;
  private final long rows;

  private SiteDisclosure(
      DisclosureRules rules,
      String site,
      @Nullable UsedRows used,
      long rows,
      @Nullable InvalidInput failure) {
    this.rules = rules;
    this.site = site;
    this.used = used;
    this.rows = rows;
    this.failure = failure;
  }

  /**
   * Reads the table twice.
   *
   * @param digest by which rows are known again; nothing where nobody has to
   */
  public static SiteDisclosure of(
      Formula formula, SiteTable table, DisclosureRules rules, Optional<RowDigest> digest) {
    try {
      Frame frame = Frame.of(formula, usable(formula, table)).judged();
      RowClasses classes = RowClasses.of(frame, table);
      List<Set<Integer>> crossed = classes.crossed(rules.cells().followed());
      UsedRows used = used(frame, table, classes, crossed, digest);
      SiteDisclosure found = new SiteDisclosure(rules, table.site(), used, used.count(), null);
      found.judge(classes, used);
      GroupCounts.objections(frame, table, rules).forEach(found::object);
      return found;
    } catch (InvalidInput unreadable) {
      // Said where the sites agree on columns; if they can, it is an error of this site.
      return new SiteDisclosure(rules, table.site(), null, 0, unreadable);
    }
  }

  /**
   * The columns without those that a dot leaves out at every site, since no formula can use them.
   */
  private static List<Column> usable(Formula formula, SiteTable table) {
    return table.columns().stream()
        .filter(column -> known(column) || formula.columns().contains(column.name()))
        .toList();
  }

  /** Why this site refuses; nothing where it does not. */
  public List<String> objections() {
    List<String> shown =
        new ArrayList<>(objections.subList(0, Math.min(MOST_REASONS, objections.size())));
    if (objections.size() > MOST_REASONS) {
      shown.add(
          "site %s: and %d objections more".formatted(site, objections.size() - MOST_REASONS));
    }
    return shown;
  }

  String site() {
    return site;
  }

  DisclosureRules rules() {
    return rules;
  }

  /** The fewest rows of a class that this site allows. */
  int fewest() {
    return rules.tab();
  }

  /** One reason more to refuse. */
  public void object(String reason) {
    objections.add("site %s: %s".formatted(site, reason));
  }

  /** The rows and their classes; nothing where the table could not be read so. */
  public Optional<UsedRows> used() {
    return Optional.ofNullable(used);
  }

  /** Nothing may follow from rows that could not be checked. */
  void requireChecked() {
    if (failure != null) {
      throw failure;
    }
  }

  private void judge(RowClasses classes, UsedRows of) {
    if (rows > 0 && rows < rules.subset()) {
      object(
          "must have at least %d complete rows (nfilter.subset); it has %d"
              .formatted(rules.subset(), rows));
    }
    for (RowClasses.OfVariable variable : classes.variables()) {
      if (variable.named()) {
        judgeLevels(variable);
      }
    }
    List<Set<Integer>> groups = classes.groups(rules.cells());
    SequencedSet<Set<Integer>> single = new LinkedHashSet<>();
    groups.forEach(group -> group.forEach(variable -> single.add(Set.of(variable))));
    SequencedSet<String> small = small(classes, of, single);
    // Where a class is too small by itself, its part in others says no more.
    (small.isEmpty() ? small(classes, of, groups) : small).forEach(this::object);
    if (objections.isEmpty()) {
      judgeTogether(of);
    }
  }

  /** What classes and cells that are large enough show when they are added and subtracted. */
  private void judgeTogether(UsedRows of) {
    together(of).ifPresent(objections::add);
  }

  /** Why classes and cells that are large enough by themselves are not so together. */
  Optional<String> together(UsedRows of) {
    OptionalInt tooMany = of.tooMany(rules.tab());
    if (tooMany.isPresent()) {
      return Optional.of(
          "site %s: its terms must have at most %d classes and cells of two terms%s, or what these show together takes too long to find (cells); they have %d"
              .formatted(
                  site, IsolatedRows.MOST_SETS, times(of, " and of times"), tooMany.getAsInt()));
    }
    OptionalLong few = of.isolated(rules.tab());
    return few.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "site %s: the classes of its terms%s, added and subtracted, would show %s; a class must have none or at least %d (nfilter.tab)%s"
                .formatted(
                    site,
                    times(of, " and the rows between the times"),
                    NumberText.count(few.getAsLong(), "row"),
                    rules.tab(),
                    times(of, "; take fewer times")));
  }

  private static String times(UsedRows of, String words) {
    return of.cuts().isEmpty() ? "" : words;
  }

  /** That counts at times would show too much beside earlier answers, and what can be done. */
  String subtracted(List<String> times) {
    return "site %s: earlier answers and counts at these times%s, subtracted, would show fewer than %d rows (nfilter.subset). Take the times of an earlier answer (--times), or leave them out, so that the sites find some"
        .formatted(
            site, times.isEmpty() ? "" : ", such as " + String.join(", ", times), rules.subset());
  }

  private SequencedSet<String> small(
      RowClasses classes, UsedRows of, Collection<Set<Integer>> groups) {
    SequencedSet<String> small = new LinkedHashSet<>();
    for (Set<Integer> group : groups) {
      of.table(group)
          .forEach(
              (cell, count) -> {
                if (!rules.allows(count) && classes.says(group, cell)) {
                  small.add(
                      "%s in %s; a class must have none or at least %d (nfilter.tab)"
                          .formatted(
                              classes.words(group, cell),
                              NumberText.count(count, "row"),
                              rules.tab()));
                }
              });
    }
    return small;
  }

  private void judgeLevels(RowClasses.OfVariable variable) {
    int levels = variable.classes().size();
    tooManyLevels(variable.name(), levels, rows).ifPresent(this::object);
    variable
        .classes()
        .forEach(
            (level, count) -> {
              if (rules.allows(count) && count < rules.namedLevel()) {
                object(
                    "%s = %s in %s; the name of a level that one row alone has never leaves its site"
                        .formatted(variable.name(), level, NumberText.count(count, "row")));
              }
            });
  }

  private Optional<String> tooManyLevels(String name, int levels, long among) {
    if (levels > rules.levelsMax()) {
      return Optional.of(
          "%s must have at most %d levels (nfilter.levels.max); it has %d"
              .formatted(name, rules.levelsMax(), levels));
    }
    return levels > rules.levelsDensity() * among
        ? Optional.of(
            "%s must have at most %s levels for each row (nfilter.levels.density); it has %d in %d rows"
                .formatted(name, rules.levelsDensity(), levels, among))
        : Optional.empty();
  }

  /**
   * What this site objects to once it is known how many rows and coefficients there are together:
   * also in what remains for it when it takes its own rows off.
   *
   * @param sites how many there are
   * @param levels of each factor, by its name
   */
  List<String> pooledObjections(
      long total, int sites, int coefficients, Map<String, Integer> levels) {
    List<String> found = new ArrayList<>();
    long others = sites == 1 ? total : total - rows;
    long fewest = Math.min(total, others);
    if (coefficients > rules.glm() * fewest) {
      found.add(
          "site %s: there must be at most %s coefficients for each row (nfilter.glm); there are %d for the %d rows%s"
              .formatted(
                  site,
                  rules.glm(),
                  coefficients,
                  fewest,
                  others < total ? " of the other sites" : ""));
    }
    levels.forEach(
        (name, count) ->
            tooManyLevels(name, count, total)
                .ifPresent(why -> found.add("site %s: %s".formatted(site, why))));
    return found;
  }

  private static UsedRows used(
      Frame frame,
      SiteTable table,
      RowClasses classes,
      List<Set<Integer>> crossed,
      Optional<RowDigest> digest) {
    List<Expression> asked = new ArrayList<>(frame.scanned());
    List<Column> all = digest.isEmpty() ? List.of() : known(table);
    int count = asked.size();
    all.forEach(column -> asked.add(new Expression.Name(column.name())));
    String head = head(all);
    ClassCodes codes = new ClassCodes();
    int[] code = new int[classes.variables().size()];
    Map<Long, Long> seen = new HashMap<>();
    Growing digests = new Growing();
    Growing atoms = new Growing();
    Growing sizes = new Growing();
    // Rows are known one by one to be known again, or to be cut by their times.
    boolean each = digest.isPresent() || frame.formula().survival().isPresent();
    table.scan(
        asked,
        row -> {
          if (!frame.isComplete(row, count)) {
            return;
          }
          classes.codes(row, code);
          int known = codes.size();
          int atom = codes.number(code);
          if (atom == known) {
            sizes.add(0);
          }
          sizes.increase(atom);
          if (each) {
            atoms.add(atom);
          }
          digest.ifPresent(
              secret -> digests.add(unlike(secret, values(head, all, row, count), seen)));
        });
    if (!each) {
      return UsedRows.counted(
          sizes.longs(), codes.rows(), classes.variables(), crossed, columns(frame, table));
    }
    return new UsedRows(
        digests.longs(),
        Arrays.stream(atoms.longs()).mapToInt(a -> (int) a).toArray(),
        codes.rows(),
        classes.variables(),
        crossed,
        columns(frame, table));
  }

  private static Set<String> columns(Frame frame, SiteTable table) {
    return frame.formula().takesAllOthers()
        ? table.columns().stream().map(Column::name).collect(Collectors.toSet())
        : frame.formula().columns();
  }

  /** Rows that are alike are told apart by how many came before. */
  static long unlike(RowDigest digest, byte[] values, Map<Long, Long> seen) {
    long plain = digest.of(values);
    long before = seen.merge(plain, 1L, Long::sum) - 1;
    return before == 0 ? plain : digest.of(new Sha256().add(values).add(before).bytes());
  }

  /** The columns by whose values a row is known again. */
  static List<Column> known(SiteTable table) {
    return table.columns().stream().filter(SiteDisclosure::known).toList();
  }

  private static boolean known(Column column) {
    return column.type() != ColumnType.OTHER && column.type() != ColumnType.EMPTY;
  }

  /** What distinguishes rows of tables with other columns. */
  static String head(List<Column> all) {
    return String.join("\n", all.stream().map(c -> c.type() + " " + c.name()).toList());
  }

  /** All that a table says of a row, so that a row that was changed is another. */
  static byte[] values(String head, List<Column> all, RowValues row, int from) {
    StringBuilder text = new StringBuilder(head);
    for (int c = 0; c < all.size(); c++) {
      String value =
          all.get(c).type() == ColumnType.TEXT
              ? row.text(from + c)
              : Double.toString(row.number(from + c) + 0.0);
      text.append('\n').append(value == null ? -1 : value.length()).append(' ').append(value);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** A list of numbers that takes no more room than they need. */
  static final class Growing {
    private long[] values = new long[64];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    void increase(int at) {
      values[at]++;
    }

    long[] longs() {
      return Arrays.copyOf(values, size);
    }
  }
}
