package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.peer.plan.PlanTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A site whose rows do not fit the memory that it allows. Oracle: the same site with enough. */
class FiledSiteTest {
  private static final String NOTHING_MORE = "";
  private static final String ROUNDS = "algorithm: ngd\nalpha: 0.05\nrounds: 10\n";

  private static final String RISK_SETS = "formula: Surv(y, b) ~ x\nfamily: cox\n";
  private static final String WITHIN_SITES =
      "formula: Surv(y, b) ~ x + strata(site)\nfamily: cox\n";
  private static final String BATCHES = ROUNDS + "batch: 4\n";
  private static final String CURVES = "formula: Surv(y, b) ~ strata(g)\nfamily: survival\n";
  private static final String PENALTY = "penalty: lasso\nfolds: 5\n";

  @TempDir private Path folder;

  private static PlanTemplate plan(String more) {
    PlanTemplate plan =
        new PlanTemplate()
            .with("federation", "test")
            .with("network", "complete")
            .with("formula", "b ~ x + g + offset(o)")
            .with("family", "binomial");
    for (String line : more.lines().toList()) {
      plan = plan.with(line.replaceAll(":.*", ""), line.replaceAll(".*: ", ""));
    }
    return plan;
  }

  private List<CompletableFuture<SiteAnswer>> answers(String name, String more, String policy)
      throws IOException, InterruptedException {
    Path place = folder.resolve(name);
    SiteFederation federation = new SiteFederation(place, 3, plan(more));
    List<SiteTables> tables =
        Stream.of(0, 1, 2).map(m -> SiteTables.drawn("site-" + m, m, 40 + 10 * m)).toList();
    Path own = place.resolve("site-1").resolve("site.yaml");
    if (!policy.isEmpty()) {
      Files.writeString(own, "nfilter.tab: 1\nnfilter.subset: 1\n" + policy);
    }
    return federation.run(tables, SiteFederation.Seams.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {NOTHING_MORE, ROUNDS, RISK_SETS, WITHIN_SITES, CURVES, BATCHES, PENALTY})
  void run_oneSitesRowsInAFile_givesEverySiteTheSameAnswer(String more) throws Exception {
    // The rules are the same, as folds follow from them.
    var held = answers("held", more, "differencing: off\n");
    var filed = answers("filed", more, "differencing: off\nmemory: 1k\n");
    for (int m = 0; m < 3; m++) {
      assertThat(filed.get(m).get().answer().json().toString())
          .isEqualTo(held.get(m).get().answer().json().toString());
      assertThat(filed.get(m).get().dataHash()).isEqualTo(held.get(m).get().dataHash());
    }
    try (Stream<Path> all = Files.walk(folder)) {
      assertThat(all.filter(file -> file.getFileName().toString().startsWith(".ngd-rows")))
          .isEmpty();
    }
  }

  @Test
  void run_rowsThatTheMemoryOfAnswersCannotKnow_isRefused() throws Exception {
    var answers = answers("known", NOTHING_MORE, "memory: 1k\n");
    assertThatThrownBy(() -> answers.get(1).get())
        .hasRootCauseInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("site site-1: its memory of answers", "differencing: off");
  }
}
