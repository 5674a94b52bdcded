package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sites that write the same differently. Oracle: the same rows, written alike. */
class DictionaryTest {
  private static final String DICTIONARY =
      """
      smoker: boolean
      sex: {levels: [m, f]}
      stage: {type: text, levels: [2, 1, 3]}
      visits: integer
      age: {type: number, unit: years}
      """;

  @TempDir Path dir;
  private Path dictionary;

  @BeforeEach
  void write() throws IOException {
    dictionary = Files.writeString(dir.resolve("dictionary.yaml"), DICTIONARY);
    Files.writeString(dir.resolve("a.csv"), rows(0, true));
    Files.writeString(dir.resolve("b.csv"), rows(1, false));
    Files.writeString(dir.resolve("alike-a.csv"), rows(0, true));
    Files.writeString(dir.resolve("alike-b.csv"), rows(1, true));
  }

  /** Truth values as words and stages with an s, or both as numbers. */
  private static String rows(int site, boolean words) {
    StringBuilder rows = new StringBuilder("y,smoker,sex,stage,visits,age\n");
    for (int i = 0; i < 40; i++) {
      int k = i + 40 * site;
      boolean smoker = k * 7 % 5 < 2;
      rows.append(
          "%s,%s,%s,%s,%s,%s%n"
              .formatted(
                  k * 13 % 17 / 3.0,
                  i == 7 ? "" : words ? Boolean.toString(smoker) : smoker ? "1" : "0",
                  k * 3 % 7 < 3 ? "f" : "m",
                  1 + k * 11 % 3,
                  words ? Integer.toString(k % 4) : k % 4 + ".0",
                  30 + k * 5 % 41));
    }
    return rows.toString();
  }

  private Command run(String command, String prefix, String... more) {
    List<String> words = new ArrayList<>(List.of(command));
    for (String site : List.of("a", "b")) {
      words.addAll(List.of("--site", site + "=" + dir.resolve(prefix + site + ".csv")));
    }
    words.addAll(List.of(more));
    return Command.run(words.toArray(String[]::new));
  }

  private Map<String, Double> fit(String prefix, String... more) throws IOException {
    Path out = dir.resolve("out" + System.nanoTime());
    List<String> words = new ArrayList<>(List.of(more));
    words.addAll(List.of("--network", "complete", "--out", out.toString()));
    Command fit = run("fit", prefix, words.toArray(String[]::new));
    assertThat(fit.code()).as(fit.err()).isZero();
    Map<String, Double> estimates = new LinkedHashMap<>();
    for (String line :
        Files.readAllLines(out.resolve("coefficients.csv")).stream().skip(1).toList()) {
      String[] cells = line.split(",", -1);
      estimates.put(cells[0], Double.valueOf(cells[1]));
    }
    return estimates;
  }

  @Test
  void fit_sitesThatWriteOtherwise_asIfTheyWroteAlike() throws IOException {
    String formula = "y ~ smoker + factor(visits) + age + I(age * smoker)";
    Map<String, Double> found =
        fit("", "--formula", formula, "--dictionary", dictionary.toString());
    assertThat(found).isEqualTo(fit("alike-", "--formula", formula));
    assertThat(found).containsKey("smokerTRUE");
    Command without = run("fit", "", "--network", "complete", "--formula", formula);
    assertThat(without.code()).isEqualTo(2);
    assertThat(without.err()).contains("smoker").contains("the types must agree");
  }

