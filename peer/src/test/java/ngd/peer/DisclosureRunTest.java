package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import ngd.core.NumberText;
import ngd.core.answer.PooledAnswer;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import ngd.core.inference.ResidualSummary;
import ngd.core.preparation.DisclosureRefusal;
import ngd.peer.bench.FreePorts;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.status.PeerStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real peers with rules of their own: what leaves a site that refuses, and what the others hear.
 */
class DisclosureRunTest {
  private static final int SITES = 3;
  private static final String OBJECTOR = "site-1";

  /**
   * A greeting, two commitments of 32 bytes, one masked number and receipts, with room to spare.
   */
  private static final long FEW_BYTES = 2500;

  @TempDir Path folder;
  private int trials;

  @BeforeEach
  void pack() throws IOException {
    packed(folder.resolve("a"), "y ~ x + b + g");
  }

  private static void packed(Path into, String formula) throws IOException {
    packed(into, new PlanTemplate().with("formula", formula));
  }

  private static void packed(Path into, PlanTemplate asked) throws IOException {
    List<Site> sites = new ArrayList<>();
    List<Integer> ports = FreePorts.take(SITES);
    for (int m = 0; m < SITES; m++) {
      sites.add(Site.of("site-" + m, "127.0.0.1:" + ports.get(m)));
    }
    String text = asked.with("federation", "test").with("network", "complete").text(sites);
    Files.createDirectories(into);
    Path file = into.resolve("plan.yaml");
    Files.writeString(file, text);
    WrittenPlan plan = PlanReader.parse(text);
    Authority authority =
        Authority.create(into.resolve("authority"), "test", InstantSource.system());
    Packing.allLocal(authority, plan, file, into);
  }

  /** Rows that every rule allows, in lists that can be changed. */
  private static Object[][] rows(int count) {
    Object[][] rows = new Object[count][];
    for (int i = 0; i < count; i++) {
      rows[i] =
          new Object[] {Math.sin(i) + 2, Math.cos(3 * i) + 2, i % 2, "pqr".charAt(i / 2 % 3) + ""};
    }
    return rows;
  }

  private static Cells table(int site, Object[][] rows) {
    return Cells.of("site-" + site, "y,x,b,g", rows);
  }

  /** A table that knows how many bytes had left its site whenever it was read. */
  private static final class Watched extends TableOver {
    private final Supplier<PeerStatus> status;
    private final List<Integer> links;

    Watched(SiteTable table, Supplier<PeerStatus> status, List<Integer> links) {
      super(table);
      this.status = status;
      this.links = links;
    }

