package ngd.peer.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import ngd.core.formula.Formula;
import ngd.core.preparation.DescribedRows;
import ngd.core.preparation.Description;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.SiteDisclosure;
import ngd.core.preparation.UsedRows;
import ngd.peer.Cells;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whoever asks a site what it may, models and descriptions, one question after the other, and puts
 * all answers together. Oracle: linear algebra over the rows one by one, knowing nothing of atoms
 * and of the memory.
 *
 * <p>Sums of different columns cannot be subtracted, so what is known of each column is a family of
 * row sets of its own: those over which its values were summed, or its classes counted.
 */
class DifferencingAttackTest {
  private static final int FEWEST = 3;
  private static final int ROWS = 30;

  /** Sequences that must be dangerous for the attack to mean something. */
  private static final int ENOUGH = 5;

  private static final boolean EVERY = Boolean.getBoolean("ngd.attacks");

  @TempDir Path state;

  /**
   * A question: its formula, or the column that is described; the table it is asked of, and the
   * conditions of its terms, one for each class.
   */
  private record Asked(
      String formula, Cells table, List<List<Predicate<List<Object>>>> classes, boolean describes) {
    Asked(String formula, Cells table, List<List<Predicate<List<Object>>>> classes) {
      this(formula, table, classes, false);
    }

    /** Whether a sum over a column's values, or over its classes, is in the answer. */
    boolean sums(String column) {
      return describes ? formula.equals(column) : Formula.parse(formula).columns().contains(column);
    }
  }

  private static final List<String> COLUMNS = List.of("y", "a", "b", "g", "age", "z");

