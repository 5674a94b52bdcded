package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import ngd.core.answer.ImputedAnswer;
import ngd.core.data.SiteTable;
import ngd.core.inference.FitProgress;
import ngd.core.inference.GapDraws;
import ngd.core.inference.ImputedEstimate;
import ngd.core.inference.PooledFit;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.Sites;
import ngd.core.question.ClientKeys;
import ngd.core.question.ImputationKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Peers fill their gaps with numbers that nobody else knows, so that no rehearsal has their bits.
 * Here somebody looks over every site's shoulder and hands the simulator the same numbers: all else
 * is one code. Oracle: the simulator.
 */
class SameDrawsTest {
  private static final int SITES = 3;

  @TempDir Path folder;

  private static SiteTables table(int site) {
    SiteTables whole = SiteTables.drawn("site-" + site, site, 40 + 15 * site);
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < whole.rows().size(); i++) {
      List<String> row = new ArrayList<>(whole.rows().get(i));
      if (i % 5 == site) {
        row.set(2, "");
      }
      if (i % 7 == 3) {
        row.set(0, "");
      }
      if (i % 6 == 1) {
        row.set(5, "");
      }
      rows.add(row);
    }
    return new SiteTables(whole.site(), rows);
  }

  @ParameterizedTest
  @ValueSource(strings = {"circle:1", "central", "complete"})
  void imputations_sameDraws_haveTheSimulatorsBits(String network) throws Exception {
    PlanTemplate template =
        new PlanTemplate()
            .with("federation", "test")
            .with("network", network)
            .with("formula", "y ~ x + g + w")
            .with("family", "gaussian")
            .with("impute", "4")
            .with("impute-iterations", "2");
    List<SiteTable> tables = new ArrayList<>();
    for (int m = 0; m < SITES; m++) {
      tables.add(table(m).written(folder));
    }
    Map<Integer, GapDraws> drawn = new ConcurrentHashMap<>();
    var answers =
        new SiteFederation(folder.resolve("peers"), SITES, template)
            .run(
                tables,
                site ->
                    new SiteRun.Seams() {
                      @Override
                      public GapDraws draws(GapDraws real) {
                        drawn.put(site, real);
                        return real;
                      }
                    });
    assertThat(drawn).hasSize(SITES);

    List<Site> named =
        IntStream.range(0, SITES).mapToObj(m -> Site.of("site-" + m, "a:" + (1 + m))).toList();
    Plan plan = PlanReader.parse(template.text(named)).plan();
    Streams streams = ClientKeys.streams(plan.question());
    ImputedEstimate seeded = simulated(plan, tables, GapDraws.seeded(streams));
    ImputedEstimate same = simulated(plan, tables, (k, client) -> drawn.get(client).of(k, client));
    for (var answer : answers) {
      ImputedAnswer found = (ImputedAnswer) answer.get().answer();
      assertThat(json(found, same)).isEqualTo(found.json().toString());
      assertThat(json(found, seeded)).isNotEqualTo(found.json().toString());
    }
  }

  /** An answer with another estimate. */
  private static String json(ImputedAnswer answer, ImputedEstimate estimate) {
    return ImputedAnswer.of(answer.model(), estimate, false, answer.rowsUsed()).json().toString();
  }

  private static ImputedEstimate simulated(Plan plan, List<SiteTable> tables, GapDraws draws) {
    Question question = plan.question();
    Network network = plan.network();
    Streams streams = ClientKeys.streams(question);
    Preparation prepared =
        Preparation.of(
            ModelKeys.wholeFormula(question),
            new Sites(plan.names(), 0, tables),
            Simulation.exchange(plan.schedule()),
            Missing.DROP);
    PooledFit fit =
        PooledFit.on(
            network, new Linear(), prepared.design().coefficients(), PooledKeys.settings(question));
    return new Simulation(network, new Linear().over(prepared.shards()), streams, 1)
        .within(
            (world, _) ->
                ImputationKeys.fit(question, fit, prepared.design())
                    .run(world, prepared.incomplete(), 0, streams, draws, FitProgress.NONE));
  }
}
