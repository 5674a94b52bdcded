package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import ngd.app.Command;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code ngd describe} by group, crossed and correlated, over unequal sites under their rules.
 * Oracle: {@code oracles/tables_oracle.R} on all rows together.
 */
class DescribeTablesTest {
  private static final Path ORACLES = Path.of("../oracles/tables");

  @TempDir Path dir;

  private static List<List<String>> csv(Path file) throws IOException {
    List<List<String>> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      List<String> cells = new ArrayList<>();
      for (String cell : line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1)) {
        cells.add(cell.replace("\"", ""));
      }
      lines.add(cells);
    }
    return lines;
  }

  private Command describe(String table, String out, String options) {
    List<String> words = new ArrayList<>(List.of("describe"));
    for (String site : List.of("a", "b")) {
      words.addAll(
          List.of("--site", "%s=%s".formatted(site, ORACLES.resolve(table + "-" + site + ".csv"))));
    }
    words.addAll(List.of("--out", dir.resolve(out).toString()));
    words.addAll(List.of(options.split(" ")));
    return Command.run(words.toArray(String[]::new));
  }

  /** Every number of a folder's tables, under the name that the oracle has for it. */
  private static void read(Path folder, Map<String, Double> numbers, String by) throws IOException {
    for (List<String> line : lines(folder.resolve("groups.csv"))) {
      List<String> names = List.of("n", "missing", "mean", "sd", "q05", "q25", "q50");
      for (int i = 0; i < names.size(); i++) {
        put(numbers, List.of(by, line.get(0), names.get(i), line.get(1)), line.get(2 + i));
      }
    }
    for (List<String> line : lines(folder.resolve("cross.csv"))) {
      String cell = line.get(1) + "|" + line.get(3);
      put(numbers, List.of(line.get(0), line.get(2), "count", cell), line.get(4));
      put(numbers, List.of(line.get(0), line.get(2), "row_percent", cell), line.get(5));
      put(numbers, List.of(line.get(0), line.get(2), "column_percent", cell), line.get(6));
    }
    for (List<String> line : lines(folder.resolve("tests.csv"))) {
      List<String> names = List.of("statistic", "df", "df2", "p_value", "estimate", "low", "high");
      for (int i = 0; i < names.size(); i++) {
        put(numbers, List.of(line.get(0), line.get(1), line.get(2), names.get(i)), line.get(3 + i));
      }
    }
    List<List<String>> matrix =
        Files.exists(folder.resolve("correlations.csv"))
            ? csv(folder.resolve("correlations.csv"))
            : List.of();
    for (int i = 1; i < matrix.size(); i++) {
      List<String> line = matrix.get(i);
      put(numbers, List.of(line.getFirst(), "", "correlation", "n"), line.get(1));
      for (int j = 2; j < line.size(); j++) {
        put(
            numbers,
            List.of(line.getFirst(), matrix.getFirst().get(j), "correlation", ""),
            line.get(j));
      }
    }
  }

  private static List<List<String>> lines(Path file) throws IOException {
    return Files.exists(file) ? csv(file).subList(1, csv(file).size()) : List.of();
  }

  private static void put(Map<String, Double> numbers, List<String> key, String number) {
    if (!number.isEmpty()) {
      numbers.put(String.join(";", key), Double.valueOf(number));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          birthwt; birthwt; smoke; --by smoke --columns age,lwt,bwt,race --cross smoke,low --correlation age,lwt,bwt; --columns race --cross race,low
          birthwt; birthwt-race; race; --by race --columns age,lwt,bwt;
          pbc; pbc; trt; --by trt --columns age,bili,albumin,chol,sex,stage --correlation age,bili,albumin,chol; --columns stage --cross stage,spiders
          pbc; pbc-stage; stage; --by stage --columns age,bili,albumin,trt;
          pbc; pbc-complete; stage; --by stage --columns age,bili,albumin,chol,trt --complete;
          """)
  void tables_ofTwoSites_areThoseOfAllRowsTogether(
      String table, String expected, String by, String first, String second) throws IOException {
    Map<String, Double> numbers = new TreeMap<>();
    for (String options : second == null ? List.of(first) : List.of(first, second)) {
      String out = "out" + numbers.size();
      Command command = describe(table, out, options);
      assertThat(command.code()).as(command.err()).isZero();
      assertThat(command.out()).doesNotContain("withheld by");
      read(dir.resolve(out), numbers, by);
    }
    assertThat(compared(expected, numbers, key -> true)).isGreaterThan(50);
  }

  /** How many of R's numbers of a case are among these, all that are asked for. */
  private static int compared(String expected, Map<String, Double> numbers, Predicate<String> asked)
      throws IOException {
    int compared = 0;
    for (List<String> line : csv(ORACLES.resolve("expected.csv"))) {
      String key = String.join(";", line.subList(1, 5));
      if (!line.getFirst().equals(expected) || !asked.test(key)) {
        continue;
      }
      double value = Double.parseDouble(line.getLast());
      assertThat(numbers).containsKey(key);
      if (line.get(3).equals("q50")) {
        // Fewer than six rows of a site may stand on the other side.
        String deviation = String.join(";", List.of(line.get(1), line.get(2), "sd", line.get(4)));
        assertThat(numbers.get(key)).isCloseTo(value, offset(0.3 * numbers.get(deviation)));
      } else {
        assertThat(numbers.get(key))
            .as(key)
            .isCloseTo(value, offset(1e-9 * (1e-3 + Math.abs(value))));
      }
      compared++;
    }
    return compared;
  }

  /**
   * Four unequal sites on every network have what two have: numbers of groups, histograms, and
   * correlations, of which such sites withhold nothing.
   */
  @ParameterizedTest
  @CsvSource({
    "birthwt, smoke, 'age,lwt,bwt', --correlation, 189, circle:1",
    "birthwt, smoke, 'age,lwt,bwt', --correlation, 189, central",
    "birthwt, smoke, 'age,lwt,bwt', --correlation, 189, regular:3",
    "pbc, trt, 'age,bili,albumin', --histogram, 312, circle:1",
    "pbc, trt, 'age,bili,albumin', --histogram, 312, central",
    "pbc, trt, 'age,bili,albumin', --histogram, 312, regular:3"
  })
  void tables_ofFourSitesOnANetwork_areThoseOfAllRowsTogether(
      String table, String by, String columns, String option, long rows, String network)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("describe", "--network", network));
    for (String site : List.of("a", "b")) {
      for (String part : List.of("true", "false")) {
        String name = site + part;
        words.addAll(
            List.of(
                "--site",
                "%s=%s".formatted(name, ORACLES.resolve(table + "-" + site + ".csv")),
                "--query",
                "%s=select * from data where (floor(age) %% 3 > 0) = %s".formatted(name, part)));
      }
    }
    Path out = dir.resolve("out");
    words.addAll(List.of("--by", by, "--columns", columns, option, columns));
    if (option.equals("--correlation")) {
      words.addAll(List.of("--histogram", "age"));
    }
    words.addAll(List.of("--out", out.toString()));
    Command command = Command.run(words.toArray(String[]::new));
    assertThat(command.code()).as(command.err()).isZero();
    assertThat(command.out()).doesNotContain("withheld by");
    Map<String, Double> numbers = new TreeMap<>();
    read(out, numbers, by);
    List<String> asked = List.of(columns.split(","));
    int compared =
        compared(
            table,
            numbers,
            key -> {
              List<String> parts = List.of(key.split(";", -1));
              boolean ofGroups = parts.getFirst().equals(by) && asked.contains(parts.get(1));
              boolean correlated =
                  option.equals("--correlation")
                      && parts.get(2).equals("correlation")
                      && asked.contains(parts.getFirst())
                      && (asked.contains(parts.get(1)) || parts.get(1).isEmpty());
              return ofGroups || correlated;
            });
    assertThat(compared).isGreaterThan(20);
    assertThat(
            lines(out.resolve("histograms.csv")).stream()
                .filter(bin -> bin.getFirst().equals("age") && bin.get(1).isEmpty())
                .mapToLong(bin -> Long.parseLong(bin.get(4)))
                .sum())
        .isEqualTo(rows);
  }

  private static Offset<Double> offset(double value) {
    return Offset.offset(value);
  }

  @Test
  void by_columnOfDates_isRefused() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("d.csv"), "d,x\n2020-01-01,1\n2020-01-02,2\n2020-01-03,4\n2020-01-04,2\n");
    Command command =
        Command.run("describe", "--site", "a=" + file, "--by", "d", "--out", dir + "/no");
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err()).contains("by: must be a column of text").contains("`d` holds dates");
    assertThat(dir.resolve("no")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          --by absent; by: must be of the columns
          --cross age; cross: must be two different columns
          --cross age,age; cross: must be two different columns
          --correlation age; correlation: must be at least two different columns
          --complete; works only with columns
          --by bwt; `bwt` has too many
          --by smoke --correlation smoke,age; counts as levels
          --histogram race; histogram: must be columns of numbers; `race` holds text
          --by smok; smok
          --network regular:3; regular: degree D must lie in [1, 1]
          """)
  void wrongTables_areRefused(String options, String message) {
    Command command = describe("birthwt", "no", options);
    assertThat(command.code()).as(command.out()).isEqualTo(2);
    assertThat(command.err()).contains(message);
    assertThat(dir.resolve("no")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"birthwt, bwt", "birthwt, age", "pbc, bili", "pbc, chol"})
  void histogram_ofOneTable_countsEveryRowInItsBin(String table, String column) throws IOException {
    Path file = ORACLES.resolve(table + "-a.csv");
    Command command =
        Command.run(
            "describe", "--data", file.toString(), "--histogram", column, "--out", dir + "/h");
    assertThat(command.code()).as(command.err()).isZero();
    List<List<String>> rows = csv(file);
    int at = rows.getFirst().indexOf(column);
    List<Double> values =
        rows.stream()
            .skip(1)
            .map(row -> row.get(at))
            .filter(value -> !value.isEmpty() && !value.equals("NA"))
            .map(Double::valueOf)
            .toList();
    long all = 0;
    for (List<String> bin : lines(dir.resolve("h/histograms.csv"))) {
      double from = Double.parseDouble(bin.get(2));
      double to = Double.parseDouble(bin.get(3));
      long count = values.stream().filter(value -> value >= from && value < to).count();
      assertThat(bin.get(4)).isEqualTo(Long.toString(count));
      all += count;
    }
    assertThat(all).isEqualTo(values.size());
  }
}
