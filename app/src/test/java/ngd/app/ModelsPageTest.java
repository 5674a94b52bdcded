package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/models.md says was compared is there: tests, networks, data and oracles. */
class ModelsPageTest {
  private static final Path PAGE = Path.of("../docs/models.md");
  private static final Path ORACLES = Path.of("../oracles");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** The cells of all lines that have so many, without the two of the heading. */
  private static List<String[]> table(int cells) throws IOException {
    List<String[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      String[] parts = line.split("\\|", -1);
      if (line.startsWith("| ") && parts.length == cells + 2) {
        rows.add(parts);
      }
    }
    return rows.subList(1, rows.size());
  }

  private static List<String> words(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  /** The source of every test class of all modules, by its name. */
  private static Map<String, Path> tests() throws IOException {
    Map<String, Path> tests = new HashMap<>();
    for (String module : List.of("core", "peer", "studies", "app")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/test/java"))) {
        files
            .filter(file -> file.toString().endsWith("Test.java"))
            .forEach(file -> tests.put(file.getFileName().toString().replace(".java", ""), file));
      }
    }
    return tests;
  }

  @Test
  void comparisons_namedTestsNetworksDataAndOracles_areThere() throws IOException {
    Map<String, Path> tests = tests();
    List<String[]> rows = table(7);
    assertThat(rows).hasSizeGreaterThan(20);
    for (String[] row : rows) {
      String capability = row[1].strip();
      assertThat(words(row[3])).as(capability).isNotEmpty();
      assertThat(words(row[6])).as(capability).isNotEmpty();
      StringBuilder sources = new StringBuilder();
      for (String test : words(row[6])) {
        assertThat(tests).as(capability).containsKey(test);
        sources.append(Files.readString(tests.get(test)));
      }
      for (String network : words(row[4])) {
        assertThat(sources).as(capability).contains(network);
      }
      List<Path> folders = new ArrayList<>();
      for (String oracle : words(row[7])) {
        assertThat(ORACLES.resolve(oracle)).as(capability).exists();
        if (!oracle.endsWith(".R")) {
          folders.add(ORACLES.resolve(oracle));
        }
      }
      assertThat(sources).as(capability).contains(words(row[7]).getFirst());
      for (String data : words(row[3])) {
        assertThat(folders)
            .as("%s: %s", capability, data)
            .anyMatch(
                folder ->
                    Files.exists(folder.resolve(data + ".csv"))
                        || Files.exists(folder.resolve(data + "-a.csv")));
      }
    }
  }

  @Test
  void refusals_namedMessages_areTested() throws IOException {
    Map<String, Path> tests = tests();
    List<String[]> rows = table(3);
    assertThat(rows).hasSizeGreaterThan(5);
    for (String[] row : rows) {
      Matcher test = CODE.matcher(row[3]);
      assertThat(test.find()).isTrue();
      assertThat(tests).containsKey(test.group(1));
      assertThat(Files.readString(tests.get(test.group(1)))).contains(words(row[2]));
    }
  }
}
