package ngd.peer.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.formula.Formula;
import ngd.core.model.TimeGrid;
import ngd.core.preparation.Disclosure;
import ngd.core.preparation.DisclosureRefusal;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.EarlierAnswers;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.SiteDisclosure;
import ngd.core.preparation.Sites;
import ngd.peer.Cells;
import ngd.peer.SiteMemories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whoever asks a site for survival curves at other and other times, by other and other groups, and
 * for models of whether somebody lived to a time, and subtracts the published counts. Oracle:
 * linear algebra over the rows one by one.
 */
class TimesAttackTest {
  private static final int ROWS = 80;

  /** Sequences that must be dangerous for the attack to mean something. */
  private static final int ENOUGH = 5;

  private static DisclosureRules rules(int tab, int subset) {
    DisclosureRules usual = DisclosureRules.STANDARD;
    return new DisclosureRules(
        tab,
        subset,
        usual.glm(),
        usual.levelsMax(),
        usual.levelsDensity(),
        usual.cells(),
        usual.differencing());
  }

  @TempDir Path state;

  /**
   * A question.
   *
   * @param times none where the sites find them, or where it is no question of times
   */
  private record Asked(String formula, Optional<List<Double>> times, Cells table) {
    @Override
    public String toString() {
      return "%s at %s of %d rows".formatted(formula, times, table.rows().size());
    }
  }