  /** The first level is the reference: the sign of the contrast turns. */
  @Test
  void fit_levelsOfTheDictionary_standInItsOrder() throws IOException {
    Map<String, Double> stated =
        fit("", "--formula", "y ~ sex + stage", "--dictionary", dictionary.toString());
    Map<String, Double> sorted = fit("alike-", "--formula", "y ~ sex + factor(stage)");
    assertThat(stated.keySet()).containsExactly("(Intercept)", "sexf", "stage1", "stage3");
    assertThat(sorted.keySet())
        .containsExactly("(Intercept)", "sexm", "factor(stage)2", "factor(stage)3");
    assertThat(stated.get("sexf")).isCloseTo(-sorted.get("sexm"), within(1e-12));
    assertThat(stated.get("stage1")).isCloseTo(-sorted.get("factor(stage)2"), within(1e-12));
    assertThat(stated.get("stage3"))
        .isCloseTo(sorted.get("factor(stage)3") - sorted.get("factor(stage)2"), within(1e-12));
  }

  @Test
  void describe_levelsOfTheDictionary_standInItsOrderAndTypesAgree() {
    Command described =
        run("describe", "", "--dictionary", dictionary.toString(), "--columns", "sex,smoker,stage");
    assertThat(described.code()).as(described.err()).isZero();
    assertThat(described.out())
        .containsPattern("(?s)= m .*= f .*= FALSE .*= TRUE .*= 2 .*= 1 .*= 3 ");
  }

  /** Each is named at the site that has it, and nothing is said of the other. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "age|forty|column age: must be number in years; it holds text",
        "sex|x|column sex: must be text, one of m, f; 1 row holds other values, such as `x`",
        "stage|4|column stage: must be text, one of 2, 1, 3; 1 row holds other values, such as `4`",
        "smoker|2|column smoker: must be boolean; 1 row holds other values, such as `2`",
        "visits|2.5|column visits: must be integer; 1 row holds other values, such as `2.5`",
        "age||column age: must be number in years; it holds only missing values",
        "gone||column age: must be there, number in years; it is not"
      })
  void fit_aSiteThatDoesNotFit_isNamedAlone(String column, String value, String words)
      throws IOException {
    List<String> lines = new ArrayList<>(rows(1, false).lines().toList());
    int at =
        List.of(lines.getFirst().split(",", -1)).indexOf(column.equals("gone") ? "age" : column);
    for (int i = 1; i < lines.size(); i++) {
      String[] cells = lines.get(i).split(",", -1);
      if (value == null || i == 5) {
        cells[at] = value == null ? "" : value;
      }
      lines.set(i, String.join(",", cells));
    }
    if (column.equals("gone")) {
      lines.replaceAll(line -> line.substring(0, line.lastIndexOf(',')));
    }
    Files.write(dir.resolve("b.csv"), lines);
    Path out = dir.resolve("none");
    Command refused =
        run(
            "fit",
            "",
            "--network",
            "complete",
            "--formula",
            "y ~ age + sex + smoker + stage + visits",
            "--dictionary",
            dictionary.toString(),
            "--out",
            out.toString());
    assertThat(refused.code()).as(refused.out()).isEqualTo(2);
    assertThat(refused.err()).contains("site b: " + words).doesNotContain("site a");
    assertThat(out).doesNotExist();
    // What the question does not use does not matter.
    Command other =
        run(
            "fit",
            "",
            "--network",
            "complete",
            "--formula",
            column.equals("sex") ? "y ~ visits" : "y ~ sex",
            "--dictionary",
            dictionary.toString());
    assertThat(other.code()).as(other.err()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "age: nubmer|line 1: column age: type: must be one of number, integer|number",
        "age: {unit: years}|line 1: column age: type: must be given|age",
        "age: {type: number, levels: [1, 2]}|levels: belong to type text|number",
        "sex: {levels: [f]}|levels: must be two or more, each once; got f|sex",
        "sex: {typ: text}|unknown key `typ`|type",
        "[a, b]|must hold columns|levels",
        "a: [b|is not YAML|line"
      })
  void dictionary_wrong_isRefusedWithItsLine(String text, String words, String more)
      throws IOException {
    Path file = Files.writeString(dir.resolve("wrong.yaml"), text + "\n");
    Command refused = run("describe", "", "--columns", "age", "--dictionary", file.toString());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("wrong.yaml").contains(words).contains(more);
  }
}
