package ngd.app.fit;

import java.nio.file.Files;
import java.util.List;
import java.util.SequencedMap;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Quartiles;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.Figure;

/**
 * The figures of a comparison: the natural logarithm of the distance to the global estimate against
 * what it cost.
 *
 * @param banded whether there are several seeds, whose middle half is shaded
 */
record CompareFigures(List<ComparedMethod> methods, boolean banded) {
  /** What a method had cost at a look. */
  @FunctionalInterface
  interface CostAt {
    double of(ComparedMethod method, int look);
  }

  /** Adds a figure as SVG, PNG and PDF. */
  void draw(SequencedMap<String, RunFolder.Content> files, String cost, CostAt costs) {
    if (methods.isEmpty()) {
      return;
    }
    String axis = cost.replace('_', ' ');
    boolean mixed =
        cost.equals("rounds") && methods.stream().anyMatch(ComparedMethod::asynchronous);
    CurveFigure figure =
        new CurveFigure(
            List.of(""),
            List.of(""),
            methods.stream().map(CompareFigures::label).toList(),
            "",
            mixed ? "rounds, or simulated seconds of the asynchronous" : axis,
            banded ? "median log distance, middle half shaded" : "log distance",
            false);
    methods.forEach(method -> add(figure, method, costs));
    Figure picture = figure.figure("distance to the global estimate against " + axis);
    String name = cost.replace('_', '-');
    files.put(name + ".svg", file -> Files.writeString(file, picture.svg(name)));
    files.put(name + ".png", file -> Files.write(file, picture.png()));
    files.put(name + ".pdf", file -> Files.write(file, picture.pdf()));
  }

  private void add(CurveFigure figure, ComparedMethod method, CostAt costs) {
    int looks = method.looks();
    double[] x = new double[looks];
    double[] y = new double[looks];
    double[] low = new double[looks];
    double[] high = new double[looks];
    for (int i = 0; i < looks; i++) {
      Quartiles distance = method.value(i, "distance");
      x[i] = costs.of(method, i);
      y[i] = Math.log(distance.median());
      low[i] = Math.log(distance.low());
      high[i] = Math.log(distance.high());
    }
    if (banded) {
      figure.band("", "", label(method), x, low, high);
    }
    figure.curve("", "", label(method), x, y);
  }

  /** A method with the step size that was found for it. */
  private static String label(ComparedMethod method) {
    return method.outcome().tried().isEmpty()
        ? method.word()
        : "%s, α = %s".formatted(method.word(), method.best().alpha());
  }
}
