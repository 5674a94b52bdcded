package ngd.peer.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import ngd.core.InvalidInput;
import ngd.core.formula.Formula;
import ngd.core.preparation.DescribedRows;
import ngd.core.preparation.Description;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.SiteDisclosure;
import ngd.core.preparation.UsedRows;
import ngd.peer.Cells;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A site that remembers its answers. Oracle: an attacker who subtracts them all. */
class AnswerMemoryTest {
  private static final int FEWEST = 3;

  @TempDir Path state;

  private static final DisclosureRules PAIRS =
      new DisclosureRules(
          3,
          3,
          0.33,
          40,
          0.33,
          DisclosureRules.Cells.PAIRS,
          DisclosureRules.STANDARD.differencing());

  /** Asks a site one question, as its peer does; whether it answers. */
  private boolean asks(String formula, Cells table) {
    return asks(formula, table, DisclosureRules.STANDARD);
  }

  private boolean asks(String formula, Cells table, DisclosureRules rules) {
    AnswerMemory memory = AnswerMemory.in(state);
    SiteDisclosure found =
        SiteDisclosure.of(Formula.parse(formula), table, rules, Optional.of(memory.digest()));
    byte[] run = (formula + table.rows()).getBytes(StandardCharsets.UTF_8);
    if (!found.objections().isEmpty()
        || memory.isolated(run, found.used().orElseThrow(), FEWEST).isPresent()) {
      return false;
    }
    memory.remember(run, found.used().orElseThrow(), FEWEST, true);
    return true;
  }

