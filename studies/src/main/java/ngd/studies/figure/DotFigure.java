package ngd.studies.figure;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.Range;

/**
 * Medians with their middle halves, side by side for each category, in a row of panels; a dotted
 * line where they are compared with something.
 */
public final class DotFigure {
  private record Dot(String category, String series, double low, double median, double high) {}

  private final List<String> categories;
  private final List<String> series;
  private final String reference;
  private final String xLabel;
  private final String yLabel;
  private final boolean ownRanges;
  private final Map<String, List<Dot>> panels = new LinkedHashMap<>();
  private final Map<String, Double> references = new LinkedHashMap<>();

  /**
   * An empty figure.
   *
   * @param reference what the dotted line is; empty where there is none
   * @param ownRanges whether every panel has an own vertical axis
   */
  public DotFigure(
      List<String> categories,
      List<String> series,
      String reference,
      String xLabel,
      String yLabel,
      boolean ownRanges) {
    this.categories = List.copyOf(categories);
    this.series = List.copyOf(series);
    this.reference = reference;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
    this.ownRanges = ownRanges;
  }

  public void dot(
      String panel, String category, String ofSeries, double low, double median, double high) {
    panels
        .computeIfAbsent(panel, title -> new ArrayList<>())
        .add(new Dot(category, ofSeries, low, median, high));
  }

  public void reference(String panel, double y) {
    references.put(panel, y);
  }

  public Figure figure(String description) {
    List<String> titles = List.copyOf(panels.keySet());
    int longest = categories.stream().mapToInt(String::length).max().orElse(1);
    int width = Math.max(170, Math.max(46, 7 * longest) * categories.size());
    Panels frame = new Panels(width, 210, titles, List.of(""), xLabel, yLabel, ownRanges);
    if (series.size() > 1) {
      for (int i = 0; i < series.size(); i++) {
        frame.legend(series.get(i), Style.of(i));
      }
    }
    if (!reference.isEmpty()) {
      frame.legend(reference, Style.REFERENCE);
    }
    return new Figure(
        frame.width(),
        frame.height(),
        description,
        g -> frame.draw(g, (row, column) -> Optional.of(plot(titles.get(column)))));
  }

  private XYPlot plot(String panel) {
    NumberAxis x =
        Panels.categories(
            IntStream.range(0, categories.size()).asDoubleStream().toArray(),
            categories,
            -0.6,
            categories.size() - 0.4);
    NumberAxis y = new NumberAxis();
    double[] shown =
        (ownRanges ? List.of(panel) : List.copyOf(panels.keySet()))
            .stream().flatMapToDouble(this::values).filter(Double::isFinite).sorted().toArray();
    double low = shown.length == 0 ? 0 : shown[0];
    double high = shown.length == 0 ? 1 : shown[shown.length - 1];
    y.setRange(Range.expand(Panels.shown(low, high), 0.06, 0.06));
    y.setTickUnit(CurveFigure.unit(y.getRange().getLength(), 5));
    XYPlot plot = Panels.plot(x, y);
    plot.addAnnotation(new PlotAnnotation((g, xOf, yOf) -> draw(g, panel, xOf, yOf)));
    return plot;
  }

  private DoubleStream values(String panel) {
    DoubleStream dots =
        panels.getOrDefault(panel, List.of()).stream()
            .flatMapToDouble(dot -> DoubleStream.of(dot.low(), dot.median(), dot.high()));
    return references.containsKey(panel)
        ? DoubleStream.concat(dots, DoubleStream.of(references.getOrDefault(panel, 0.0)))
        : dots;
  }

  private void draw(
      Graphics2D g, String panel, PlotAnnotation.Scale xOf, PlotAnnotation.Scale yOf) {
    if (references.containsKey(panel)) {
      double y = yOf.at(references.getOrDefault(panel, 0.0));
      g.setColor(Style.REFERENCE.colour());
      g.setStroke(Style.REFERENCE.stroke());
      g.draw(new Line2D.Double(xOf.at(-0.6), y, xOf.at(categories.size() - 0.4), y));
    }
    for (Dot dot : panels.getOrDefault(panel, List.of())) {
      if (!Double.isFinite(dot.median())) {
        continue;
      }
      int kind = series.indexOf(dot.series());
      double shift = 0.2 * (kind - (series.size() - 1) / 2.0);
      double x = xOf.at(categories.indexOf(dot.category()) + shift);
      Style style = Style.of(kind);
      g.setColor(style.colour());
      g.setStroke(new BasicStroke(1.4f));
      if (Double.isFinite(dot.high())) {
        g.draw(new Line2D.Double(x, yOf.at(dot.low()), x, yOf.at(dot.high())));
      }
      Panels.marker(g, style, x, yOf.at(dot.median()));
    }
  }
}
