package ngd.core.run;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.Memory;
import ngd.core.file.SealedNumbers;
import ngd.core.rows.Rows;

/**
 * Every client's estimates at every look at a run. They are kept in a file until they are written,
 * since many clients at many looks do not fit memory.
 */
public final class Trajectories implements AutoCloseable {
  private final SealedNumbers numbers = SealedNumbers.in(Memory.folder());
  private final List<Integer> rounds = new ArrayList<>();
  private int clients;
  private int width;

  /** Keeps all clients' estimates after a round. */
  public void add(int round, Rows theta) {
    clients = theta.rows();
    width = theta.width();
    rounds.add(round);
    for (int m = 0; m < clients; m++) {
      numbers.append(Arrays.copyOf(theta.row(m), kept()), 0, kept());
    }
  }

  /** An even count of numbers is sealed at a time. */
  private int kept() {
    return width + width % 2;
  }

  /**
   * {@code trajectories.csv}: a line for each look and client.
   *
   * @param coefficients their names
   */
  public RunFolder.Content csv(List<String> coefficients) {
    return RunFolder.lines(csv -> write(coefficients, csv));
  }

  private void write(List<String> coefficients, CsvWriter csv) {
    List<String> line = new ArrayList<>(List.of("round", "client"));
    line.addAll(coefficients);
    csv.writeRecord(line);
    double[] row = new double[kept()];
    for (int look = 0; look < rounds.size(); look++) {
      for (int m = 0; m < clients; m++) {
        numbers.read(((long) look * clients + m) * kept(), row, 0, kept());
        line.clear();
        line.add(Integer.toString(rounds.get(look)));
        line.add(Integer.toString(m));
        for (int j = 0; j < width; j++) {
          line.add(Double.toString(row[j]));
        }
        csv.writeRecord(line);
      }
    }
  }

  @Override
  public void close() {
    numbers.close();
  }
}
