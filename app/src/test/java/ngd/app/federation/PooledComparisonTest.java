package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.data.TableAddress;
import ngd.core.inference.Coefficient;
import ngd.peer.plan.PlanReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Oracle: responses that are an exact function of predictor and offset but for rows of weight 0.
 */
class PooledComparisonTest {
  @TempDir Path folder;

  @Test
  void alone_offsetsAndWeights_areHonoured() throws IOException {
    List<TableAddress> data = new ArrayList<>();
    for (String site : List.of("a", "b")) {
      StringBuilder rows = new StringBuilder("y,x,o,w\n");
      for (int i = 0; i < 12; i++) {
        double x = i * 0.5;
        double o = i % 3;
        // 1 + 2x + o and a little that is orthogonal to nothing in particular.
        double y = i == 7 ? 500 : 1 + 2 * x + o + (i % 2 == 0 ? 1e-7 : -1e-7);
        rows.append("%s,%s,%s,%d\n".formatted(y, x, o, i == 7 ? 0 : 1));
      }
      Path file = Files.writeString(folder.resolve(site + ".csv"), rows);
      data.add(TableAddress.of(site, file.toString()));
    }
    var plan =
        PlanReader.parse(
                """
                federation: f
                run: r
                sites:
                  - {name: a, address: 'h:1'}
                  - {name: b, address: 'h:2'}
                network: complete
                formula: y ~ x + offset(o) + weights(w)
                family: gaussian
                """)
            .plan();
    for (var alone : PooledComparison.of(plan, data).alone()) {
      assertThat(alone.orElseThrow().stream().map(Coefficient::estimate))
          .satisfiesExactly(
              intercept -> assertThat(intercept).isCloseTo(1, within(1e-6)),
              slope -> assertThat(slope).isCloseTo(2, within(1e-6)));
    }
  }

  /** Oracle: the areas by hand, of curves that fall to 1/2, 1/4 and 0, and to 1/2. */
  @Test
  void curves_restrictedMeans_areAreasOfThePooledRows() throws IOException {
    List<TableAddress> data = new ArrayList<>();
    for (String site : List.of("a", "b")) {
      StringBuilder rows = new StringBuilder("t,e,g\n");
      for (int i = 0; i < 4; i++) {
        rows.append("10,1,u\n10,1,v\n");
        rows.append(i % 2 == 0 ? "20,1,u\n" : "30,1,u\n").append("30,0,v\n");
      }
      Path file = Files.writeString(folder.resolve(site + ".csv"), rows);
      data.add(TableAddress.of(site, file.toString()));
    }
    var plan =
        PlanReader.parse(
                """
                federation: f
                run: r
                sites:
                  - {name: a, address: 'h:1'}
                  - {name: b, address: 'h:2'}
                network: complete
                formula: Surv(t, e) ~ strata(g)
                family: survival
                times: 10,20,30,40
                tau: 35
                """)
            .plan();
    PooledComparison found = PooledComparison.of(plan, data);
    assertThat(found.terms()).containsExactly("mean to 35, g=u", "mean to 35, g=v");
    assertThat(found.pooled()).containsExactly(10 + 5 + 2.5, 10 + 12.5);
    // The sites have the same rows.
    for (var alone : found.alone()) {
      assertThat(alone.orElseThrow().stream().map(Coefficient::estimate))
          .containsExactly(17.5, 22.5);
    }
  }

  /** Oracle: lme4::lmer on the pooled rows (oracles/mixed_oracle.R). */
  @Test
  void pooled_randomTerms_isLmers() throws IOException {
    StringBuilder sites = new StringBuilder();
    List<TableAddress> data =
        cut(Path.of("../oracles/mixed/sleep.csv"), List.of("h1", "h2", "h3", "h4"), sites);
    var plan =
        PlanReader.parse(
                """
                federation: f
                run: r
                sites:
                %snetwork: complete
                formula: Reaction ~ Days + (1 | subject) + (0 + Days | site)
                family: gaussian
                """
                    .formatted(sites))
            .plan();
    PooledComparison found = PooledComparison.of(plan, data);
    for (String line : Files.readAllLines(Path.of("../oracles/mixed/lmer.csv"))) {
      String[] fields = line.split(",", -1);
      if (fields[0].equals("sleep-siteslope-reml") && fields[1].equals("coef")) {
        assertThat(found.pooled().get(found.terms().indexOf(fields[2])))
            .isCloseTo(Double.parseDouble(fields[3]), within(1e-6));
      }
    }
    // One site tells nothing of how sites vary.
    assertThat(found.alone()).allMatch(Optional::isEmpty);
  }

  /** Oracle: ordinal::clm and nnet::multinom on the pooled rows (oracles/categories_oracle.R). */
  @ParameterizedTest
  @CsvSource({
    "students, 3, students, exercise ~ sex + pulse + age, family: multinomial",
    "housing, 4, housing-probit, Sat ~ Infl + Type + Cont + weights(Freq), family: ordered; order:"
        + " Low<Medium<High; link: probit"
  })
  void pooled_classes_areRs(String table, int count, String name, String formula, String family)
      throws IOException {
    List<String> names = List.of("h1", "h2", "h3", "h4").subList(0, count);
    StringBuilder sites = new StringBuilder();
    List<TableAddress> data = cut(Path.of("../oracles/categories/" + table + ".csv"), names, sites);
    var plan =
        PlanReader.parse(
                """
                federation: f
                run: r
                sites:
                %snetwork: complete
                formula: %s
                %s
                """
                    .formatted(sites, formula, family.replace("; ", "\n")))
            .plan();
    PooledComparison found = PooledComparison.of(plan, data);
    int seen = 0;
    for (String line : Files.readAllLines(Path.of("../oracles/categories/r.csv"))) {
      String[] fields = line.split(",", -1);
      if (fields[0].equals(name) && fields[1].equals("coef")) {
        assertThat(found.pooled().get(found.terms().indexOf(fields[2])))
            .isCloseTo(Double.parseDouble(fields[3]), within(1e-6));
        seen++;
      }
    }
    assertThat(seen).isEqualTo(found.terms().size());
    assertThat(found.alone()).hasSize(count);
    assertThat(found.alone().getFirst()).isPresent();
  }

  /** A table's rows as those of the sites that its last column names. */
  private List<TableAddress> cut(Path table, List<String> names, StringBuilder sites)
      throws IOException {
    List<String> lines = Files.readAllLines(table);
    List<TableAddress> data = new ArrayList<>();
    for (String site : names) {
      List<String> own = new ArrayList<>(List.of(lines.getFirst()));
      lines.stream().filter(line -> line.endsWith("," + site)).forEach(own::add);
      data.add(TableAddress.of(site, Files.write(folder.resolve(site + ".csv"), own).toString()));
      sites.append("  - {name: %s, address: '%s.example.org:1'}\n".formatted(site, site));
    }
    return data;
  }
}