  /** Two 0/1 columns, three levels, ages, a value that some lack, and a 0/1 response. */
  private static Cells people(int seed) {
    Random random = new Random(seed);
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(
          new Object[] {
            random.nextInt(2),
            random.nextInt(2),
            random.nextInt(2),
            "pqr".charAt(random.nextInt(3)) + "",
            30 + random.nextInt(10),
            random.nextInt(9) == 0 ? Cells.MISSING : 1 + random.nextDouble(),
            i
          });
    }
    return Cells.of("here", "y,a,b,g,age,z,id", rows.toArray(Object[][]::new));
  }

  private static List<Predicate<List<Object>>> values(int column, Object... values) {
    List<Predicate<List<Object>>> found = new ArrayList<>();
    for (Object value : values) {
      found.add(row -> row.get(column).equals(value));
    }
    return found;
  }

  private static List<Predicate<List<Object>>> cut(int age) {
    return List.of(row -> (int) row.get(4) < age, row -> (int) row.get(4) >= age);
  }

  /** Every formula of up to three terms, of all rows and of all but a few. */
  private static List<Asked> questions(Cells all) {
    List<String> names = List.of("a", "b", "g", "I(age < 34)", "I(age < 35)", "z");
    List<List<Predicate<List<Object>>>> classes =
        List.of(
            values(1, 0, 1),
            values(2, 0, 1),
            values(3, "p", "q", "r"),
            cut(34),
            cut(35),
            List.of());
    List<Cells> tables = List.of(all, without(all, 1), without(all, 3), without(all, 4));
    List<Asked> found = new ArrayList<>();
    for (int some = 1; some < 1 << names.size(); some++) {
      if (Integer.bitCount(some) > 3) {
        continue;
      }
      List<String> terms = new ArrayList<>();
      List<List<Predicate<List<Object>>>> own = new ArrayList<>();
      own.add(values(0, 0, 1));
      for (int t = 0; t < names.size(); t++) {
        if ((some >> t & 1) == 1) {
          terms.add(names.get(t));
          own.add(classes.get(t));
        }
      }
      for (Cells table : Integer.bitCount(some) == 1 ? tables : List.of(all)) {
        found.add(new Asked("y ~ " + String.join(" + ", terms), table, own));
      }
    }
    return found;
  }

  /** Each column's description, of all rows and of all but a few. */
  private static List<Asked> descriptions(Cells all) {
    List<Asked> found = new ArrayList<>();
    for (Cells table : List.of(all, without(all, 1), without(all, 3), without(all, 4))) {
      for (String column : COLUMNS) {
        int at = all.names().indexOf(column);
        List<Predicate<List<Object>>> told =
            column.equals("g")
                ? values(at, "p", "q", "r")
                : List.of("y", "a", "b").contains(column) ? values(at, 0, 1) : List.of();
        found.add(new Asked(column, table, List.of(told), true));
      }
    }
    return found;
  }

  /** What a site that says nothing has. */
  private static final DisclosureRules STANDARD = DisclosureRules.STANDARD;

  /** A site that lets counts of two terms be added and subtracted. */
  private static final DisclosureRules PAIRS =
      new DisclosureRules(
          3, 3, 0.33, 40, 0.33, DisclosureRules.Cells.PAIRS, DisclosureRules.Differencing.REFUSE);

  private static Cells without(Cells table, int rows) {
    return new Cells(table.site(), table.names(), table.rows().subList(0, ROWS - rows));
  }

  private boolean answers(Asked asked, DisclosureRules rules) {
    AnswerMemory memory = AnswerMemory.in(state);
    byte[] run = (asked.formula() + asked.table().rows()).getBytes(StandardCharsets.UTF_8);
    if (asked.describes()) {
      Map<String, UsedRows> rows =
          DescribedRows.of(
              asked.table(),
              new Description.Settings(List.of(asked.formula()), false, false),
              rules,
              memory.digest());
      if (!memory.isolating(run, rows, FEWEST).isEmpty()) {
        return false;
      }
      memory.remember(run, rows, FEWEST, true);
      return true;
    }
    SiteDisclosure found =
        SiteDisclosure.of(
            Formula.parse(asked.formula()), asked.table(), rules, Optional.of(memory.digest()));
    if (!found.objections().isEmpty()
        || memory.isolated(run, found.used().orElseThrow(), FEWEST).isPresent()) {
      return false;
    }
    memory.remember(run, found.used().orElseThrow(), FEWEST, true);
    return true;
  }

  /** Whether a question uses a row. */
  private static boolean uses(Asked asked, List<Object> row) {
    return asked.describes()
        ? !row.get(asked.table().names().indexOf(asked.formula())).equals(Cells.MISSING)
        : !asked.sums("z") || row.get(5) instanceof Number;
  }

  /**
   * What an answer says: sums over all rows, each class, and of models the counts of every two
   * classes together.
   */
  private static List<double[]> equations(Asked asked, boolean pairs) {
    List<List<Predicate<List<Object>>>> classes = new ArrayList<>(asked.classes());
    classes.add(List.of(_ -> true));
    List<double[]> found = new ArrayList<>();
    for (List<Predicate<List<Object>>> one : classes) {
      for (List<Predicate<List<Object>>> two :
          pairs && !asked.describes() ? classes : List.of(classes.getLast())) {
        for (Predicate<List<Object>> first : one) {
          for (Predicate<List<Object>> second : two) {
            double[] vector = new double[ROWS];
            for (List<Object> row : asked.table().rows()) {
              vector[(int) row.get(6)] =
                  uses(asked, row) && first.test(row) && second.test(row) ? 1 : 0;
            }
            found.add(vector);
          }
        }
      }
    }
    return found;
  }

  /**
   * How many rows, or pairs of rows, the answers together say something of that no other is in: of
   * models all together, and of each column together with its descriptions.
   *
   * @param pairs whether counts of every two classes are followed, or sums of values alone
   */
  private static int singledOut(List<Asked> answered, boolean pairs) {
    int found = isolated(answered.stream().filter(asked -> !asked.describes()).toList(), pairs);
    for (String column : COLUMNS) {
      List<Asked> own = answered.stream().filter(asked -> asked.sums(column)).toList();
      if (own.stream().anyMatch(Asked::describes)) {
        found += isolated(own, pairs);
      }
    }
    return found;
  }

  private static int isolated(List<Asked> answered, boolean pairs) {
    List<double[]> equations = new ArrayList<>();
    answered.forEach(asked -> equations.addAll(equations(asked, pairs)));
    return RowAlgebra.singledOut(equations);
  }

  /**
   * Two questions, in half of the pairs the later one first: every third pair, or all where that is
   * asked for.
   */
  @Test
  void twoQuestions_whateverIsAnswered_singleOutNobody() throws Exception {
    attack(DifferencingAttackTest::everyTwo, questions(people(1)), STANDARD, true);
  }

  /** Some sequences of four questions. */
  @Test
  void longSequences_whateverIsAnswered_singleOutNobody() throws Exception {
    attack(DifferencingAttackTest::someFours, questions(people(2)), STANDARD, true);
  }

  /** Descriptions among each other and with models. */
  @Test
  void descriptionsAndModels_whateverIsAnswered_singleOutNobody() throws Exception {
    List<Asked> all = new ArrayList<>(descriptions(people(3)));
    all.addAll(questions(people(3)));
    attack(DifferencingAttackTest::someFours, all, STANDARD, true);
  }

  /** {@code cells: pairs} promises of values what the default does: no sum over one or two rows. */
  @Test
  void pairs_modelsAndDescriptions_showNoSumOverOneOrTwoRows() throws Exception {
    List<Asked> all = new ArrayList<>(descriptions(people(4)));
    all.addAll(questions(people(4)));
    attack(DifferencingAttackTest::someFours, all, PAIRS, false);
  }

  /**
   * What {@code cells: pairs} does not promise, and the default does: counts of cells of two terms,
   * added and subtracted.
   */
  @Test
  void oneQuestion_countsOfPairs_comeDownToOneOrTwoRowsByPairsAlone() throws Exception {
    int shown = 0;
    for (Asked one : questions(people(1))) {
      Files.deleteIfExists(state.resolve("answers"));
      if (answers(one, PAIRS)) {
        assertThat(singledOut(List.of(one), false)).as(one.formula()).isZero();
        shown += singledOut(List.of(one), true) > 0 ? 1 : 0;
        Files.deleteIfExists(state.resolve("answers"));
        assertThat(singledOut(List.of(one), true) > 0 && answers(one, STANDARD))
            .as("by default, %s", one.formula())
            .isFalse();
      }
    }
    assertThat(shown).as("questions whose counts show one or two rows").isPositive();
  }

  private static void everyTwo(List<Asked> questions, List<List<Asked>> tries) {
    for (int i = 0; i < questions.size(); i++) {
      for (int j = i + 1; j < questions.size(); j++) {
        boolean turned = (i + j) % 2 == 0;
        if (!EVERY && (i + j) % 3 != 0) {
          continue;
        }
        tries.add(List.of(questions.get(turned ? j : i), questions.get(turned ? i : j)));
      }
    }
  }

  private static void someFours(List<Asked> questions, List<List<Asked>> tries) {
    Random random = new Random(8);
    for (int n = 0; n < (EVERY ? 300 : 12); n++) {
      List<Asked> some = new ArrayList<>();
      for (int k = 0; k < 4; k++) {
        some.add(questions.get(random.nextInt(questions.size())));
      }
      tries.add(some);
    }
  }

  private interface Plan {
    void add(List<Asked> questions, List<List<Asked>> tries);
  }

  private void attack(Plan plan, List<Asked> questions, DisclosureRules rules, boolean pairs)
      throws Exception {
    List<Asked> allowed = new ArrayList<>();
    for (Asked one : questions) {
      Files.deleteIfExists(state.resolve("answers"));
      if (answers(one, rules)) {
        assertThat(singledOut(List.of(one), pairs)).as(one.formula()).isZero();
        allowed.add(one);
      }
    }
    assertThat(allowed).as("questions that are answered alone").hasSizeGreaterThan(15);
    List<List<Asked>> tries = new ArrayList<>();
    plan.add(allowed, tries);
    int without = 0;
    int several = 0;
    for (List<Asked> sequence : tries) {
      Files.deleteIfExists(state.resolve("answers"));
      List<Asked> answered = new ArrayList<>();
      for (Asked one : sequence) {
        if (answers(one, rules)) {
          answered.add(one);
        }
      }
      several += answered.size() > 1 ? 1 : 0;
      if (answered.size() < sequence.size() && without < ENOUGH) {
        without += singledOut(sequence, pairs) > 0 ? 1 : 0;
      }
      assertThat(singledOut(answered, pairs))
          .as("%s", answered.stream().map(Asked::formula).toList())
          .isZero();
    }
    assertThat(without)
        .as("sequences that a site without a memory must not answer")
        .isEqualTo(ENOUGH);
    assertThat(several).as("sequences of which several questions were answered").isPositive();
  }
}
