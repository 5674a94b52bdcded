package ngd.core.training;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The {@code trace.csv} of a training's folder. */
public final class TrainingTrace {
  private final List<Double> rounds = new ArrayList<>();
  private final List<Double> means = new ArrayList<>();
  private final List<Double> logSds = new ArrayList<>();

  private TrainingTrace() {}

  public static TrainingTrace read(Path file) {
    TrainingTrace trace = new TrainingTrace();
    try (CsvReader<NamedCsvRecord> csv = CsvReader.builder().ofNamedCsvRecord(file)) {
      for (NamedCsvRecord line : csv) {
        trace.rounds.add(Double.valueOf(line.getField("round")));
        trace.means.add(Double.valueOf(line.getField("mean_err")));
        trace.logSds.add(Double.valueOf(line.getField("log_sd")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be read".formatted(file), e);
    }
    return trace;
  }

  private static double[] array(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }

  public double[] rounds() {
    return array(rounds);
  }

  public double[] means() {
    return array(means);
  }

  public double[] logSds() {
    return array(logSds);
  }

  public double lastRound() {
    return rounds.getLast();
  }

  public double lastMean() {
    return means.getLast();
  }

  public double lastLogSd() {
    return logSds.getLast();
  }
}
