package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fits of imputed rows put together. Oracle: mice::pool of the same fits (mice_oracle.R). */
class RubinsRulesTest {
  private static final int IMPUTATIONS = 6;

  /** What R said of a case, by kind of number and name. */
  static Map<String, Map<String, Double>> numbers(String file, String wanted) throws IOException {
    Map<String, Map<String, Double>> numbers = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of("../oracles/imputation", file))) {
      String[] fields = line.split(",", -1);
      if (fields[0].equals(wanted)) {
        numbers
            .computeIfAbsent(fields[1], _ -> new LinkedHashMap<>())
            .put(fields[2], Double.parseDouble(fields[3]));
      }
    }
    return numbers;
  }

  private static double[] array(Map<String, Double> values) {
    return values.values().stream().mapToDouble(v -> v).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "binomial"})
  void of_fitsOfImputedRows_isMicesPool(String name) throws IOException {
    Map<String, Map<String, Double>> r = numbers("pool.csv", name);
    List<String> terms = List.copyOf(r.get("estimate").keySet());
    List<double[]> estimates = new ArrayList<>();
    List<double[]> covariances = new ArrayList<>();
    for (int k = 1; k <= IMPUTATIONS; k++) {
      estimates.add(array(r.get("estimate" + k)));
      covariances.add(array(r.get("vcov" + k)));
    }
    RubinsRules pooled =
        RubinsRules.of(terms, estimates, covariances, r.get("dfcom").get(terms.getFirst()), 0.9);
    for (int j = 0; j < terms.size(); j++) {
      String term = terms.get(j);
      Coefficient line = pooled.lines().get(j);
      RubinsRules.Parts parts = pooled.parts().get(j);
      near(line.estimate(), r, "estimate", term);
      near(line.standardError(), r, "se", term);
      near(line.pValue(), r, "p", term);
      near(line.low(), r, "low", term);
      near(line.high(), r, "high", term);
      near(pooled.covariance().get(j).get(j), r, "t", term);
      near(parts.within(), r, "ubar", term);
      near(parts.between(), r, "b", term);
      near(parts.freedom(), r, "df", term);
      near(parts.increase(), r, "riv", term);
      near(parts.share(), r, "lambda", term);
      near(parts.missing(), r, "fmi", term);
    }
  }

  private static void near(
      double found, Map<String, Map<String, Double>> r, String what, String term) {
    double expected = r.get(what).get(term);
    assertThat(found).as(what + " " + term).isCloseTo(expected, within(1e-9 * Math.abs(expected)));
  }

  /** Oracle: the definition. Where all fits agree, nothing is due to what is missing. */
  @Test
  void of_fitsThatAgree_isTheFit() {
    List<double[]> same = List.of(new double[] {2}, new double[] {2}, new double[] {2});
    List<double[]> variances = List.of(new double[] {4}, new double[] {4}, new double[] {4});
    RubinsRules pooled = RubinsRules.of(List.of("a"), same, variances, 50, 0.95);
    assertThat(pooled.lines().getFirst().standardError()).isEqualTo(2);
    assertThat(pooled.parts().getFirst().share()).isZero();
    assertThat(pooled.parts().getFirst().freedom()).isCloseTo(51.0 / 53 * 50, within(0.01));
  }
}
