package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What R's {@code glm()} says of a model: the committed output of {@code oracles/glm_oracle.R}. */
public record GlmOracle(List<Coefficient> coefficients, Map<String, Double> fit) {

  public static Path folder() {
    Path here = Path.of("").toAbsolutePath();
    for (Path at = here; at != null; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("oracles/glm_oracle.R"))) {
        return at.resolve("oracles/glm");
      }
    }
    throw new IllegalStateException("no folder `oracles` above " + here);
  }

  static List<NamedCsvRecord> lines(Path file) {
    try (CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(file)) {
      return csv.stream().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<String, Double> values(String file) {
    return lines(folder().resolve(file)).stream()
        .collect(Collectors.toMap(line -> line.getField("name"), line -> number(line, "value")));
  }

  /** The committed output of {@code oracles/reading_oracle.R}. */
  static List<NamedCsvRecord> reading(String file) {
    return lines(folder().resolveSibling("reading").resolve(file + ".csv"));
  }

  static Map<String, Double> readingValues(String file) {
    return reading(file).stream()
        .collect(Collectors.toMap(line -> line.getField("name"), line -> number(line, "value")));
  }

  /** What glmnet says: the committed output of {@code oracles/ridge_oracle.R}, by term. */
  static Map<String, Double> ridge(String name) {
    return lines(folder().resolveSibling("ridge").resolve(name + ".csv")).stream()
        .collect(Collectors.toMap(line -> line.getField("term"), line -> number(line, "estimate")));
  }

  static double number(NamedCsvRecord line, String field) {
    return switch (line.getField(field)) {
      case "NA" -> Double.NaN;
      case "Inf" -> Double.POSITIVE_INFINITY;
      case String text -> Double.parseDouble(text);
    };
  }

  public static GlmOracle of(String name) {
    return new GlmOracle(
        lines(folder().resolve(name + ".coefficients.csv")).stream()
            .map(
                line ->
                    new Coefficient(
                        line.getField("term"),
                        number(line, "estimate"),
                        number(line, "std_error"),
                        number(line, "statistic"),
                        number(line, "p_value"),
                        number(line, "conf_low"),
                        number(line, "conf_high")))
            .toList(),
        values(name + ".fit.csv"));
  }

  /** Coefficients within a share of a standard error, standard errors within a share of theirs. */
  public void requireCoefficients(List<Coefficient> found, double share, double errorShare) {
    assertThat(found).hasSameSizeAs(coefficients);
    for (int j = 0; j < found.size(); j++) {
      Coefficient truth = coefficients.get(j);
      Coefficient own = found.get(j);
      double error = truth.standardError();
      assertThat(own.estimate())
          .as(truth.term())
          .isCloseTo(truth.estimate(), within(share * error));
      assertThat(own.standardError()).as(truth.term()).isCloseTo(error, within(errorShare * error));
    }
  }

  /** P values and the ends of the intervals, for estimates that agree to a millionth. */
  void requireTests(List<Coefficient> found) {
    for (int j = 0; j < found.size(); j++) {
      Coefficient truth = coefficients.get(j);
      Coefficient own = found.get(j);
      double error = truth.standardError();
      assertThat(own.pValue())
          .as(truth.term())
          .isCloseTo(
              truth.pValue(),
              within(1e-5 * (1 + truth.statistic() * truth.statistic()) * truth.pValue()));
      assertThat(own.low()).as(truth.term()).isCloseTo(truth.low(), within(1e-4 * error));
      assertThat(own.high()).as(truth.term()).isCloseTo(truth.high(), within(1e-4 * error));
    }
  }
}
