package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sites' rows that may not be in memory. Oracle: the same fit where they are. */
class MemoryTest {
  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    for (int site = 0; site < 3; site++) {
      StringBuilder rows = new StringBuilder("y,k,s,t,x,w,arm,stage\n");
      for (int i = 0; i < 60; i++) {
        double x = Math.sin(7 * i + site);
        rows.append(
            "%d,%d,%d,%d,%s,%d,%s,%s\n"
                .formatted(
                    (i * 13 + site) % 5 < 2 + (x > 0 ? 1 : 0) ? 1 : 0,
                    i % 4,
                    i % 9 == 8 ? 3 : 0,
                    1 + i % 9,
                    x,
                    1 + i % 3,
                    i % 2 == 0 ? "a" : "b",
                    List.of("i", "ii", "iii").get(i * 7 % 3)));
      }
      Files.writeString(folder.resolve(site + ".csv"), rows);
    }
  }

  private Command fit(String words, String... more) {
    List<String> line = new ArrayList<>(List.of("fit"));
    for (int site = 0; site < 3; site++) {
      line.addAll(List.of("--site", "s%d=%s".formatted(site, folder.resolve(site + ".csv"))));
    }
    line.addAll(List.of("--network", "complete"));
    line.addAll(List.of(words.split(" ", -1)));
    line.addAll(List.of(more));
    return Command.run(line.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--family binomial --formula y~x+arm --robust=hc1 --heterogeneity",
        "--family gaussian --formula x~t+arm+weights(w) --anova",
        "--family poisson --formula k~x+arm+offset(log(t)) --exponentiate",
        "--family negative-binomial:2 --formula k~x --cluster site",
        "--family multinomial --formula stage~x",
        "--family ordered --formula stage~x --order i<ii<iii",
        "--family binomial --formula y~x+arm --penalty lasso --folds 5",
        "--family gaussian --formula x~t+arm+weights(w) --penalty elastic-net:0.5 --folds 5",
        "--family poisson --formula k~x+arm+offset(log(t)) --penalty adaptive-lasso:1 --folds 5",
        "--family multinomial --formula stage~x+t --penalty ridge --folds 5",
        "--formula Surv(t,y)~x+arm --penalty lasso --folds 5",
        "--family binomial --formula y~x --algorithm pooled-rounds",
        "--family binomial --formula y~x --algorithm ngd --alpha 0.05 --rounds 8",
        "--family gaussian --formula x~t --algorithm collaborative --rounds 5",
        "--family binomial --formula y~x --algorithm collaborative --rounds 3",
        "--formula Surv(t,y)~x+arm --robust --zph identity",
        "--formula Surv(t,y)~x+strata(arm)+weights(w) --cluster site --ties breslow",
        "--formula Surv(s,t,y)~x --zph km",
        "--formula Surv(t,y)~x+arm+strata(site) --robust --zph log",
        "--formula Surv(s,t,y)~x+strata(site,arm)+weights(w) --cluster site --ties breslow",
        "--formula Surv(t,y)~x+strata(site) --algorithm ngd --alpha 0.02 --rounds 5",
        "--formula x~t --algorithm ngd --alpha 0.05 --rounds 4 --privacy epsilon=5,delta=1e-3",
        "--family binomial --formula y~x --algorithm ngd --batch 10 --alpha 0.05 --rounds 4 --privacy epsilon=5,delta=1e-3",
        "--family binomial --formula y~x+arm+weights(w) --algorithm d-psgd --batch 5 --alpha 0.01 --rounds 9",
        "--family gaussian --formula x~t+offset(w) --algorithm gt-vr:0.3 --batch 3 --alpha 0.01 --rounds 9",
        "--family binomial --formula y~x --algorithm ngd --batch 3 --alpha 0.2/t^0.6 --rounds 20 --intervals random-scaling",
        "--formula Surv(t,y)~1",
        "--formula Surv(t,y)~strata(site)",
        "--formula Surv(s,t,k)~strata(arm)",
        "--formula Surv(t,y)~weights(w/2)"
      })
  void fit_rowsThatDoNotFit_isTheFitOfRowsThatDo(String words) {
    Command held = fit(words, "--format", "json");
    Command filed = fit(words, "--format", "json", "--memory", "1k");
    assertThat(filed.code()).as(filed.err()).isEqualTo(held.code());
    assertThat(filed.out()).isEqualTo(held.out());
    assertThat(filed.code() == 0).as(held.err()).isTrue();
    assertThat(filed.err())
        .contains("read in passes from a sealed temporary file", "every gradient of a round one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--formula x~t+(1|arm) --memory 1k; the rows of a model with random terms need all to be in"
            + " memory",
        "--formula x~t --algorithm gt-saga:4 --alpha 0.01 --rounds 3 --memory 1k; gradients of"
            + " parts of the rows: the rows do not fit",
        "--formula x~t --algorithm lt-admm-vr --local-steps 3 --alpha 0.01 --rounds 3 --memory 1k;"
            + " gradients of parts of the rows: the rows do not fit",
        "--formula x~t --loss quantile:0.5 --algorithm dgd --alpha 0.01 --rounds 3 --memory 1k; the"
            + " rows do not fit the memory",
        "--formula y~x --loss hinge --algorithm dgd --alpha 0.01 --rounds 3"
            + " --memory 1k; the rows do not fit the memory",
        "--formula x~t --algorithm ngd --alpha 0.01 --rounds 3 --attack label-flip --attackers 1"
            + " --memory 1k; the rows do not fit the memory",
        "--formula x~t --privacy epsilon=5,delta=1e-3,noise=central,bound=10 --memory 1k; the rows"
            + " do not fit the memory",
        "--formula x~y --treatment y~w --memory 1k; weights of a treatment need all to be in memory",
        "--formula x~t --algorithm chi2-dro:0.5 --alpha 0.05 --rounds 4 --memory 1k; losses of rows:"
            + " the rows do not fit the memory",
        "--formula x~t --memory much; memory: must be a positive whole number with k, m, g or t"
            + " after it, such as 512m or 2g; got `much`"
      })
  void fit_whatNeedsAllRowsAtOnce_isRefused(String words, String message) {
    Command refused = fit(words);
    assertThat(refused.code()).as(refused.out() + refused.err()).isEqualTo(2);
    assertThat(refused.err()).contains(message);
    assertThat(refused.out()).isEmpty();
  }
}
