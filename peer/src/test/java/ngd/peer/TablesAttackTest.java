package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import ngd.core.Problems;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.formula.Formula;
import ngd.core.formula.Levels;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.SiteDisclosure;
import ngd.core.preparation.Sites;
import ngd.core.preparation.Summary;
import ngd.core.preparation.TablesFound;
import ngd.core.preparation.UsedRows;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.simulation.Simulation;
import ngd.peer.plan.PlanKeys;
import ngd.peer.privacy.AnswerMemory;
import ngd.peer.privacy.RowAlgebra;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever asks a site for tables by group, cross tables and correlations, one after the other, and
 * puts all that is told together. Oracle: linear algebra over the rows one by one, and all tables
 * of whole numbers that fit, from the answers alone.
 */
class TablesAttackTest {
  private static final int ROWS = 36;
  private static final List<String> COLUMNS = List.of("g", "c", "d", "x", "w");

  @TempDir Path state;

  /**
   * Three groups, of which one is rare, levels, a 0/1 column, numbers, and values that some lack.
   */
  private static Cells people(int seed, int missing) {
    Random random = new Random(seed);
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(
          new Object[] {
            lacks(random, missing) ? Cells.MISSING : "pqqrrr".charAt(random.nextInt(6)) + "",
            lacks(random, missing) ? Cells.MISSING : "uuvw".charAt(random.nextInt(4)) + "",
            random.nextInt(2),
            lacks(random, missing) ? Cells.MISSING : 1 + random.nextDouble(),
            2 + random.nextGaussian(),
            i
          });
    }
    return Cells.of("here", "g,c,d,x,w,id", rows.toArray(Object[][]::new));
  }

  private static boolean lacks(Random random, int missing) {
    return random.nextInt(100) < missing;
  }

  private static Cells without(Cells table, int rows) {
    return new Cells(
        table.site(), table.names(), table.rows().subList(0, table.rows().size() - rows));
  }

  private static final List<String> QUESTIONS =
      List.of(
          "columns=g,c,d,x,w",
          "columns=c,d,x,w by=g",
          "columns=x,w by=c",
          "columns=x by=d",
          "columns=g cross=g,c",
          "columns=c cross=c,d",
          "columns=g cross=g,c cross=c,d cross=g,d",
          "columns=x correlation=x,w",
          "columns=c,x by=g complete=true");

  /** Models of a 0/1 response, with which tables are asked too. */
  private static final List<String> MODELS = List.of("d ~ g", "d ~ c + x", "d ~ g + w");

  private record Asked(String words, Cells table) {
    boolean isModel() {
      return words.contains("~");
    }

    byte[] run() {
      return (words + table.rows()).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Whether the site answers a model. */
  private boolean answers(Asked model) {
    AnswerMemory memory = AnswerMemory.in(state);
    SiteDisclosure found =
        SiteDisclosure.of(
            Formula.parse(model.words()),
            model.table(),
            DisclosureRules.STANDARD,
            Optional.of(memory.digest()));
    UsedRows used = found.used().orElseThrow();
    if (!found.objections().isEmpty() || memory.isolated(model.run(), used, 3).isPresent()) {
      return false;
    }
    memory.remember(model.run(), used, 3, true);
    return true;
  }

  /** What the site tells of a question. */
  private Known told(Asked asked) {
    Known known = new Known(asked);
    if (!asked.isModel()) {
      known.read(answer(asked));
    } else if (answers(asked)) {
      known.readModel(Formula.parse(asked.words()).columns());
    }
    return known;
  }

  private DescriptionAnswer answer(Asked asked) {
    return answer(asked, DisclosureRules.STANDARD);
  }

  private DescriptionAnswer answer(Asked asked, DisclosureRules rules) {
    Words words = new Words(Words.Style.KEYS);
    words.put("kind", new Words.Said(List.of("describe"), ""));
    Map<String, List<String>> said = new TreeMap<>();
    for (String word : asked.words().split(" ", -1)) {
      String[] parts = word.split("=", 2);
      said.computeIfAbsent(parts[0], _ -> new ArrayList<>())
          .addAll(parts[0].equals("cross") ? List.of(parts[1]) : List.of(parts[1].split(",", -1)));
    }
    said.forEach((key, values) -> words.put(key, new Words.Said(values, "")));
    Problems problems = new Problems();
    Question question = PlanKeys.read(words, problems);
    problems.throwIfAny();
    return (DescriptionAnswer)
        new SiteDescription(
                question,
                asked.table(),
                rules,
                AnswerMemory.in(state),
                ByteString.copyFrom(asked.run()))
            .answer(
                Sites.all(List.of(asked.table())),
                Simulation.exchange(Network.of(new Topology.Complete(1))));
  }

  /** The sets of rows over which something is told: of each column, and of all tables together. */
  private static final class Known {
    private static final String TABLES = "tables";
    private final Map<String, List<double[]>> sets = new TreeMap<>();

    private final Cells table;
    private final boolean complete;

    Known(Asked asked) {
      table = asked.table();
      complete = asked.words().contains("complete");
    }

    private static Object value(Cells table, List<Object> row, String column) {
      return row.get(table.names().indexOf(column));
    }

    boolean has(List<Object> row, String column) {
      return !value(table, row, column).equals(Cells.MISSING)
          && (!complete
              || List.of("c", "x", "g").stream()
                  .noneMatch(name -> value(table, row, name).equals(Cells.MISSING)));
    }

    boolean is(List<Object> row, String column, String level) {
      Object value = value(table, row, column);
      return has(row, column)
          && (value instanceof Number number
              ? Levels.text(number.doubleValue()).equals(level)
              : value.equals(level));
    }

    void add(List<String> families, Predicate<List<Object>> in) {
      double[] vector = new double[ROWS];
      table.rows().stream().filter(in).forEach(row -> vector[(int) row.getLast()] = 1);
      families.forEach(one -> sets.computeIfAbsent(one, _ -> new ArrayList<>()).add(vector));
    }

    /** What an answer says, read from the answer alone. */
    void read(DescriptionAnswer answer) {
      for (Summary one : answer.summaries()) {
        List<String> own = List.of(one.column());
        if (one.n() > 0) {
          add(own, row -> has(row, one.column()));
        }
        if (one instanceof Summary.OfLevels levels) {
          levels
              .counts()
              .forEach(
                  (level, count) -> {
                    if (count > 0) {
                      add(own, row -> is(row, one.column(), level));
                    }
                  });
        } else if (one.column().equals("d") && one.n() > 0) {
          values(own, List.of("d"), _ -> true);
        }
      }
      answer.found().numbers().forEach(one -> byGroup(answer.found().asked().by().get(), one));
      answer.found().crosses().forEach(one -> cross(one, answer));
      answer
          .found()
          .correlations()
          .filter(of -> of.n() > 0)
          .ifPresent(
              of ->
                  add(
                      families(of.columns()),
                      row -> of.columns().stream().allMatch(name -> has(row, name))));
    }

    /** Sums over all complete rows, over each class, and counts of every two classes. */
    private void readModel(Collection<String> columns) {
      List<Predicate<List<Object>>> classes = new ArrayList<>(List.of(_ -> true));
      for (String column : columns) {
        for (String level : List.of("p", "q", "r", "u", "v", "w", "0", "1")) {
          classes.add(row -> is(row, column, level));
        }
      }
      for (Predicate<List<Object>> one : classes) {
        for (Predicate<List<Object>> two : classes) {
          add(
              families(List.copyOf(columns)),
              row -> columns.stream().allMatch(c -> has(row, c)) && one.test(row) && two.test(row));
        }
      }
    }

    boolean tells() {
      return !sets.getOrDefault(TABLES, List.of()).isEmpty();
    }

    private static List<String> families(List<String> columns) {
      List<String> families = new ArrayList<>(columns);
      families.add(TABLES);
      return families;
    }

    /** A 0/1 column's sum over some rows counts those of each value. */
    private void values(List<String> families, List<String> columns, Predicate<List<Object>> in) {
      if (columns.contains("d")) {
        add(families, row -> in.test(row) && is(row, "d", "0"));
        add(families, row -> in.test(row) && is(row, "d", "1"));
      }
    }

    private void byGroup(String by, TablesFound.ByGroup one) {
      List<String> families = families(List.of(by, one.column()));
      boolean told = false;
      for (TablesFound.OfGroup group : one.groups()) {
        if (group.n() > 0) {
          Predicate<List<Object>> in = row -> is(row, by, group.group()) && has(row, one.column());
          add(families, in);
          values(families, List.of(one.column()), in);
          told = true;
        }
      }
      if (told) {
        add(families, row -> has(row, by) && has(row, one.column()));
      }
    }

    private void cross(TablesFound.CrossTable one, DescriptionAnswer answer) {
      List<String> families = families(List.of(one.rows(), one.columns()));
      // Where no value is missing, the levels of each column are the margins of the table.
      if (one.n() > 0
          && table.rows().stream().allMatch(r -> has(r, one.rows()) && has(r, one.columns()))) {
        for (String column : List.of(one.rows(), one.columns())) {
          margins(answer, column).keySet().forEach(l -> add(families, row -> is(row, column, l)));
        }
      }
      for (int r = 0; r < one.rowLevels().size(); r++) {
        for (int c = 0; c < one.columnLevels().size(); c++) {
          String first = one.rowLevels().get(r);
          String second = one.columnLevels().get(c);
          if (one.counts().get(r).get(c) > 0) {
            add(families, row -> is(row, one.rows(), first) && is(row, one.columns(), second));
          }
        }
      }
      if (one.n() + one.leftOut() > 0) {
        add(families, row -> has(row, one.rows()) && has(row, one.columns()));
      }
    }
  }

  /** How many rows or pairs of rows all answers together single out. */
  private static int singledOut(List<Known> answers) {
    List<String> families = new ArrayList<>(COLUMNS);
    families.add(Known.TABLES);
    int found = 0;
    for (String family : families) {
      List<double[]> all = new ArrayList<>();
      answers.forEach(one -> all.addAll(one.sets.getOrDefault(family, List.of())));
      found += all.isEmpty() ? 0 : RowAlgebra.singledOut(all);
    }
    return found;
  }

  private static Known known(Asked asked, DescriptionAnswer answer) {
    Known known = new Known(asked);
    known.read(answer);
    return known;
  }

  private static boolean tells(DescriptionAnswer answer) {
    return answer.found().crosses().stream().anyMatch(one -> one.n() > 0)
        || answer.found().numbers().stream()
            .anyMatch(one -> one.groups().stream().anyMatch(group -> group.n() > 0))
        || answer.found().correlations().filter(of -> of.n() > 0).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 20})
  void oneQuestion_singlesOutNobody(int missing) throws Exception {
    int told = 0;
    int leftOut = 0;
    for (int seed = 1; seed <= 6; seed++) {
      for (String words : QUESTIONS) {
        Files.deleteIfExists(state.resolve("answers"));
        Asked asked = new Asked(words, people(seed, missing));
        DescriptionAnswer answer = answer(asked);
        assertThat(singledOut(List.of(known(asked, answer))))
            .as("%s of seed %d: %s", words, seed, answer.json())
            .isZero();
        told += tells(answer) ? 1 : 0;
        leftOut +=
            answer.found().crosses().stream().anyMatch(one -> one.leftOut() > 0 && one.n() > 0)
                ? 1
                : 0;
      }
    }
    assertThat(told).as("answers with a table").isGreaterThan(10);
    if (missing == 0) {
      assertThat(leftOut).as("cross tables with cells left out").isPositive();
    }
  }

  /** Questions in sequence, of all rows and of a few fewer, with the site's memory and without. */
  @Test
  void sequences_whateverIsAnswered_singleOutNobody() throws Exception {
    Random random = new Random(5);
    int dangerous = 0;
    int several = 0;
    for (int n = 0; n < 30; n++) {
      Cells all = people(20 + n, n % 2 == 0 ? 0 : 10);
      List<Asked> sequence = new ArrayList<>();
      for (int k = 0; k < 4; k++) {
        List<String> menu = k == 0 || random.nextInt(3) > 0 ? QUESTIONS : MODELS;
        sequence.add(
            new Asked(
                menu.get(random.nextInt(menu.size())),
                random.nextInt(3) == 0 ? without(all, 1 + random.nextInt(3)) : all));
      }
      List<Known> forgetful = new ArrayList<>();
      for (Asked one : sequence) {
        Files.deleteIfExists(state.resolve("answers"));
        forgetful.add(told(one));
      }
      dangerous += singledOut(forgetful) > 0 ? 1 : 0;
      Files.deleteIfExists(state.resolve("answers"));
      List<Known> answered = new ArrayList<>();
      sequence.forEach(one -> answered.add(told(one)));
      long tables = answered.stream().filter(Known::tells).count();
      several += tables > 1 ? 1 : 0;
      assertThat(singledOut(answered))
          .as("%s", sequence.stream().map(Asked::words).toList())
          .isZero();
    }
    assertThat(dangerous).as("sequences that a site without a memory must not answer").isPositive();
    assertThat(several).as("sequences with several tables").isPositive();
  }

  /** No count below a site's minimum follows from margins and cells, though counts are whole. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void crossTable_cellsLeftOut_haveSeveralValuesThatFit(int fewest) throws Exception {
    DisclosureRules rules =
        new DisclosureRules(
            fewest,
            fewest,
            0.33,
            40,
            0.33,
            DisclosureRules.Cells.COMBINED,
            DisclosureRules.Differencing.REFUSE);
    int small = 0;
    for (int seed = 1; seed <= 40; seed++) {
      Files.deleteIfExists(state.resolve("answers"));
      Cells people = people(seed, 0);
      DescriptionAnswer answer = answer(new Asked("columns=g cross=g,c", people), rules);
      TablesFound.CrossTable table = answer.found().crosses().getFirst();
      if (table.leftOut() == 0 || table.n() == 0) {
        continue;
      }
      Fitting fitting = new Fitting(table, answer);
      for (int r = 0; r < table.rowLevels().size(); r++) {
        for (int c = 0; c < table.columnLevels().size(); c++) {
          String row = table.rowLevels().get(r);
          String column = table.columnLevels().get(c);
          long count =
              people.rows().stream()
                  .filter(one -> one.get(0).equals(row) && one.get(1).equals(column))
                  .count();
          if (count > 0 && count < fewest) {
            assertThat(table.counts().get(r).get(c)).isZero();
            assertThat(fitting.range(r, c))
                .as(
                    "seed %d: %s %s: %s, with %s and %s",
                    seed, row, column, table, margins(answer, "g"), margins(answer, "c"))
                .isPositive();
            small++;
          }
        }
      }
    }
    assertThat(small).as("cells of one or two rows").isGreaterThan(10);
  }

  /**
   * The same from three cross tables of three columns at once: for each small cell that is left out
   * there is another table of all three columns, of whole numbers, that fits all that is told.
   */
  @Test
  void crossTables_ofEveryTwoOfThreeColumns_leaveSeveralValuesThatFit() throws Exception {
    int small = 0;
    int several = 0;
    for (int seed = 1; seed <= 60; seed++) {
      Files.deleteIfExists(state.resolve("answers"));
      Cells people = people(seed, 0);
      DescriptionAnswer answer =
          answer(new Asked("columns=g cross=g,c cross=c,d cross=g,d", people));
      CubeOfLevels cube = new CubeOfLevels(people, answer);
      several += answer.found().crosses().stream().filter(one -> one.n() > 0).count() > 1 ? 1 : 0;
      for (TablesFound.CrossTable table : answer.found().crosses()) {
        for (List<String> cell : cube.smallCells(table)) {
          assertThat(cube.hasAnother(table, cell))
              .as("seed %d: %s of %s among %s", seed, cell, table, answer.json())
              .isTrue();
          small++;
        }
      }
    }
    assertThat(small).as("cells of one or two rows").isGreaterThan(10);
    assertThat(several).as("answers with several cross tables").isGreaterThan(10);
  }

  /** All tables of three columns of whole numbers with the sums that are told. */
  private static final class CubeOfLevels {
    private static final List<String> THREE = List.of("g", "c", "d");
    private static final long MOST_STEPS = 20_000_000;

    private final List<List<String>> atoms = new ArrayList<>();
    private final long[] truth;
    private final List<BitSet> sums = new ArrayList<>();
    private long steps;

    CubeOfLevels(Cells people, DescriptionAnswer answer) {
      for (String g : List.of("p", "q", "r")) {
        for (String c : List.of("u", "v", "w")) {
          for (String d : List.of("0", "1")) {
            atoms.add(List.of(g, c, d));
          }
        }
      }
      truth = new long[atoms.size()];
      for (List<Object> row : people.rows()) {
        truth[
            atoms.indexOf(
                List.of((String) row.get(0), (String) row.get(1), row.get(2).toString()))]++;
      }
      sum(_ -> true);
      for (String column : THREE) {
        margins(answer, column).keySet().forEach(level -> sum(atom -> is(atom, column, level)));
      }
      for (TablesFound.CrossTable table : answer.found().crosses()) {
        for (int r = 0; r < table.rowLevels().size(); r++) {
          for (int c = 0; c < table.columnLevels().size(); c++) {
            List<String> cell = List.of(table.rowLevels().get(r), table.columnLevels().get(c));
            boolean empty = table.silent() == 0 && table.leftOut() == 0;
            if (empty || table.counts().get(r).get(c) > 0) {
              sum(atom -> in(atom, table, cell));
            }
          }
        }
      }
    }

    private static boolean is(List<String> atom, String column, String level) {
      return atom.get(THREE.indexOf(column)).equals(level);
    }

    private static boolean in(List<String> atom, TablesFound.CrossTable table, List<String> cell) {
      return is(atom, table.rows(), cell.getFirst()) && is(atom, table.columns(), cell.getLast());
    }

    private BitSet atoms(Predicate<List<String>> in) {
      BitSet set = new BitSet();
      IntStream.range(0, atoms.size()).filter(i -> in.test(atoms.get(i))).forEach(set::set);
      return set;
    }

    private void sum(Predicate<List<String>> in) {
      sums.add(atoms(in));
    }

    private long count(BitSet set) {
      return set.stream().mapToLong(i -> truth[i]).sum();
    }

    /** The cells of a table that have one or two rows. */
    List<List<String>> smallCells(TablesFound.CrossTable table) {
      List<List<String>> cells = new ArrayList<>();
      for (String row : table.rowLevels()) {
        for (String column : table.columnLevels()) {
          long count = count(atoms(atom -> in(atom, table, List.of(row, column))));
          if (count == 1 || count == 2) {
            cells.add(List.of(row, column));
          }
        }
      }
      return cells;
    }

    /** Whether another number of rows in a cell fits too. */
    boolean hasAnother(TablesFound.CrossTable table, List<String> cell) {
      BitSet own = atoms(atom -> in(atom, table, cell));
      for (long other : List.of(count(own) + 1, count(own) - 1, count(own) + 2)) {
        List<BitSet> sets = new ArrayList<>(sums);
        sets.add(own);
        long[] left = sets.stream().mapToLong(this::count).toArray();
        left[left.length - 1] = other;
        steps = 0;
        if (other >= 0 && place(0, sets, left)) {
          return true;
        }
      }
      return false;
    }

    /** Fills the atoms one by one; a sum of which no atom is left must be used up. */
    private boolean place(int atom, List<BitSet> sets, long[] left) {
      if (++steps > MOST_STEPS) {
        throw new IllegalStateException("too many tables");
      }
      long most = Long.MAX_VALUE;
      for (int s = 0; s < left.length; s++) {
        if (left[s] > 0 && sets.get(s).nextSetBit(atom) < 0) {
          return false;
        }
        if (atom < atoms.size() && sets.get(s).get(atom)) {
          most = Math.min(most, left[s]);
        }
      }
      if (atom == atoms.size()) {
        return true;
      }
      long begin = Math.min(most, truth[atom]);
      for (long away = 0; away <= Math.max(begin, most - begin); away++) {
        for (long count : away == 0 ? List.of(begin) : List.of(begin - away, begin + away)) {
          if (count >= 0 && count <= most) {
            long[] then = left.clone();
            for (int s = 0; s < then.length; s++) {
              then[s] -= sets.get(s).get(atom) ? count : 0;
            }
            if (place(atom + 1, sets, then)) {
              return true;
            }
          }
        }
      }
      return false;
    }
  }

  private static Map<String, Long> margins(DescriptionAnswer answer, String column) {
    Map<String, Long> told = new TreeMap<>();
    answer.levels().stream()
        .filter(one -> one.column().equals(column))
        .forEach(
            one ->
                one.counts()
                    .forEach(
                        (level, count) -> {
                          if (count > 0) {
                            told.put(level, count);
                          }
                        }));
    return told;
  }

  /** How many rows have levels that are told as one. */
  private static long together(DescriptionAnswer answer, String column) {
    return answer.levels().stream()
        .filter(one -> one.column().equals(column))
        .mapToLong(Summary.OfLevels::withheld)
        .sum();
  }

  /**
   * All tables of whole numbers with the counts, margins and total that are told; levels without a
   * name make one more row or column.
   */
  private static final class Fitting {
    private final TablesFound.CrossTable table;
    private final int across;
    private final long[] cells;
    private final long[] least;
    private final long[] most;
    private final List<Optional<Long>> rows;
    private final List<Optional<Long>> columns;

    Fitting(TablesFound.CrossTable table, DescriptionAnswer answer) {
      this.table = table;
      rows = margin(answer, table.rows(), table.rowLevels());
      columns = margin(answer, table.columns(), table.columnLevels());
      across = columns.size();
      cells = new long[rows.size() * across];
      least = new long[cells.length];
      most = new long[cells.length];
      Arrays.fill(least, Long.MAX_VALUE);
      Arrays.fill(most, -1);
      place(0, table.leftOut());
    }

    private static List<Optional<Long>> margin(
        DescriptionAnswer answer, String column, List<String> levels) {
      Map<String, Long> told = margins(answer, column);
      List<Optional<Long>> margin = new ArrayList<>();
      levels.forEach(level -> margin.add(Optional.ofNullable(told.get(level))));
      if (together(answer, column) > 0) {
        margin.add(Optional.of(together(answer, column)));
      }
      return margin;
    }

    private long shown(int cell) {
      int row = cell / across;
      int column = cell % across;
      return row < table.rowLevels().size() && column < table.columnLevels().size()
          ? table.counts().get(row).get(column)
          : 0;
    }

    long range(int row, int column) {
      return most[row * across + column] - least[row * across + column];
    }

    private void place(int cell, long left) {
      if (cell > 0 && cell % across == 0 && !fitsRow(cell / across - 1)) {
        return;
      }
      if (cell == cells.length) {
        if (left == 0 && fitsColumns()) {
          for (int i = 0; i < cells.length; i++) {
            least[i] = Math.min(least[i], cells[i]);
            most[i] = Math.max(most[i], cells[i]);
          }
        }
        return;
      }
      long shown = shown(cell);
      if (shown > 0) {
        cells[cell] = shown;
        place(cell + 1, left);
        return;
      }
      for (long count = 0; count <= left; count++) {
        cells[cell] = count;
        place(cell + 1, left - count);
      }
    }

    private boolean fitsRow(int row) {
      long sum = IntStream.range(0, across).mapToLong(c -> cells[row * across + c]).sum();
      return rows.get(row).isEmpty() || rows.get(row).get() == sum;
    }

    private boolean fitsColumns() {
      for (int c = 0; c < across; c++) {
        int column = c;
        long sum = IntStream.range(0, rows.size()).mapToLong(r -> cells[r * across + column]).sum();
        if (columns.get(c).isPresent() && columns.get(c).get() != sum) {
          return false;
        }
      }
      return true;
    }
  }
}
