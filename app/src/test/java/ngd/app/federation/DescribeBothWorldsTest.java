package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables of a description, asked of real peers with the rules and the memory that they have by
 * default. Oracle: the rehearsal, the same bits.
 */
@ExtendWith(QuickStart.class)
class DescribeBothWorldsTest {
  private static final List<Site> SITES =
      List.of(new Site("a", "h.example.org", 7), new Site("b", "2.h.example.org", 7));
  private static final List<String> FILES =
      List.of(
          "numbers.csv",
          "levels.csv",
          "groups.csv",
          "cross.csv",
          "tests.csv",
          "histograms.csv",
          "correlations.csv");

  @TempDir Path dir;

  private static String table(String site) {
    return Path.of("../oracles/tables/birthwt-%s.csv".formatted(site)).toAbsolutePath().toString();
  }

  private static Command ask(LocalFederation federation, Path out, List<String> options) {
    List<String> words = new ArrayList<>(List.of("federation", "ask", "--kind", "describe"));
    words.addAll(List.of("--member", federation.site("a").toString(), "--out", out.toString()));
    words.addAll(options);
    return Command.run(words.toArray(String[]::new));
  }

  private static String document(Path folder) throws IOException {
    return Files.readString(folder.resolve("description.json"));
  }

  @Test
  void tables_ofPeersAndRehearsal_areTheSameBits() throws Exception {
    List<String> options =
        List.of(
            "--columns=age,lwt,bwt,race,ht,ui",
            "--by=smoke",
            "--cross=race,ftv",
            "--histogram=bwt",
            "--correlation=age,lwt,bwt");
    Path rehearsed = dir.resolve("rehearsed");
    List<String> line = new ArrayList<>(List.of("describe", "--out", rehearsed.toString()));
    SITES.forEach(site -> line.addAll(List.of("--site", site.name() + "=" + table(site.name()))));
    line.addAll(options);
    Command rehearsal = Command.run(line.toArray(String[]::new));
    assertThat(rehearsal.code()).as(rehearsal.err()).isZero();
    List<TableAddress> data =
        SITES.stream().map(site -> TableAddress.of(site.name(), table(site.name()))).toList();
    Path folder = Files.createDirectory(dir.resolve("federation"));
    String plan = new PlanTemplate().with("network", "complete").text(SITES);
    try (LocalFederation federation = LocalFederation.make(folder, plan, data)) {
      federation.start();
      Path out = dir.resolve("asked");
      Command asked = ask(federation, out, options);
      assertThat(asked.code()).as(asked.err()).isZero();
      for (String file : FILES) {
        assertThat(out.resolve(file)).hasSameTextualContentAs(rehearsed.resolve(file));
      }
      // Some of it is withheld, by both alike.
      assertThat(document(out)).contains("withheld by 1 of 2 sites");
      assertThat(document(rehearsed)).contains("withheld by 1 of 2 sites");
      // The same columns in other bins are not counted again.
      Path again = dir.resolve("again");
      Command plain = ask(federation, again, List.of("--columns=bwt"));
      assertThat(plain.code()).as(plain.err()).isZero();
      assertThat(document(again)).contains("its quantiles are without 2 sites");
    }
  }
}
