package ngd.studies.paper;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import ngd.core.data.PaperModel;
import ngd.core.simulation.Quartiles;
import ngd.studies.engine.LocalEngine;
import ngd.studies.grid.Cell;
import ngd.studies.grid.Grid;
import ngd.studies.grid.GridStudy;
import ngd.studies.grid.Medians;
import ngd.studies.paper.PaperGrids.Step;
import ngd.studies.store.ReplicateStore;
import ngd.studies.store.Results;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Medians at the paper's sizes with R = 20 against those of {@code oracles/study_oracle.py}, an
 * independent program with random numbers of its own: within four standard errors of the
 * difference.
 */
class OracleMediansTest {
  private static final int REPLICATES = 20;

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> medians_atRTwenty_agreeWithNumPyWithinMonteCarloError() {
    return Stream.of(PaperModel.values())
        .filter(model -> !model.timed())
        .map(model -> DynamicTest.dynamicTest(model.spec(), () -> compare(model)));
  }

  private static List<Step> steps(PaperModel model) {
    return switch (model) {
      case LINEAR ->
          Stream.of("0.005", "0.01", "0.02", "0.05")
              .map(alpha -> new Step(alpha, 400, 100))
              .toList();
      case LOGISTIC -> Stream.of("0.1", "0.2").map(alpha -> new Step(alpha, 200, 40)).toList();
      case POISSON -> List.of(new Step("0.0008", 800, 200));
      case SURVIVAL -> List.of();
    };
  }

  private void compare(PaperModel model) throws IOException {
    Grid grid =
        PaperGrids.of(
            model,
            PaperGrids.ARRANGEMENTS,
            List.of("circle:1", "fixed:2", "central"),
            steps(model));
    GridStudy study = new GridStudy("oracle", "", grid, PaperFigures::curves, REPLICATES);
    int compared = 0;
    try (LocalEngine engine = new LocalEngine(Runtime.getRuntime().availableProcessors());
        ReplicateStore store = ReplicateStore.in(folder, model.spec(), study.width());
        CsvReader<NamedCsvRecord> oracle =
            CsvReader.builder().ofNamedCsvRecord(Path.of("../oracles/study/medians.csv"))) {
      int[] replicates = java.util.stream.IntStream.range(0, REPLICATES).toArray();
      engine.run(study, 1, replicates, store::append);
      Medians medians = Medians.of(study.layout(), new Results(store, REPLICATES));
      for (NamedCsvRecord row : oracle) {
        if (row.getField("model").equals(model.spec())) {
          compare(medians, row);
          compared++;
        }
      }
    }
    assertThat(compared).isEqualTo(1 + 2 * grid.cells().size());
  }

  private static void compare(Medians medians, NamedCsvRecord row) {
    int iteration = Integer.parseInt(row.getField("iteration"));
    Quartiles own;
    if (row.getField("network").equals("global")) {
      own = medians.global(medians.cells().getFirst());
    } else {
      Cell cell =
          medians
              .cells(
                  c ->
                      c.network().equals(row.getField("network"))
                          && c.arrangement().partition().spec().equals(row.getField("partition"))
                          && c.arrangement().placement().spec().equals(row.getField("placement"))
                          && c.alpha().equals(row.getField("alpha")))
              .getFirst();
      own = medians.curve(cell).get(iteration / cell.every());
      assertThat(cell.round(iteration / cell.every())).isEqualTo(iteration);
    }
    // The median of R normal values has standard error 1.2533 σ/√R, and their quartiles lie 1.349 σ
    // apart.
    double ownError = 1.2533 / 1.349 * (own.high() - own.low()) / Math.sqrt(REPLICATES);
    double error = Math.hypot(ownError, Double.parseDouble(row.getField("standard_error")));
    assertThat(Math.abs(own.median() - Double.parseDouble(row.getField("median_log_mse"))))
        .as("%s: %s, standard error %s", row, own.median(), error)
        .isLessThan(4 * error);
  }
}
