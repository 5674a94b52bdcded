package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import ngd.app.QuickStart;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A real peer that is started again in the middle of a run must find the data it began with. */
@ExtendWith(QuickStart.class)
class ChangedDataTest {
  private static final long PATIENCE_S = 120;
  private static final int ROUNDS = 6000;

  /** Column z is in no formula. */
  private static final List<String> COLUMNS = List.of("y", "x", "t", "w", "z");

  @TempDir Path dir;

  /** A site's file, in which one column's first value differs if that column is named. */
  private Path write(String site, String changed) throws IOException {
    StringBuilder rows = new StringBuilder(String.join(",", COLUMNS) + "\n");
    for (int i = 0; i < 40; i++) {
      Map<String, Integer> row =
          new TreeMap<>(Map.of("y", i * 7 % 5 % 2, "x", i * 3 % 7, "t", 1 + i % 4, "w", 1 + i % 2));
      row.put("z", i);
      if (i == 0 && !changed.isEmpty()) {
        row.merge(changed, 1, Integer::sum);
      }
      rows.append(String.join(",", COLUMNS.stream().map(c -> row.get(c).toString()).toList()));
      rows.append('\n');
    }
    return Files.writeString(dir.resolve(site + ".csv"), rows);
  }

  private static long refusals(LocalFederation federation) throws IOException {
    return Files.readAllLines(federation.site("north").resolve("log.err")).stream()
        .filter(
            line ->
                line.contains(
                    "site north: its data or its own rules have changed since this run began; that"
                        + " needs a new run (`run` in the plan)"))
        .count();
  }

  @Test
  void start_changedOffsetWeightPredictorOrResponse_isRefusedAndOtherColumnsAreFree()
      throws Exception {
    PlanTemplate plan =
        new PlanTemplate()
            .with("formula", "y ~ x + offset(log(t) / 10) + weights(w)")
            .with("family", "binomial")
            .with("network", "complete")
            .with("algorithm", "balanced-ngd")
            .with("alpha", "0.01")
            .with("rounds", Integer.toString(ROUNDS));
    List<Site> sites = List.of(new Site("north", "n", 7), new Site("south", "s", 7));
    List<TableAddress> data =
        List.of(
            TableAddress.of("north", write("north", "").toString()),
            TableAddress.of("south", write("south", "").toString()));
    Path folder = Files.createDirectory(dir.resolve("federation"));
    try (LocalFederation federation = LocalFederation.make(folder, plan.text(sites), data)) {
      federation.start();
      assertThat(federation.killUnderWay("north")).isTrue();
      assertThat(refusals(federation)).isZero();
      int refused = 0;
      for (String column : List.of("t", "w", "x", "y")) {
        write("north", column);
        federation.start("north");
        assertThat(federation.peer("north").waitFor(PATIENCE_S, TimeUnit.SECONDS))
            .as("a peer with another %s ends", column)
            .isTrue();
        assertThat(federation.peer("north").exitValue()).as(column).isEqualTo(2);
        assertThat(refusals(federation)).as(column).isEqualTo(++refused);
      }
      write("north", "z");
      federation.start("north");
      while (!federation.ended(50)) {
        assertThat(federation.seconds()).isLessThan(2 * PATIENCE_S);
      }
      assertThat(refusals(federation)).isEqualTo(refused);
      assertThat(federation.result("north").path("rounds").asInt()).isEqualTo(ROUNDS);
    }
  }
}
