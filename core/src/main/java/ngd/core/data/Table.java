package ngd.core.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;
import ngd.core.formula.RiskTime;
import org.jspecify.annotations.Nullable;

/**
 * N rows of a response and named features, all finite numbers, stored by column.
 *
 * <p>An intercept is a feature like the others: the first, {@link #INTERCEPT}, 1 in every row. A
 * table remembers where its rows came from, so that whoever refuses one can say which line of which
 * file it is.
 */
public final class Table implements Cases {
  /** The name of the feature that is 1 in every row. */
  public static final String INTERCEPT = "(Intercept)";

  private final String source;
  private final String responseName;
  private final List<String> features;
  private final double[] response;
  private final double[][] columns;
  private final int[] lines;
  private final Optional<Labels> labels;
  private final double @Nullable [] stops;

  Table(
      String source,
      String responseName,
      double[] response,
      List<String> features,
      double[][] columns,
      int[] lines,
      Optional<Labels> labels) {
    this(source, responseName, response, features, columns, lines, labels, Optional.empty());
  }

  /**
   * @param lines the line on which each row starts, or empty where rows have no lines
   * @param stops when each row's time at risk ended, where responses are events in time
   */
  Table(
      String source,
      String responseName,
      double[] response,
      List<String> features,
      double[][] columns,
      int[] lines,
      Optional<Labels> labels,
      Optional<double[]> stops) {
    this.stops = stops.orElse(null);
    this.source = source;
    this.responseName = responseName;
    this.response = response;
    this.features = List.copyOf(features);
    this.columns = columns;
    this.lines = lines;
    this.labels = labels;
    if (response.length == 0) {
      throw new InvalidInput("%s: must have at least one row; got none".formatted(source));
    }
    if (columns.length == 0 || columns.length != features.size()) {
      throw new InvalidInput(
          "%s: must have at least one feature or an intercept, each with its name; got %d columns"
                  .formatted(source, columns.length)
              + " and %d names".formatted(features.size()));
    }
    for (double[] column : columns) {
      if (column.length != response.length) {
        throw new InvalidInput(
            "%s: all columns must be as long as the response, %d; got %d"
                .formatted(source, response.length, column.length));
      }
    }
  }

  /** A table from plain arrays, {@code columns[feature][row]}; the arrays are copied. */
  public static Table of(
      String responseName, double[] response, List<String> features, double[][] columns) {
    double[][] copies = new double[columns.length][];
    for (int j = 0; j < columns.length; j++) {
      copies[j] = columns[j].clone();
    }
    return new Table(
        "table", responseName, response.clone(), features, copies, new int[0], Optional.empty());
  }

  static Table withIntercept(
      String source,
      String responseName,
      double[] response,
      List<String> features,
      double[][] columns,
      int[] lines,
      Optional<Labels> labels) {
    double[][] more = new double[columns.length + 1][];
    more[0] = new double[response.length];
    Arrays.fill(more[0], 1);
    System.arraycopy(columns, 0, more, 1, columns.length);
    List<String> names = new ArrayList<>(List.of(INTERCEPT));
    names.addAll(features);
    return new Table(source, responseName, response, names, more, lines, labels);
  }

  /** What the rows came from: a file's name, or a generator's. */
  @Override
  public String source() {
    return source;
  }

  @Override
  public int rows() {
    return response.length;
  }

  public String responseName() {
    return responseName;
  }

  /** The features' names in the order of the coefficients, the intercept first. */
  public List<String> features() {
    return features;
  }

  public boolean hasIntercept() {
    return features.getFirst().equals(INTERCEPT);
  }

  @Override
  public double y(int row) {
    return response[row];
  }

  public double x(int row, int feature) {
    return columns[feature][row];
  }

  /** When a row is at risk, where responses are events in time. */
  public Optional<RiskTime> time(int row) {
    return stops == null
        ? Optional.empty()
        : Optional.of(new RiskTime(Double.NEGATIVE_INFINITY, stops[row], 0));
  }

  /** Whether responses are events in time. */
  public boolean isTimed() {
    return stops != null;
  }

  Optional<double[]> stops() {
    return Optional.ofNullable(stops);
  }

  double[] response() {
    return response;
  }

  /** The line of each row, or empty. */
  int[] lines() {
    return lines;
  }

  @Override
  public Optional<Labels> labels() {
    return labels;
  }

  /** The file and the line of a row, or its number where there are no lines. */
  public String place(int row) {
    Objects.checkIndex(row, rows());
    return lines.length == 0
        ? "%s, row %d".formatted(source, row)
        : "%s, line %d".formatted(source, lines[row]);
  }

  /** The SHA-256 of the names and numbers, column by column: the same for the same data. */
  public String hash() {
    Sha256 hash = new Sha256();
    add(hash, responseName, response);
    for (int j = 0; j < columns.length; j++) {
      add(hash, features.get(j), columns[j]);
    }
    if (stops != null) {
      add(hash, "time", stops);
    }
    return hash.hex();
  }

  static void add(Sha256 hash, String name, double[] column) {
    hash.add(name.length()).add(name).add(column, 0, column.length);
  }
}
