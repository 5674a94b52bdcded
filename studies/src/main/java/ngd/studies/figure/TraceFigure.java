package ngd.studies.figure;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import ngd.core.InvalidInput;
import ngd.core.run.StoredTrace;

/**
 * The curves of one run or several over the rounds, a panel for each thing measured. What cannot be
 * negative is drawn as its natural logarithm, as the error is in a trace.
 */
public final class TraceFigure {
  /** What the columns of a trace are called; others keep their names. */
  private static final Map<String, String> WORDS =
      Map.of(
          "log_mse", "log MSE",
          "distance", "log distance",
          "consensus", "log consensus",
          "gradient_norm", "log gradient");

  /** Counted, not measured. */
  private static final Set<String> COSTS =
      Set.of("epoch", "messages", "bytes", "gradients", "simulated_seconds");

  private final Map<String, StoredTrace> traces = new LinkedHashMap<>();

  /** Adds a run under a name of its own. */
  public void add(String name, StoredTrace trace) {
    String own = name;
    for (int i = 2; traces.containsKey(own); i++) {
      own = name + " (" + i + ")";
    }
    traces.put(own, trace);
  }

  /** All runs added; a run without some measure has no curve in that panel. */
  public Figure figure(String description) {
    Set<String> columns = new LinkedHashSet<>();
    traces.values().forEach(trace -> columns.addAll(trace.columns()));
    columns.removeAll(COSTS);
    if (columns.isEmpty()) {
      throw new InvalidInput("plot: at least one measured column is needed; the runs have none");
    }
    List<String> rows = columns.stream().map(TraceFigure::words).toList();
    CurveFigure figure =
        new CurveFigure(List.of(""), rows, List.copyOf(traces.keySet()), "", "round", "", true);
    traces.forEach(
        (name, trace) -> {
          for (String column : trace.columns()) {
            if (columns.contains(column)) {
              curve(figure, name, trace, column);
            }
          }
        });
    return figure.figure(description);
  }

  private static void curve(CurveFigure figure, String name, StoredTrace trace, String column) {
    double[] x = new double[trace.size()];
    double[] y = new double[trace.size()];
    for (int i = 0; i < x.length; i++) {
      double value = trace.value(i, column);
      x[i] = trace.round(i);
      y[i] = isLogarithm(column) ? value : Math.log(value);
    }
    figure.curve(words(column), "", name, x, y);
  }

  /** Whether a column holds logarithms already. */
  private static boolean isLogarithm(String column) {
    return column.startsWith("log_");
  }

  private static String words(String column) {
    String known = WORDS.get(column);
    return known != null
        ? known
        : isLogarithm(column) ? column.replace('_', ' ') : "log " + column.replace('_', ' ');
  }
}
