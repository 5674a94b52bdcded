package ngd.deep.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Labels;
import ngd.deep.model.Shape;

/** Some rows of a table as flat samples. */
final class TableSamples implements Samples {
  private final Names names;
  private final float[][] x;
  private final int[] y;
  private final String hash;
  private final Optional<Labels> clients;

  /** Where the rows are from, and what their numbers and classes are called. */
  record Names(String source, List<String> features, List<String> classes) {}

  private TableSamples(Names names, float[][] x, int[] y, String hash, Optional<Labels> clients) {
    this.names = names;
    this.x = x;
    this.y = y;
    this.hash = hash;
    this.clients = clients;
  }

  /** Every fifth row validates, the others are learned from. */
  static DataSet of(Names names, double[][] x, int[] y, Optional<Labels> clients) {
    if (x.length < 5) {
      throw new InvalidInput(
          "%s: must have at least 5 complete rows, of which every fifth validates; got %d"
              .formatted(names.source(), x.length));
    }
    int[] learned = IntStream.range(0, x.length).filter(i -> i % 5 != 4).toArray();
    int[] tested = IntStream.range(0, x.length).filter(i -> i % 5 == 4).toArray();
    Columns columns = new Columns(x, learned);
    return new DataSet(
        part(names, x, y, learned, columns, clients), part(names, x, y, tested, columns, clients));
  }

  private static TableSamples part(
      Names names, double[][] x, int[] y, int[] rows, Columns columns, Optional<Labels> clients) {
    float[][] own = new float[rows.length][];
    int[] labels = new int[rows.length];
    MessageDigest digest = sha256();
    digest.update(names.toString().getBytes(StandardCharsets.UTF_8));
    ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * names.features().size() + Integer.BYTES);
    for (int i = 0; i < rows.length; i++) {
      double[] row = x[rows[i]];
      own[i] = columns.standardised(row);
      labels[i] = y[rows[i]];
      bytes.clear();
      for (double value : row) {
        bytes.putDouble(value);
      }
      digest.update(bytes.putInt(labels[i]).flip());
    }
    Optional<Labels> theirs =
        clients.map(
            all ->
                Labels.of(
                    all.name(),
                    IntStream.of(rows).mapToObj(i -> all.values().get(all.code(i))).toList()));
    return new TableSamples(names, own, labels, HexFormat.of().formatHex(digest.digest()), theirs);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Mean and standard deviation of each column, in double precision: as floats the years of a
   * century or the seconds of a day would be all alike.
   */
  private static final class Columns {
    private final double[] mean;
    private final double[] scale;

    Columns(double[][] x, int[] rows) {
      int p = x[0].length;
      mean = new double[p];
      scale = new double[p];
      for (int j = 0; j < p; j++) {
        int column = j;
        double middle = IntStream.of(rows).mapToDouble(i -> x[i][column]).average().orElse(0);
        double variance =
            IntStream.of(rows)
                .mapToDouble(i -> (x[i][column] - middle) * (x[i][column] - middle))
                .average()
                .orElse(0);
        mean[j] = middle;
        // A column that does not vary says nothing and becomes zero.
        scale[j] = Math.sqrt(variance) > 1e-12 * Math.abs(middle) ? 1 / Math.sqrt(variance) : 0;
      }
    }

    float[] standardised(double[] row) {
      float[] out = new float[row.length];
      for (int j = 0; j < row.length; j++) {
        out[j] = (float) ((row[j] - mean[j]) * scale[j]);
      }
      return out;
    }
  }

  @Override
  public String source() {
    return names.source();
  }

  @Override
  public Shape shape() {
    return Shape.row(names.features().size());
  }

  @Override
  public int size() {
    return y.length;
  }

  @Override
  public int classes() {
    return names.classes().size();
  }

  @Override
  public List<String> classNames() {
    return names.classes();
  }

  @Override
  public List<String> features() {
    return names.features();
  }

  @Override
  public Optional<Labels> clients() {
    return clients;
  }

  @Override
  public int label(int sample) {
    return y[sample];
  }

  @Override
  public void copy(int sample, float[] to, int at) {
    System.arraycopy(x[sample], 0, to, at, x[sample].length);
  }

  @Override
  public String hash() {
    return hash;
  }
}
