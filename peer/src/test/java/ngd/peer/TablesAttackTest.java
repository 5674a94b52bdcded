package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import ngd.core.Problems;
import ngd.core.answer.DescriptionAnswer;
import ngd.core.formula.Levels;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.Sites;
import ngd.core.preparation.Summary;
import ngd.core.preparation.TablesFound;
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

  private record Asked(String words, Cells table) {}

  private DescriptionAnswer answer(Asked asked) {
    Words words = new Words(Words.Style.KEYS);
    words.put("kind", new Words.Said(List.of("describe"), ""));
    Map<String, List<String>> said = new TreeMap<>();
    for (String word : asked.words().split(" ")) {
      String[] parts = word.split("=", 2);
      said.computeIfAbsent(parts[0], _ -> new ArrayList<>())
          .addAll(parts[0].equals("cross") ? List.of(parts[1]) : List.of(parts[1].split(",")));
    }
    said.forEach((key, values) -> words.put(key, new Words.Said(values, "")));
    Problems problems = new Problems();
    Question question = PlanKeys.read(words, problems);
    problems.throwIfAny();
    byte[] run = (asked.words() + asked.table().rows()).getBytes(StandardCharsets.UTF_8);
    return (DescriptionAnswer)
        new SiteDescription(
                question,
                asked.table(),
                DisclosureRules.STANDARD,
                AnswerMemory.in(state),
                ByteString.copyFrom(run))
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
    for (int n = 0; n < 16; n++) {
      Cells all = people(20 + n, n % 2 == 0 ? 0 : 10);
      List<Asked> sequence = new ArrayList<>();
      for (int k = 0; k < 4; k++) {
        sequence.add(
            new Asked(
                QUESTIONS.get(random.nextInt(QUESTIONS.size())),
                random.nextInt(3) == 0 ? without(all, 1 + random.nextInt(3)) : all));
      }
      List<Known> forgetful = new ArrayList<>();
      for (Asked one : sequence) {
        Files.deleteIfExists(state.resolve("answers"));
        forgetful.add(known(one, answer(one)));
      }
      dangerous += singledOut(forgetful) > 0 ? 1 : 0;
      Files.deleteIfExists(state.resolve("answers"));
      List<Known> answered = new ArrayList<>();
      int tables = 0;
      for (Asked one : sequence) {
        DescriptionAnswer answer = answer(one);
        tables += tells(answer) ? 1 : 0;
        answered.add(known(one, answer));
      }
      several += tables > 1 ? 1 : 0;
      assertThat(singledOut(answered))
          .as("%s", sequence.stream().map(Asked::words).toList())
          .isZero();
    }
    assertThat(dangerous).as("sequences that a site without a memory must not answer").isPositive();
    assertThat(several).as("sequences with several tables").isPositive();
  }

  /** No count of one or two follows from margins and the cells shown, though counts are whole. */
  @Test
  void crossTable_cellsLeftOut_haveSeveralValuesThatFit() throws Exception {
    int small = 0;
    for (int seed = 1; seed <= 40; seed++) {
      Files.deleteIfExists(state.resolve("answers"));
      Cells people = people(seed, 0);
      DescriptionAnswer answer = answer(new Asked("columns=g cross=g,c", people));
      TablesFound.CrossTable table = answer.found().crosses().getFirst();
      if (table.leftOut() == 0 || table.n() == 0) {
        continue;
      }
      Fitting fitting = new Fitting(table, margins(answer, "g"), margins(answer, "c"));
      for (int r = 0; r < table.rowLevels().size(); r++) {
        for (int c = 0; c < table.columnLevels().size(); c++) {
          String row = table.rowLevels().get(r);
          String column = table.columnLevels().get(c);
          long count =
              people.rows().stream()
                  .filter(one -> one.get(0).equals(row) && one.get(1).equals(column))
                  .count();
          if (count > 0 && count < 3) {
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

  /** All tables of whole numbers with the counts, margins and total that are told. */
  private static final class Fitting {
    private final TablesFound.CrossTable table;
    private final int across;
    private final long[] cells;
    private final long[] least;
    private final long[] most;
    private final List<Optional<Long>> rows;
    private final List<Optional<Long>> columns;

    Fitting(TablesFound.CrossTable table, Map<String, Long> rows, Map<String, Long> columns) {
      this.table = table;
      across = table.columnLevels().size();
      this.rows = table.rowLevels().stream().map(l -> Optional.ofNullable(rows.get(l))).toList();
      this.columns =
          table.columnLevels().stream().map(l -> Optional.ofNullable(columns.get(l))).toList();
      cells = new long[table.rowLevels().size() * across];
      least = new long[cells.length];
      most = new long[cells.length];
      Arrays.fill(least, Long.MAX_VALUE);
      Arrays.fill(most, -1);
      place(0, table.leftOut());
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
      long shown = table.counts().get(cell / across).get(cell % across);
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
