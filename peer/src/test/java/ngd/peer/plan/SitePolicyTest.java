package ngd.peer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.preparation.DisclosureRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SitePolicyTest {
  @TempDir Path folder;

  @Test
  void in_noFileOrTheTemplate_isTheStandard() throws Exception {
    assertThat(SitePolicy.in(folder).disclosure()).isEqualTo(DisclosureRules.STANDARD);
    SitePolicy.writeTemplate(folder);
    assertThat(SitePolicy.in(folder).disclosure()).isEqualTo(DisclosureRules.STANDARD);
    Path file = folder.resolve("site.yaml");
    String every = Files.readString(file).replaceAll("(?m)^# (?=[a-z.]+: [a-z0-9.]+$)", "");
    assertThat(every.lines().filter(line -> !line.startsWith("#") && !line.isBlank()))
        .as("what the template shows is every rule with its default")
        .containsAll(DisclosureRules.STANDARD.canonical())
        .contains("approve: policy", "members: confirm");
    assertThat(SitePolicy.parse(every).questions()).isEqualTo(QuestionPolicy.STANDARD);
    assertThat(SitePolicy.parse(every).disclosure()).isEqualTo(DisclosureRules.STANDARD);
    Files.writeString(file, "nfilter.tab: 5\n");
    SitePolicy.writeTemplate(folder);
    assertThat(SitePolicy.in(folder).disclosure().tab()).isEqualTo(5);
  }

  @Test
  void parse_everyKey_isRead() {
    assertThat(
            SitePolicy.parse(
                    """
                    nfilter.tab: 4
                    nfilter.subset: 5
                    nfilter.glm: 0.2
                    nfilter.levels.max: 12
                    nfilter.levels.density: 0.1
                    cells: joint
                    differencing: warn
                    """)
                .disclosure())
        .isEqualTo(
            new DisclosureRules(
                4,
                5,
                0.2,
                12,
                0.1,
                DisclosureRules.Cells.JOINT,
                DisclosureRules.Differencing.WARN));
  }

  @Test
  void parse_memory_isTheSitesOwn() {
    assertThat(SitePolicy.parse("memory: 512m\n").memory()).contains(new Memory(512L << 20));
    assertThat(SitePolicy.parse("nfilter.tab: 4\n").memory()).isEmpty();
  }

  @Test
  void in_whatIsWrong_isNamedWithItsLineAllAtOnce() throws Exception {
    Files.writeString(
        folder.resolve("site.yaml"),
        """
        nfilter.tabs: 3
        nfilter.glm: 2
        nfilter.subset: 0
        cells: all
        differencing: no
        memory: 2
        """);
    assertThatThrownBy(() -> SitePolicy.in(folder))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(
            "site.yaml, line 1: unknown key `nfilter.tabs`; did you mean `nfilter.tab`?")
        .hasMessageContaining("there are: nfilter.tab, nfilter.subset, nfilter.glm")
        .hasMessageContaining("line 2: must be a number above 0 and at most 1; got `2`")
        .hasMessageContaining("line 3: must be a whole number of at least 1; got `0`")
        .hasMessageContaining("line 4: cells: must be single, pairs, combined or joint; got `all`")
        .hasMessageContaining("line 5: differencing: must be refuse, warn or off; got `no`")
        .hasMessageContaining("line 6: memory: must be a positive whole number");
  }
}
