package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.app.Command;
import tools.jackson.databind.JsonNode;

/** Fits of the data in a folder of oracles, in hospitals, beside what R said of them. */
record OracleFits(Path folder) {
  /** What R said, by case and kind of number: lines of {@code case,what,name,value}. */
  Map<String, Map<String, Double>> numbers(String file) throws IOException {
    Map<String, Map<String, Double>> numbers = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(folder.resolve(file));
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      numbers
          .computeIfAbsent(fields[0] + " " + fields[1], _ -> new LinkedHashMap<>())
          .put(
              fields[2].replace(';', ','),
              fields[3].isEmpty() ? Double.NaN : Double.parseDouble(fields[3]));
    }
    return numbers;
  }

  Command ngd(String data, String formula, String network, String... more) {
    return fit(folder.resolve(data + ".csv"), "hospital", formula, network, more);
  }

  JsonNode json(String data, String formula, String network, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(List.of("--format", "json"));
    Command run = ngd(data, formula, network, all.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    return run.json();
  }

  /** The same as real sites would: with rules on what may be shown. */
  Command sites(String data, String formula, String... more) {
    return sites(List.of("h1", "h2", "h3", "h4"), data, formula, more);
  }

  /** The same of the sites that are named. */
  Command sites(List<String> sites, String data, String formula, String... more) {
    List<String> words = new ArrayList<>(List.of("fit", "--formula", formula));
    words.addAll(List.of("--network", "complete"));
    words.addAll(List.of(more));
    for (String site : sites) {
      words.addAll(List.of("--site", site + "=" + folder.resolve(data + ".csv")));
      words.addAll(
          List.of("--query", site + "=select * from data where hospital = '" + site + "'"));
    }
    return Command.run(words.toArray(String[]::new));
  }

  /** A fit of a table whose column says which site has a row. */
  static Command fit(Path table, String column, String formula, String network, String... more) {
    List<String> words = new ArrayList<>(List.of("fit", "--formula", formula, "--data"));
    words.addAll(List.of(table.toString(), "--partition", "column:" + column));
    words.addAll(List.of("--network", network));
    words.addAll(List.of(more));
    return Command.run(words.toArray(String[]::new));
  }

  static void refused(Command run, String... words) {
    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(2);
    assertThat(run.err()).contains(words);
  }
}