  /** Times, events, two groups, a 0/1 column, the number of the row, and times in other units. */
  private static Cells people(int seed) {
    Random random = new Random(seed);
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      int time = 1 + random.nextInt(40);
      rows.add(
          new Object[] {
            time,
            random.nextInt(2),
            "pq".charAt(random.nextInt(2)) + "",
            random.nextInt(2),
            i,
            2 * time
          });
    }
    return Cells.of("here", "time,event,g,a,id,twice", rows.toArray(Object[][]::new));
  }

  private static List<Asked> questions(Cells all) {
    List<Optional<List<Double>>> grids =
        List.of(
            Optional.of(List.of(10.0, 20.0, 30.0, 40.0)),
            Optional.of(List.of(11.0, 20.0, 30.0, 40.0)),
            Optional.of(List.of(20.0, 31.0, 40.0)),
            Optional.of(List.of(15.0, 25.0, 40.0)),
            Optional.of(List.of(12.0, 40.0)),
            Optional.of(List.of(40.0)),
            Optional.of(List.of(20.0)),
            Optional.empty());
    Cells fewer = new Cells(all.site(), all.names(), all.rows().subList(0, ROWS - 6));
    List<Asked> found = new ArrayList<>();
    for (String terms :
        List.of("1", "strata(g)", "strata(a)", "strata(g, a)", "a", "a + strata(g)")) {
      for (Optional<List<Double>> times : grids) {
        found.add(new Asked("Surv(time, event) ~ " + terms, times, all));
        if (terms.equals("1") || terms.equals("strata(g)")) {
          for (String weights : List.of(" + weights(a)", " + weights(a + 1)")) {
            found.add(new Asked("Surv(time, event) ~ " + terms + weights, times, all));
          }
        }
        if (terms.equals("1")) {
          found.add(new Asked("Surv(twice, event) ~ 1", times.map(TimesAttackTest::twice), all));
          found.add(new Asked("Surv(time, event) ~ " + terms, times, fewer));
        }
      }
    }
    for (int cut : List.of(10, 12, 20, 30)) {
      found.add(new Asked("event ~ I(time < %d)".formatted(cut), Optional.empty(), all));
    }
    return found;
  }

  private static List<Double> twice(List<Double> times) {
    return times.stream().map(time -> 2 * time).toList();
  }

  /** One site alone. */
  private static final class Alone implements Totals {
    @Override
    public double[] total(double[]... perRow) {
      return Totals.finite(perRow[0].clone());
    }

    @Override
    public double max(double... perRow) {
      return Totals.largest(perRow);
    }
  }

  /**
   * What the answer shows: sets of rows over which it has counts; nothing where the site refuses.
   *
   * @param remembers whether the site compares the question with earlier ones
   */
  private Optional<List<double[]>> answer(Asked asked, DisclosureRules rules, boolean remembers) {
    AnswerMemory memory = AnswerMemory.in(state);
    byte[] run = asked.toString().getBytes(StandardCharsets.UTF_8);
    Formula formula = Formula.parse(asked.formula());
    SiteDisclosure found =
        SiteDisclosure.of(formula, asked.table(), rules, Optional.of(memory.digest()));
    EarlierAnswers earlier =
        remembers ? SiteMemories.of(memory, rules, run, found) : EarlierAnswers.NONE;
    try {
      Preparation prepared =
          Preparation.of(
              formula,
              Sites.all(List.of(asked.table())),
              new Alone(),
              Missing.DROP,
              Disclosure.refusing(
                  found,
                  () -> {
                    if (remembers) {
                      SiteMemories.remember(memory, rules, run, found);
                    }
                  },
                  earlier));
      if (formula.survival().isEmpty()) {
        return Optional.of(classes(asked));
      }
      Shards shards = prepared.shards();
      TimeGrid grid = prepared.timeGrid(shards, new Alone(), asked.times());
      return Optional.of(counts(asked, grid.of(shards).shard(0), grid));
    } catch (DisclosureRefusal refused) {
      return Optional.empty();
    }
  }

  /** Rows at risk at each time, and those with an event, in each stratum, with their weights. */
  private static List<double[]> counts(Asked asked, Shard shard, TimeGrid grid) {
    List<double[]> found = new ArrayList<>();
    for (int stratum = 0; stratum < grid.strata().size(); stratum++) {
      int own = stratum;
      for (double time : grid.times()) {
        found.add(
            weighted(
                asked, shard, i -> shard.time(i).stratum() == own && shard.time(i).stop() >= time));
        found.add(
            weighted(
                asked,
                shard,
                i ->
                    shard.time(i).stratum() == own
                        && shard.time(i).stop() == time
                        && shard.y(i) > 0));
      }
    }
    return found;
  }

  /** Rows before and after a time, with and without an event. */
  private static List<double[]> classes(Asked asked) {
    int cut = Integer.parseInt(asked.formula().replaceAll("\\D", ""));
    List<double[]> found = new ArrayList<>();
    for (boolean early : List.of(true, false)) {
      for (int event : List.of(0, 1)) {
        found.add(
            rows(
                asked,
                i -> {
                  List<Object> row = asked.table().rows().get(i);
                  return (int) row.get(0) < cut == early && (int) row.get(1) == event;
                }));
      }
    }
    return found;
  }

  private static double[] weighted(Asked asked, Shard shard, Predicate<Integer> in) {
    double[] vector = rows(asked, in);
    for (int i = 0; i < shard.rows(); i++) {
      vector[(int) asked.table().rows().get(i).get(4)] *= shard.weight(i);
    }
    return vector;
  }

  private static double[] rows(Asked asked, Predicate<Integer> in) {
    double[] vector = new double[ROWS];
    for (int i = 0; i < asked.table().rows().size(); i++) {
      vector[(int) asked.table().rows().get(i).get(4)] = in.test(i) ? 1 : 0;
    }
    return vector;
  }

  /** Also of a site that lets two questions differ in more rows than one may show. */
  @ParameterizedTest
  @CsvSource({"3, 3", "3, 5"})
  void curvesAndModels_whateverIsAnswered_singleOutNobody(int tab, int subset) throws Exception {
    DisclosureRules rules = rules(tab, subset);
    List<Asked> alone = new ArrayList<>();
    for (Asked one : questions(people(1))) {
      forget();
      answer(one, rules, true)
          .ifPresent(
              sums -> {
                assertThat(RowAlgebra.singledOut(sums)).as(one.toString()).isZero();
                alone.add(one);
              });
    }
    assertThat(alone).as("questions that are answered alone").hasSizeGreaterThan(15);
    assertThat(alone).anyMatch(one -> one.times().isEmpty());
    Random random = new Random(4);
    int dangerous = 0;
    int several = 0;
    for (int n = 0; n < 60; n++) {
      forget();
      List<double[]> told = new ArrayList<>();
      List<double[]> withoutMemory = new ArrayList<>();
      List<String> asked = new ArrayList<>();
      int answered = 0;
      for (int k = 0; k < 3; k++) {
        Asked one = alone.get(random.nextInt(alone.size()));
        asked.add(one.toString());
        Optional<List<double[]>> sums = answer(one, rules, true);
        sums.ifPresent(told::addAll);
        answered += sums.isPresent() ? 1 : 0;
        answer(one, rules, false).ifPresent(withoutMemory::addAll);
      }
      several += answered > 1 ? 1 : 0;
      dangerous +=
          dangerous < ENOUGH && answered < 3 && RowAlgebra.singledOut(withoutMemory) > 0 ? 1 : 0;
      assertThat(RowAlgebra.singledOut(told)).as(asked.toString()).isZero();
    }
    assertThat(dangerous).as("sequences that no site may answer").isEqualTo(ENOUGH);
    assertThat(several).as("sequences of which several were answered").isGreaterThan(10);
  }

  /** A site whose rules let single rows show still answers, and more than once. */
  @Test
  void curves_whereSingleRowsMayShow_areAnswered() {
    Cells people = people(1);
    List<Double> times = List.of(10.0, 20.0, 40.0);
    for (String formula : List.of("Surv(time, event) ~ 1", "Surv(time, event) ~ strata(g)")) {
      assertThat(answer(new Asked(formula, Optional.of(times), people), rules(1, 3), true))
          .as(formula)
          .isPresent();
    }
  }

  private void forget() throws Exception {
    Files.deleteIfExists(state.resolve("answers"));
  }
}
