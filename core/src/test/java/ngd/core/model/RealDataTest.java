package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import ngd.core.data.CsvSource;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;

/** Public data sets, where the folder that holds them is at hand. */
class RealDataTest {

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

  private static Shards cut(Table table) {
    return new Partition.Shuffled()
        .assign(table, OptionalInt.of(20), Placement.IN_ORDER, Streams.of(1))
        .shards(table);
  }

  /** Oracle: the defining equations, residuals orthogonal to every column. */
  @Test
  void of_redWine_leavesResidualsOrthogonalToEveryColumn() {
    Table table = CsvSource.of(data("wine-quality/winequality-red.csv"), "quality").read();
    assertThat(table.rows()).isEqualTo(1599);
    assertThat(table.features()).hasSize(12).contains("fixed acidity", "pH");
    double[] theta = GlobalEstimate.of(new Linear(), cut(table), table.features()).theta();
    double[] products = new double[12];
    double[] scales = new double[12];
    for (int i = 0; i < table.rows(); i++) {
      double residual = table.y(i);
      for (int j = 0; j < 12; j++) {
        residual -= theta[j] * table.x(i, j);
      }
      for (int j = 0; j < 12; j++) {
        products[j] += residual * table.x(i, j);
        scales[j] += Math.abs(residual * table.x(i, j));
      }
    }
    for (int j = 0; j < 12; j++) {
      assertThat(products[j]).isCloseTo(0, within(1e-11 * scales[j]));
    }
  }

  /** Of the 14 unpaid workers none earns above 50K: no estimate, and the column is named. */
  @Test
  void of_adultIncomeByWorkclass_isSeparatedByThoseWithoutPay() throws IOException {
    List<String> classes =
        List.of("Federal-gov", "Local-gov", "Private", "Self-emp-inc", "State-gov", "Without-pay");
    List<double[]> rows = new ArrayList<>();
    List<Double> incomes = new ArrayList<>();
    try (InputStream zip = Files.newInputStream(data("adult/adult.csv.gz"));
        CsvReader<NamedCsvRecord> reader =
            CsvReader.builder().ofNamedCsvRecord(new GZIPInputStream(zip))) {
      for (NamedCsvRecord person : reader) {
        if (person.getField("workclass").strip().equals("Never-worked")) {
          continue;
        }
        double[] row = new double[3 + classes.size()];
        row[0] = 1;
        row[1] = Double.parseDouble(person.getField("age"));
        row[2] = Double.parseDouble(person.getField("hours_per_week"));
        int at = classes.indexOf(person.getField("workclass").strip());
        if (at >= 0) {
          row[3 + at] = 1;
        }
        rows.add(row);
        incomes.add(person.getField("income").contains(">50K") ? 1.0 : 0.0);
      }
    }
    Shards shards =
        Shards.of(
            new double[][][] {rows.toArray(new double[0][])},
            new double[][] {incomes.stream().mapToDouble(Double::doubleValue).toArray()});
    List<String> names = new ArrayList<>(List.of("(Intercept)", "age", "hours"));
    classes.forEach(value -> names.add("workclass = " + value));
    NoEstimate none =
        catchThrowableOfType(
            NoEstimate.class, () -> GlobalEstimate.of(new Logistic(), shards, names));
    assertThat(none.reason()).isEqualTo(NoEstimate.Reason.SEPARATION);
    assertThat(none)
        .hasMessageContaining("coefficient of `workclass = Without-pay` goes to −∞,")
        .hasMessageContaining("fits 14 of");
  }
}
