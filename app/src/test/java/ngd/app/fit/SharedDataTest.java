package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import ngd.app.Command;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Public data sets, where the folder that holds them is at hand, as sites of unequal size. */
class SharedDataTest {

  private static Path data(String name) {
    Optional<Path> found =
        Stream.of(
                Optional.ofNullable(System.getenv("NGD_DATA")).orElse(""),
                "../shared/data",
                "../../shared/data")
            .filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder).resolve(name))
            .filter(Files::isRegularFile)
            .findFirst();
    assumeTrue(found.isPresent(), name + " is not at hand (../shared/data or NGD_DATA)");
    return found.get();
  }

  /** Oracle: DuckDB's own aggregates over the whole file. */
  @Test
  void describe_nmesByRegion_isWhatTheWholeFileGives() throws SQLException {
    Path file = data("nmes1988/NMES1988.csv");
    List<String> words = new ArrayList<>(List.of("describe", "--format", "json", "--extremes"));
    for (String region : List.of("midwest", "northeast", "other", "west")) {
      words.addAll(List.of("--site", region + "=" + file));
      words.addAll(
          List.of("--query", region + "=select * from data where region = '" + region + "'"));
    }
    Command run = Command.run(words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    assertThat(run.json().get("rows").asInt()).isEqualTo(4406);
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (String name : List.of("visits", "age", "school", "income")) {
        JsonNode one = variable(run.json(), name);
        try (ResultSet r =
            statement.executeQuery(
                "select count(c), avg(c), stddev_samp(c), quantile_disc(c, 0.05), quantile_disc(c, 0.5), quantile_disc(c, 0.95)  from (select %s as c from '%s')"
                    .formatted(name, file))) {
          r.next();
          assertThat(one.get("n").asLong()).isEqualTo(r.getLong(1));
          assertThat(one.get("mean").asDouble()).isCloseTo(r.getDouble(2), within(1e-11));
          assertThat(one.get("standardDeviation").asDouble())
              .isCloseTo(r.getDouble(3), within(1e-11));
          double error = one.get("quantileError").asDouble() + 1e-12;
          JsonNode quantiles = one.get("quantiles");
          assertThat(quantiles.get("0.05").asDouble()).isCloseTo(r.getDouble(4), within(error));
          assertThat(quantiles.get("0.5").asDouble()).isCloseTo(r.getDouble(5), within(error));
          assertThat(quantiles.get("0.95").asDouble()).isCloseTo(r.getDouble(6), within(error));
          // Asked for, and withheld by every site's rules.
          assertThat(one.get("minimum").isNull()).isTrue();
          assertThat(one.get("maximum").isNull()).isTrue();
        }
      }
      try (ResultSet r =
          statement.executeQuery("select health, count(*) from '%s' group by 1".formatted(file))) {
        JsonNode levels = variable(run.json(), "health").get("levels");
        while (r.next()) {
          assertThat(levels.get(r.getString(1)).asLong()).isEqualTo(r.getLong(2));
        }
        assertThat(levels.size()).isEqualTo(3);
      }
    }
  }

  private static JsonNode variable(JsonNode description, String name) {
    for (JsonNode one : description.get("variables")) {
      if (one.get("variable").asString().equals(name)) {
        return one;
      }
    }
    throw new AssertionError(name);
  }

  private static List<String> coefficients(String... words) {
    Command run = Command.run(words);
    assertThat(run.code()).as(run.err()).isEqualTo(0);
    List<String> names = new ArrayList<>();
    run.json().get("coefficients").forEach(one -> names.add(one.get("term").asString()));
    return names;
  }

  private static final List<String> HOW =
      List.of("--network", "regular:3", "--algorithm", "ngd", "--alpha", "1e-6", "--rounds", "2");

  private static String[] fit(String... more) {
    List<String> words = new ArrayList<>(List.of("fit", "--format", "json"));
    words.addAll(List.of(more));
    words.addAll(HOW);
    return words.toArray(String[]::new);
  }

  /** Oracle: the levels in the file, the first in order left out. */
  @Test
  void fit_adultByOccupation_hasTheCoefficientsOfR() {
    assertThat(
            coefficients(
                fit(
                    "--data",
                    data("adult/adult.csv.gz").toString(),
                    "--family",
                    "binomial",
                    "--partition",
                    "column:occupation",
                    "--formula",
                    "income = '>50K' ~ age + log(1 + capital_gain) + factor(marital_status) +"
                        + " factor(sex)")))
        .containsExactly(
            "(Intercept)",
            "age",
            "log(1 + capital_gain)",
            "factor(marital_status)Married-AF-spouse",
            "factor(marital_status)Married-civ-spouse",
            "factor(marital_status)Married-spouse-absent",
            "factor(marital_status)Never-married",
            "factor(marital_status)Separated",
            "factor(marital_status)Widowed",
            "factor(sex)Male");
  }

  @Test
  void fit_wineAllColumns_areBackquotedWhereRDoesIt() {
    assertThat(
            coefficients(
                fit(
                    "--data",
                    data("wine-quality/winequality-white.csv").toString(),
                    "--clients",
                    "20",
                    "--partition",
                    "sorted",
                    "--formula",
                    "quality ~ .")))
        .hasSize(12)
        .contains("`fixed acidity`", "pH", "alcohol");
  }
}