    @Override
    public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
      links.add(status.get().neighbours().size());
      super.scan(expressions, sink);
    }
  }

  /** What a site came to. */
  private record Outcome(Object answer, PeerStatus status, List<Integer> linksWhenRead) {
    String words() {
      return answer instanceof Throwable thrown ? String.valueOf(thrown.getMessage()) : "answered";
    }

    long bytesOut() {
      return status.neighbours().stream().mapToLong(PeerStatus.Neighbour::bytesOut).max().orElse(0);
    }
  }

  private List<Outcome> run(String kit, String memory, List<Cells> tables) throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SiteAnswer>> answers = new ArrayList<>();
      List<SiteRun> runs = new ArrayList<>();
      List<Watched> watched = new ArrayList<>();
      for (Cells table : tables) {
        PeerIdentity identity =
            PeerIdentity.open(
                Kit.open(folder.resolve(kit).resolve(table.site())),
                table.site(),
                InstantSource.system());
        SiteRun run =
            new SiteRun(
                identity, folder.resolve(memory).resolve("state-" + table.site()), "127.0.0.1");
        Watched read = new Watched(table, run.status(), new ArrayList<>());
        runs.add(run);
        watched.add(read);
        answers.add(threads.submit(() -> run.run(read)));
      }
      for (int m = 0; m < SITES; m++) {
        Object answer;
        try {
          answer = answers.get(m).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          answer = e.getCause();
        }
        outcomes.add(new Outcome(answer, runs.get(m).status().get(), watched.get(m).links));
      }
    }
    return outcomes;
  }

  private List<Outcome> run(Object[][] own, String rules) throws Exception {
    Files.writeString(folder.resolve("a").resolve(OBJECTOR).resolve("site.yaml"), rules);
    return run(
        "a", "trial-" + trials++, List.of(table(0, rows(36)), table(1, own), table(2, rows(48))));
  }

  private void refused(String reason, Object[][] own, String rules) throws Exception {
    List<Outcome> outcomes = run(own, rules);
    Outcome objector = outcomes.get(1);
    assertThat(objector.answer()).isInstanceOf(DisclosureRefusal.class);
    assertThat(objector.words()).contains("1 of 3 sites objects").contains(reason);
    assertThat(objector.linksWhenRead())
        .as("its rows are read before a link is opened, and never again")
        .isNotEmpty()
        .containsOnly(0);
    assertThat(objector.bytesOut()).as(reason).isBetween(1L, FEW_BYTES);
    assertThat(objector.status().toString()).as("why is no status").doesNotContain(reason);
    for (int other : List.of(0, 2)) {
      assertThat(outcomes.get(other).words())
          .startsWith(
              "disclosure: every site's own rules must allow the question; 1 of 3 sites objects. What often helps: ")
          .doesNotContain(reason);
      assertThat(outcomes.get(other).bytesOut()).isBetween(1L, FEW_BYTES);
    }
  }

  @Test
  void run_everyRuleOfASitesOwn_isRefusedBeforeAnythingOfTheRowsLeaves() throws Exception {
    refused("must have at least 3 complete rows (nfilter.subset); it has 2", rows(2), "");
    Object[][] rows = rows(36);
    rows[5][3] = "Smith";
    refused("g = Smith in 1 row", rows, "nfilter.tab: 1\ncells: single\n");
    rows = rows(36);
    for (int i = 0; i < 36; i++) {
      rows[i][2] = i == 7 || i == 9 ? 1 : 0;
    }
    refused("b = 1 in 2 rows", rows, "cells: single\n");
    for (int i = 0; i < 36; i++) {
      rows[i][0] = i == 7 || i == 9 ? 1 : 0;
      rows[i][2] = i % 2;
    }
    refused("y = 1 in 2 rows", rows, "cells: single\n");
    rows = rows(36);
    for (int i = 0; i < 36; i += 2) {
      rows[i][3] = i < 4 ? "r" : "p";
    }
    refused("b = 0, g = r in 2 rows; a class must have none or at least 3 (nfilter.tab)", rows, "");
    refused(
        "g must have at most 2 levels (nfilter.levels.max)", rows(36), "nfilter.levels.max: 2\n");
    refused(
        "(nfilter.levels.density); it has 3 in 36 rows",
        rows(36),
        "nfilter.levels.density: 0.05\n");
  }

  private Outcome objectorTo(String kit, Object[][] own) throws Exception {
    return run(
            kit,
            "trial-" + trials++,
            List.of(table(0, rows(90)), table(1, own), table(2, rows(96))))
        .get(1);
  }

  /** Survival curves show counts of groups, and of causes: all of them must be large enough. */
  @Test
  void run_curvesOfFewRows_areRefused() throws Exception {
    PlanTemplate curves =
        new PlanTemplate().with("formula", "Surv(x, b) ~ strata(g)").with("family", "survival");
    packed(folder.resolve("curves"), curves);
    assertThat(objectorTo("curves", rows(90)).answer()).isInstanceOf(SiteAnswer.class);
    Object[][] rows = rows(90);
    for (int i = 0; i < 90; i++) {
      rows[i][3] = i == 4 || i == 5 ? "r" : "p";
    }
    assertThat(objectorTo("curves", rows).words()).contains("g = r in 2 rows", "nfilter.tab");
    // Four causes and no event are five values: such a number is otherwise no class.
    rows = rows(90);
    for (int i = 0; i < 90; i++) {
      rows[i][2] = i < 2 ? 4 : i % 4;
    }
    assertThat(objectorTo("curves", rows).words()).contains("b = 4", "in 2 rows", "nfilter.tab");
    packed(folder.resolve("late"), curves.with("formula", "Surv(0.1 * y, x, b) ~ strata(g)"));
    rows = rows(90);
    for (int i = 0; i < 90; i++) {
      // One of p, four of q.
      rows[i][0] = List.of(0, 2, 3, 8, 9).contains(i) ? 1 + i / 10.0 : 0;
    }
    assertThat(objectorTo("late", rows).words())
        .contains("1 row starts late, stratum g=p", "nfilter.tab");
    packed(
        folder.resolve("fine"),
        curves.with("formula", "Surv(x, b) ~ strata(g)").with("times", "1.001,1.01,2,3"));
    assertThat(objectorTo("fine", rows(90)).words())
        .contains("between the times", "take fewer times");
  }

  /** Curves at two grids that differ by one row, which the counts, subtracted, would show. */
  @Test
  void run_curvesAtTimesNextToEarlierOnes_areRefusedAndTheSitesOwnAreNot() throws Exception {
    Object[][] rows = rows(90);
    double next =
        Arrays.stream(rows)
            .mapToDouble(row -> (double) row[1])
            .filter(x -> x > 1.5)
            .min()
            .orElse(0);
    PlanTemplate curves =
        new PlanTemplate().with("formula", "Surv(x, b) ~ 1").with("family", "survival");
    packed(folder.resolve("first"), curves.with("times", "1.5,2,3"));
    packed(folder.resolve("near"), curves.with("times", next + ",2,3"));
    packed(folder.resolve("again"), curves.with("times", "1.5,3"));
    packed(
        folder.resolve("groups"),
        new PlanTemplate().with("formula", "Surv(x, b) ~ strata(g)").with("family", "survival"));
    List<Cells> all = List.of(table(0, rows), table(1, rows), table(2, rows));
    assertThat(run("first", "kept", all)).allMatch(one -> one.answer() instanceof SiteAnswer);
    List<Outcome> near = run("near", "kept", all);
    assertThat(near.get(1).words())
        .contains("earlier answers and counts at these times, such as " + NumberText.text(next))
        .contains(
            "subtracted, would show fewer than 3 rows", "Take the times of an earlier answer");
    assertThat(run("near", "kept", all).get(1).words())
        .as("begun again")
        .isEqualTo(near.get(1).words());
    assertThat(run("again", "kept", all)).allMatch(one -> one.answer() instanceof SiteAnswer);
    assertThat(run("groups", "kept", all))
        .as("at times that the sites find")
        .allMatch(one -> one.answer() instanceof SiteAnswer);
  }

  /** What needs everybody's rows is refused when these are counted, before any sum of values. */
  @Test
  void run_tooManyCoefficients_isRefusedByCountsAlone() throws Exception {
    List<Outcome> outcomes = run(rows(36), "nfilter.glm: 0.05\n");
    assertThat(outcomes.get(1).words())
        .contains(
            "there must be at most 0.05 coefficients for each row (nfilter.glm); there are 5 for"
                + " the 84 rows of the other sites");
    assertThat(outcomes.get(0).words()).contains("1 of 3 sites objects", "offset(0 * COVARIATE)");
    // The design matrix is read in a further pass, after this one that counts rows and levels.
    assertThat(outcomes.get(1).linksWhenRead().stream().filter(links -> links > 0)).hasSize(1);
  }

  @Test
  void run_aRowFewerThanBefore_isRefusedOrAnsweredByPolicy() throws Exception {
    packed(folder.resolve("b"), "y ~ x + b");
    List<Cells> all = List.of(table(0, rows(36)), table(1, rows(36)), table(2, rows(48)));
    assertThat(run("a", "memory", all)).allMatch(outcome -> outcome.answer() instanceof SiteAnswer);
    List<Cells> fewer = List.of(all.get(0), table(1, rows(35)), all.get(2));
    List<Outcome> outcomes = run("b", "memory", fewer);
    assertThat(outcomes.get(1).words())
        .contains(
            "earlier answers and this one, subtracted, would show 1 row; at least 3 rows are needed")
        .as("what can be done")
        .contains("offset(0 * COVARIATE) in the formula keeps the model");
    assertThat(outcomes.get(1).linksWhenRead()).containsOnly(0);
    assertThat(outcomes.get(2).words()).contains("1 of 3 sites objects", "offset(0 * COVARIATE)");
    Files.writeString(
        folder.resolve("b").resolve(OBJECTOR).resolve("site.yaml"), "differencing: warn\n");
    assertThat(run("b", "memory", fewer))
        .as("the same run, after the site changed its mind")
        .allMatch(outcome -> outcome.answer() instanceof SiteAnswer);
  }

  private double quantilesWithin(String rules) throws Exception {
    List<Outcome> outcomes = run(rows(36), rules);
    assertThat(outcomes).allMatch(outcome -> outcome.answer() instanceof SiteAnswer);
    PooledAnswer answer = (PooledAnswer) ((SiteAnswer) outcomes.get(0).answer()).answer();
    ResidualSummary residuals = answer.diagnostics().residuals().orElseThrow();
    assertThat(residuals.quantiles()).isNotEmpty();
    return residuals.within();
  }

  /** Counts of residuals are as coarse as the site with the strictest rules makes its own. */
  @Test
  void run_aSitesOwnMinimum_holdsForCountsOfResidualsToo() throws Exception {
    double lenient = quantilesWithin("nfilter.tab: 1\n");
    assertThat(quantilesWithin("nfilter.tab: 12\ncells: single\n")).isGreaterThan(1.2 * lenient);
  }
}