  /** People by age and sex, with an outcome, and a value that some of them lack. */
  private static Cells people(int seed, int count) {
    Random random = new Random(seed);
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          new Object[] {
            random.nextGaussian(),
            30 + random.nextInt(20),
            random.nextInt(2),
            random.nextInt(8) == 0 ? Cells.MISSING : random.nextGaussian(),
            i
          });
    }
    return Cells.of("here", "y,age,sex,z,id", rows.toArray(Object[][]::new));
  }

  private static Cells without(Cells table, int... ids) {
    List<List<Object>> rows = new ArrayList<>(table.rows());
    for (int id : ids) {
      rows.removeIf(row -> row.get(4).equals(id));
    }
    return new Cells(table.site(), table.names(), rows);
  }

  /** Asks for a description; the columns of which the site says nothing. */
  private Set<String> described(Cells table, String... columns) {
    AnswerMemory memory = AnswerMemory.in(state);
    Map<String, UsedRows> rows =
        new LinkedHashMap<>(
            DescribedRows.of(
                table,
                new Description.Settings(List.of(columns), false, false),
                DisclosureRules.STANDARD,
                memory.digest()));
    byte[] run = ("describe" + List.of(columns) + table.rows()).getBytes(StandardCharsets.UTF_8);
    Set<String> silent = memory.isolating(run, rows, FEWEST);
    rows.keySet().removeAll(silent);
    memory.remember(run, rows, FEWEST, true);
    return silent;
  }

  /** y has a value in every row, z lacks one: their sums over other rows show that row's y. */
  @Test
  void describe_andAModelOverOtherRows_subtracted_isRefusedOrWithheld() {
    List<List<Object>> rows = new ArrayList<>();
    for (List<Object> row : people(3, 40).rows()) {
      List<Object> changed = new ArrayList<>(row);
      changed.set(3, row.get(4).equals(11) ? Cells.MISSING : Double.valueOf(rows.size()));
      rows.add(changed);
    }
    Cells table = new Cells("here", people(3, 1).names(), rows);
    assertThat(described(table, "y", "age")).isEmpty();
    assertThat(described(table, "y", "age")).as("the same again").isEmpty();
    assertThat(asks("y ~ z", table)).as("y of one row would show").isFalse();
    assertThat(asks("sex ~ z", table)).as("no sum of y is in it").isTrue();
    assertThat(described(table, "sex", "z", "id"))
        .as("sums of sex over all rows but one are known")
        .containsExactly("sex");
    assertThat(described(without(table, 5), "y", "age")).containsExactlyInAnyOrder("y", "age");
  }

  /** Columns that lack other rows than each other show none of them. */
  @Test
  void describe_columnsThatLackSingleRows_areAllTold() {
    List<List<Object>> rows = new ArrayList<>();
    for (List<Object> row : people(4, 30).rows()) {
      List<Object> changed = new ArrayList<>(row);
      changed.set(3, row.get(4).equals(2) ? Cells.MISSING : Double.valueOf(rows.size()));
      changed.set(1, row.get(4).equals(9) ? Cells.MISSING : row.get(1));
      rows.add(changed);
    }
    Cells table = new Cells("here", people(4, 1).names(), rows);
    assertThat(described(table, "y", "age", "z")).isEmpty();
    assertThat(asks("y ~ sex", table)).as("the rows that y was described over").isTrue();
    assertThat(asks("y ~ age", table)).isFalse();
  }

  /** Three rows lack z, one of each level: counts of levels, subtracted, show each of them. */
  @Test
  void describe_levelsThatDifferByOneRow_areWithheldOrRefused() throws Exception {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      rows.add(
          new Object[] {Math.sin(i), "pqr".charAt(i % 3) + "", i < 3 ? Cells.MISSING : 0.5 + i});
    }
    Cells table = Cells.of("here", "y,g,z", rows.toArray(Object[][]::new));
    assertThat(asks("y ~ g + z", table)).isTrue();
    assertThat(described(table, "g", "z")).containsExactly("g");
    Files.delete(state.resolve("answers"));
    assertThat(described(table, "g")).isEmpty();
    assertThat(asks("y ~ z", table)).as("nothing of g is in it").isTrue();
    assertThat(asks("y ~ g + z", table)).isFalse();
    assertThat(asks("y ~ g", table)).as("the rows that were described").isTrue();
  }

  @Test
  void describedOtherwise_overOtherRows_isKnownAlsoAfterARestart() {
    Cells all = people(5, 40);
    Cells fewer = without(all, 1, 2, 3, 4);
    assertThat(otherwise(all)).isEmpty();
    assertThat(otherwise(all)).as("the same again").isEmpty();
    assertThat(otherwise(fewer)).containsExactly("age");
    assertThat(otherwise(fewer)).as("the same again").containsExactly("age");
    assertThat(otherwise(all)).as("the first, again").isEmpty();
    assertThat(described(without(all, 5, 6, 7), "y")).isEmpty();
    assertThat(otherwise(all)).as("another column over other rows").isEmpty();
    assertThat(asks("y ~ age", without(all, 1, 2, 3, 4, 5))).as("1 from a description").isFalse();
    assertThat(asks("y ~ sex", without(all, 8, 9, 10))).isTrue();
    assertThat(otherwise(all)).as("a model over other rows").isEmpty();
  }

  private Set<String> otherwise(Cells table) {
    AnswerMemory memory = AnswerMemory.in(state);
    Map<String, UsedRows> rows =
        DescribedRows.of(
            table,
            new Description.Settings(List.of("age"), false, false),
            DisclosureRules.STANDARD,
            memory.digest());
    byte[] run = table.rows().toString().getBytes(StandardCharsets.UTF_8);
    Set<String> otherwise = memory.describedOtherwise(run, rows, FEWEST);
    memory.remember(run, rows, FEWEST, true);
    return otherwise;
  }

  @Test
  void binsOtherwise_inOtherBins_isKnownAlsoAfterARestart() {
    Cells all = people(6, 40);
    assertThat(bins(all, "first", "0.0 0.5 64")).isEmpty();
    assertThat(bins(all, "first", "0.0 0.5 64")).as("the same run again").isEmpty();
    assertThat(bins(all, "second", "0.0 0.5 64")).as("in the same bins").isEmpty();
    assertThat(bins(all, "third", "0.25 0.5 64")).containsExactly("age");
    assertThat(bins(all, "third", "0.25 0.5 64")).as("the same again").containsExactly("age");
    assertThat(bins(all, "fourth", "0.0 0.5 64")).as("as at first").isEmpty();
    assertThat(bins(all, "fifth", "0.25 0.5 64", false)).as("a site that warns").contains("age");
    assertThat(bins(all, "fifth", "0.25 0.5 64")).as("what it has told before").isEmpty();
    assertThat(asks("y ~ I(age < 40)", all)).as("a model").isTrue();
  }

  private Set<String> bins(Cells table, String run, String layout) {
    return bins(table, run, layout, true);
  }

  private Set<String> bins(Cells table, String run, String layout, boolean refuses) {
    AnswerMemory memory = AnswerMemory.in(state);
    Map<String, UsedRows> rows =
        DescribedRows.of(
            table,
            new Description.Settings(List.of("age"), false, false),
            DisclosureRules.STANDARD,
            memory.digest());
    byte[] bytes = run.getBytes(StandardCharsets.UTF_8);
    memory.remember(bytes, rows, FEWEST, true);
    return memory.binsOtherwise(bytes, Map.of("age", layout), refuses);
  }

  /** As a new site that is asked two questions at the same time has them. */
  @Test
  void digest_ofTwoQuestionsBegunAtOnce_knowsTheSameRows() {
    AnswerMemory one = AnswerMemory.in(state);
    AnswerMemory other = AnswerMemory.in(state);
    byte[] row = {1, 2, 3};
    assertThat(one.digest().of(row)).isEqualTo(other.digest().of(row));
    assertThat(AnswerMemory.in(state.resolve("another site")).digest().of(row))
        .as("nobody can compute it who does not know the site's own key")
        .isNotEqualTo(one.digest().of(row));
  }

  @Test
  void isolated_rowSetsThatDifferByOneOrTwo_areRefusedAndOthersNot() {
    Cells all = people(1, 40);
    assertThat(asks("y ~ age", all)).isTrue();
    assertThat(asks("y ~ age", all)).as("the same again").isTrue();
    assertThat(asks("y ~ age + sex", all)).as("the same rows").isTrue();
    assertThat(asks("y ~ age", without(all, 7))).isFalse();
    assertThat(asks("y ~ age", without(all, 7, 9))).isFalse();
    assertThat(asks("y ~ age", without(all, 7, 9, 11))).isTrue();
    assertThat(asks("y ~ age", without(all, 7, 9, 11, 12))).as("1 from the last").isFalse();
    List<List<Object>> changed = new ArrayList<>(all.rows());
    changed.set(3, List.of(9.5, 31, 1, 0.5, 3));
    assertThat(asks("y ~ age", new Cells("here", all.names(), changed)))
        .as("a row with other values")
        .isFalse();
  }

  /** Neither differs from one other by few rows; the three together do. */
  @Test
  void isolated_threeQuestionsThatLeaveOneRow_areRefused() {
    Cells all = people(2, 41);
    int[] low = new int[20];
    int[] high = new int[21];
    for (int i = 0; i < 21; i++) {
      high[i] = 20 + i;
      low[i % 20] = i % 20;
    }
    assertThat(asks("y ~ 1", all)).isTrue();
    assertThat(asks("y ~ 1", without(all, high))).isTrue();
    int[] lowAndOne = new int[21];
    System.arraycopy(low, 0, lowAndOne, 0, 20);
    lowAndOne[20] = 40;
    assertThat(asks("y ~ 1", without(all, lowAndOne))).isFalse();
    assertThat(asks("y ~ 1", without(all, low))).as("the rest alone").isTrue();
  }

  /** The rows that an attacker knows to be in a difference of two answered cuts. */
  private static long cell(Cells table, int from, int to, Predicate<List<Object>> also) {
    return table.rows().stream()
        .filter(row -> (int) row.get(1) >= from && (int) row.get(1) < to)
        .filter(also)
        .count();
  }

  /**
   * Asks every cut of a column, with and without another, in random order, and subtracts whatever
   * was answered, pair by pair, alone and within each class that both were crossed with.
   */
  @Test
  void isolated_everyCutAskedInAnyOrder_leavesNoCellBelowTheMinimum() throws Exception {
    int refused = 0;
    int couldHave = 0;
    for (int seed = 0; seed < 8; seed++) {
      Cells table = people(seed, 60);
      List<String> questions = new ArrayList<>();
      for (int cut = 31; cut < 50; cut++) {
        questions.add("y ~ I(age < %d)".formatted(cut));
        questions.add("y ~ I(age < %d) + factor(sex)".formatted(cut));
      }
      Collections.shuffle(questions, new Random(seed));
      Files.deleteIfExists(state.resolve("answers"));
      List<String> answered = new ArrayList<>();
      for (String question : questions) {
        if (asks(question, table)) {
          answered.add(question);
        } else {
          refused++;
        }
      }
      assertThat(answered).isNotEmpty();
      for (String one : questions) {
        for (String two : questions) {
          int from = Integer.parseInt(one.replaceAll("\\D+", " ").strip());
          int to = Integer.parseInt(two.replaceAll("\\D+", " ").strip());
          boolean known = answered.contains(one) && answered.contains(two);
          for (int sex = -1; sex < 2; sex++) {
            int wanted = sex;
            boolean crossed = one.contains("sex") && two.contains("sex");
            if (from >= to || (sex >= 0 && !crossed)) {
              continue;
            }
            long rows = cell(table, from, to, row -> wanted < 0 || row.get(2).equals(wanted));
            boolean small = rows > 0 && rows < FEWEST;
            couldHave += small ? 1 : 0;
            assertThat(known && small)
                .as("seed %d: %s minus %s, sex %d: %d rows", seed, two, one, sex, rows)
                .isFalse();
          }
        }
      }
    }
    assertThat(refused).isPositive();
    assertThat(couldHave).as("without a memory").isGreaterThan(100);
  }

  /** A value that some rows lack selects the others. */
  @Test
  void isolated_missingValues_selectRows() {
    Cells all = people(3, 40);
    List<List<Object>> rows = new ArrayList<>();
    for (List<Object> row : all.rows()) {
      rows.add(
          List.of(
              row.get(0),
              row.get(1),
              row.get(2),
              (int) row.get(4) == 5 ? Cells.MISSING : 0.5 + (int) row.get(4),
              row.get(4)));
    }
    Cells one = new Cells("here", all.names(), rows);
    assertThat(asks("y ~ age", one)).isTrue();
    assertThat(asks("y ~ age + z", one)).isFalse();
  }

  /**
   * Three questions have more classes and cells than can be looked at together, each two of them
   * have not. Of nine rows every class of one factor has three, each cell of two factors one.
   */
  @Test
  void isolated_moreCellsThanCanBeLookedAt_areLookedAtQuestionByQuestion() {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 4800; i++) {
      int g = i % 20;
      int h = i / 20 % 20;
      int block = i / 1600;
      rows.add(
          new Object[] {
            0.5 + i,
            "g" + g,
            "h" + h,
            block == 0 ? Cells.MISSING : 1.5 + i,
            block == 1 ? Cells.MISSING : 1.5 + i,
            i < 400 && g < 3 && h < 3 ? Cells.MISSING : 1.5 + i
          });
    }
    Cells table = Cells.of("here", "y,g,h,u,v,w", rows.toArray(Object[][]::new));
    assertThat(asks("y ~ g + h", table)).isTrue();
    assertThat(asks("y ~ g + h + u", table)).isTrue();
    assertThat(asks("y ~ g + h + v", table)).isTrue();
    assertThat(asks("y ~ g + w", table)).as("no cell is counted").isTrue();
    assertThat(asks("y ~ g + h + w", table)).as("each cell lacks one row").isFalse();
  }

  /** An offset of zero times a column leaves the model alone and takes the rows that have it. */
  @Test
  void isolated_nestedModelsOnCommonRows_areAnswered() {
    Cells some = people(4, 40);
    assertThat(asks("y ~ age + z", some)).isTrue();
    assertThat(asks("y ~ age + offset(0 * z)", some)).isTrue();
    assertThat(asks("y ~ 1 + offset(0 * z)", some)).isTrue();
  }

  /** Thirty people on either side of forty, and some at forty with this sex. */
  private static Cells aroundForty(int... sexes) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 60 + sexes.length; i++) {
      int age = i < 30 ? 30 + i % 10 : i < 60 ? 41 + i % 9 : 40;
      rows.add(new Object[] {Math.sin(i), age, i < 60 ? i % 2 : sexes[i - 60], Math.cos(3 * i), i});
    }
    return Cells.of("here", "y,age,sex,z,id", rows.toArray(Object[][]::new));
  }

  /**
   * A site that follows no counts of cells still refuses two cuts of a column with one or two rows
   * of a class between them, if both were crossed with it.
   */
  @Test
  void isolated_fewRowsOfAClassBetweenTwoCuts_areRefusedUnderPairs() throws Exception {
    List<String> cuts = List.of("y ~ I(age < 40) + sex", "y ~ I(age < 41) + sex");
    for (List<String> order : List.of(cuts, cuts.reversed())) {
      for (int[] few : new int[][] {{1, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 1, 0}}) {
        Files.deleteIfExists(state.resolve("answers"));
        assertThat(asks(order.getFirst(), aroundForty(few), PAIRS)).isTrue();
        assertThat(asks(order.getLast(), aroundForty(few), PAIRS)).isFalse();
      }
      for (int[] enough : new int[][] {{0, 0, 0, 0}, {1, 1, 1}, {1, 1, 1, 0, 0, 0}}) {
        Files.deleteIfExists(state.resolve("answers"));
        assertThat(asks(order.getFirst(), aroundForty(enough), PAIRS)).isTrue();
        assertThat(asks(order.getLast(), aroundForty(enough), PAIRS)).isTrue();
      }
    }
    Cells one = aroundForty(1, 0, 0, 0);
    Files.delete(state.resolve("answers"));
    assertThat(asks("y ~ I(age < 40) + sex", one, PAIRS)).isTrue();
    assertThat(asks("y ~ I(age < 41)", one, PAIRS)).as("not crossed with sex").isTrue();
    assertThat(asks("y ~ I(id < 27) + sex", one, PAIRS)).as("a cut of another column").isTrue();
    assertThat(asks("y ~ I(age < 40) * sex", one, PAIRS)).as("the same cut").isTrue();
  }

  /** Two that are judged before either is remembered: whichever comes second is refused then. */
  @Test
  void remember_whatWasJudgedBeforeAnotherWasAnswered_isRefusedThen() {
    Cells all = people(7, 40);
    Cells fewer = without(all, 7);
    for (boolean refuses : List.of(true, false)) {
      AnswerMemory one = AnswerMemory.in(state.resolve("of models " + refuses));
      AnswerMemory other = AnswerMemory.in(state.resolve("of models " + refuses));
      byte[] first = {1};
      byte[] second = {2};
      UsedRows rows = used(all, one);
      UsedRows close = used(fewer, other);
      assertThat(one.isolated(first, rows, FEWEST)).isEmpty();
      assertThat(other.isolated(second, close, FEWEST)).isEmpty();
      one.remember(first, rows, FEWEST, refuses);
      if (refuses) {
        assertThatThrownBy(() -> other.remember(second, close, FEWEST, true))
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining("another question was answered meanwhile");
      } else {
        other.remember(second, close, FEWEST, false);
      }
      assertThat(other.isolated(second, close, FEWEST).isPresent()).isEqualTo(refuses);
    }
  }

  private static UsedRows used(Cells table, AnswerMemory memory) {
    return SiteDisclosure.of(
            Formula.parse("y ~ age"), table, DisclosureRules.STANDARD, Optional.of(memory.digest()))
        .used()
        .orElseThrow();
  }

  @Test
  void remember_descriptionsJudgedBeforeAnotherWasTold_areRefusedThen() {
    Cells all = people(8, 40);
    AnswerMemory one = AnswerMemory.in(state);
    AnswerMemory other = AnswerMemory.in(state);
    Map<String, UsedRows> rows =
        DescribedRows.of(
            all,
            new Description.Settings(List.of("y"), false, false),
            DisclosureRules.STANDARD,
            one.digest());
    Map<String, UsedRows> close =
        DescribedRows.of(
            without(all, 3),
            new Description.Settings(List.of("y"), false, false),
            DisclosureRules.STANDARD,
            other.digest());
    byte[] first = {1};
    byte[] second = {2};
    assertThat(other.isolating(second, close, FEWEST)).isEmpty();
    one.remember(first, rows, FEWEST, true);
    assertThatThrownBy(() -> other.remember(second, close, FEWEST, true))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("another question was answered meanwhile");
  }

  /** Another process that writes is waited for, and what it wrote is not lost. */
  @Test
  void remember_whileAnotherHoldsTheFile_waitsForIt() throws Exception {
    Cells all = people(9, 40);
    AnswerMemory memory = AnswerMemory.in(state);
    UsedRows rows = used(all, memory);
    byte[] run = {1};
    CompletableFuture<Void> remembered;
    try (FileChannel held =
            FileChannel.open(
                state.resolve("answers.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = held.lock()) {
      remembered = CompletableFuture.runAsync(() -> memory.remember(run, rows, FEWEST, true));
      assertThatThrownBy(() -> remembered.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
    }
    remembered.get(30, TimeUnit.SECONDS);
    assertThat(AnswerMemory.in(state).isolated(run, used(without(all, 2), memory), FEWEST))
        .as("the run is known")
        .isEmpty();
  }

  @Test
  void remember_itsFile_isPrivateAndHoldsNoValue() throws Exception {
    assertThat(asks("y ~ age", people(1, 40))).isTrue();
    Path file = state.resolve("answers");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> asks("y ~ age", people(1, 40)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("it has been changed or cut");
  }
}
