package ngd.studies.figure;

import java.awt.Color;
import java.awt.geom.Path2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.Range;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Curves over iterations in panels with common axes: one column a step size, one row a distribution
 * of the data, one curve a network, and a dotted line for what they are compared with.
 */
public final class CurveFigure {
  /** Markers on a curve: enough to tell curves apart, few enough to see the line. */
  private static final int MARKERS = 6;

  /** How much of a band's colour shows, of 255: several lie over each other. */
  private static final int SHADE = 44;

  /** Curves of a panel that diverged and are named there, and the distance between their lines. */
  private static final int MOST_NAMED = 8;

  private static final int LINE = 14;

  /** A line through points; y is NaN or infinite where it leaves the figure. */
  private record Curve(String label, List<Double> xs, List<Double> ys) {
    double end() {
      return xs.getLast();
    }

    /** Whether it leaves the figure, but not as the logarithm of 0. */
    boolean diverged() {
      return !Double.isFinite(ys.getLast()) && ys.getLast() != Double.NEGATIVE_INFINITY;
    }

    DoubleStream values() {
      return ys.stream().mapToDouble(Double::doubleValue);
    }
  }

  /** The middle half of what a curve is the median of. */
  private record Band(String label, List<Double> xs, List<Double> lows, List<Double> highs) {}

  private record Place(String row, String column) {}

  private final List<String> columns;
  private final List<String> rows;
  private final List<String> labels;
  private final String reference;
  private final String xLabel;
  private final String yLabel;
  private final boolean rangePerRow;
  private final Map<Place, List<Curve>> curves = new LinkedHashMap<>();
  private final Map<Place, List<Band>> bands = new LinkedHashMap<>();
  private final Map<Place, Double> references = new LinkedHashMap<>();

  /**
   * An empty figure.
   *
   * @param labels the curves of a panel, in the order of the legend
   * @param reference what the dotted line is; empty where there is none
   * @param rangePerRow whether rows show different things; otherwise all panels have one range,
   *     from the lowest value to the highest start, so that a diverging curve is cut
   */
  public CurveFigure(
      List<String> columns,
      List<String> rows,
      List<String> labels,
      String reference,
      String xLabel,
      String yLabel,
      boolean rangePerRow) {
    this.columns = List.copyOf(columns);
    this.rows = List.copyOf(rows);
    this.labels = List.copyOf(labels);
    this.reference = reference;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
    this.rangePerRow = rangePerRow;
  }

  /** Adds a curve; values that are not finite are left out. */
  public void curve(String row, String column, String label, double[] x, double[] y) {
    curves
        .computeIfAbsent(new Place(row, column), place -> new ArrayList<>())
        .add(
            new Curve(
                label, DoubleStream.of(x).boxed().toList(), DoubleStream.of(y).boxed().toList()));
  }

  /**
   * Shades the stretch between two quartiles behind the curve of the same label; where the upper
   * one is infinite, up to the edge.
   */
  public void band(
      String row, String column, String label, double[] x, double[] low, double[] high) {
    bands
        .computeIfAbsent(new Place(row, column), place -> new ArrayList<>())
        .add(
            new Band(
                label,
                DoubleStream.of(x).boxed().toList(),
                DoubleStream.of(low).boxed().toList(),
                DoubleStream.of(high).boxed().toList()));
  }

  /** Draws the dotted line of a panel. */
  public void reference(String row, String column, double y) {
    references.put(new Place(row, column), y);
  }

  public Figure figure(String description) {
    boolean crowded = columns.size() == 1 && rows.size() == 1 && labels.size() > 5;
    Panels panels =
        new Panels(
            crowded ? 620 : columns.size() > 3 ? 172 : columns.size() > 1 ? 230 : 400,
            crowded ? 430 : rows.size() > 1 ? 165 : 200,
            columns,
            rows,
            xLabel,
            yLabel,
            false);
    for (int i = 0; i < labels.size(); i++) {
      panels.legend(labels.get(i), Style.of(i));
    }
    if (!reference.isEmpty()) {
      panels.legend(reference, Style.REFERENCE);
    }
    return new Figure(
        panels.width(),
        panels.height(),
        description,
        g -> panels.draw(g, (row, column) -> panel(new Place(rows.get(row), columns.get(column)))));
  }

  private Optional<XYPlot> panel(Place place) {
    List<Curve> own = curves.get(place);
    if (own == null) {
      return Optional.empty();
    }
    XYPlot plot = Panels.plot(xAxis(place), yAxis(place));
    XYSeriesCollection data = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new Sparse();
    // Segment by segment, dashes would start anew at every point.
    renderer.setDrawSeriesLineAsPath(true);
    Double level = references.get(place);
    for (Band band : bands.getOrDefault(place, List.of())) {
      renderer.addAnnotation(shade(band, plot.getRangeAxis().getRange()), Layer.BACKGROUND);
    }
    for (Curve curve : own) {
      style(renderer, data.getSeriesCount(), Style.of(labels.indexOf(curve.label())));
      data.addSeries(series(curve));
    }
    List<String> lost = own.stream().filter(Curve::diverged).map(Curve::label).toList();
    plot.addAnnotation(diverged(lost, largestX(place), plot.getRangeAxis().getUpperBound()));
    if (level != null) {
      style(renderer, data.getSeriesCount(), Style.REFERENCE);
      XYSeries line = new XYSeries("reference");
      line.add(0, (double) level);
      line.add(largestX(place), (double) level);
      data.addSeries(line);
    }
    plot.setDataset(data);
    plot.setRenderer(renderer);
    return Optional.of(plot);
  }

  private static XYSeries series(Curve curve) {
    XYSeries series = new XYSeries(curve.label());
    for (int i = 0; i < curve.xs().size(); i++) {
      double y = curve.ys().get(i);
      series.add((double) curve.xs().get(i), Double.isFinite(y) ? y : Double.NaN);
    }
    return series;
  }

  private PlotAnnotation shade(Band band, Range shown) {
    Color colour = Style.of(labels.indexOf(band.label())).colour();
    return new PlotAnnotation(
        (g, xOf, yOf) -> {
          Path2D path = new Path2D.Double();
          List<Integer> known = new ArrayList<>();
          for (int i = 0; i < band.xs().size(); i++) {
            if (!Double.isNaN(band.lows().get(i)) && !Double.isNaN(band.highs().get(i))) {
              known.add(i);
            }
          }
          for (int i : known) {
            double x = xOf.at(band.xs().get(i));
            double y = yOf.at(shown.constrain(band.highs().get(i)));
            if (path.getCurrentPoint() == null) {
              path.moveTo(x, y);
            } else {
              path.lineTo(x, y);
            }
          }
          if (known.size() < 2) {
            return;
          }
          for (int i : known.reversed()) {
            path.lineTo(xOf.at(band.xs().get(i)), yOf.at(shown.constrain(band.lows().get(i))));
          }
          path.closePath();
          g.setColor(new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), SHADE));
          g.fill(path);
        });
  }

  /** Names what diverged, a line each, in the upper right corner. */
  private static PlotAnnotation diverged(List<String> labels, double right, double top) {
    List<String> lines = new ArrayList<>();
    labels.stream().limit(MOST_NAMED).forEach(label -> lines.add(label + " diverged"));
    if (labels.size() > MOST_NAMED) {
      lines.add("and %d more".formatted(labels.size() - MOST_NAMED));
    }
    return new PlotAnnotation(
        (g, xOf, yOf) -> {
          g.setFont(Panels.TEXT);
          g.setColor(Color.BLACK);
          double end = xOf.at(right * 0.97);
          double y = yOf.at(top);
          for (String line : lines) {
            y += LINE;
            g.drawString(line, (float) (end - Panels.textWidth(line)), (float) y);
          }
        });
  }

  private static void style(XYLineAndShapeRenderer renderer, int series, Style style) {
    renderer.setSeriesPaint(series, style.colour());
    renderer.setSeriesStroke(series, style.stroke());
    renderer.setSeriesShape(series, style.shape());
    renderer.setSeriesShapesVisible(series, style.hasMarker());
    renderer.setSeriesShapesFilled(series, true);
    renderer.setUseFillPaint(true);
    renderer.setSeriesFillPaint(series, style.filled() ? style.colour() : Color.WHITE);
  }

  private double smallestX() {
    return curves.values().stream()
        .flatMap(List::stream)
        .mapToDouble(curve -> curve.xs().getFirst())
        .min()
        .orElse(0);
  }

  /** The right end of a column's axis. */
  private double largestX(Place place) {
    return curves.entrySet().stream()
        .filter(entry -> entry.getKey().column().equals(place.column()))
        .flatMap(entry -> entry.getValue().stream())
        .mapToDouble(Curve::end)
        .max()
        .orElse(1);
  }

  private NumberAxis xAxis(Place place) {
    NumberAxis axis = new NumberAxis();
    double end = largestX(place);
    double start = smallestX();
    if (start > 0) {
      end += 0.08 * end;
      axis.setRange(start - 0.08 * end, end);
    } else {
      axis.setRange(0, end);
    }
    // One panel has room for more numbers than each of several beside it.
    boolean alone = curves.keySet().stream().map(Place::column).distinct().count() == 1;
    axis.setTickUnit(unit(axis.getRange().getLength(), alone ? 4 : 3));
    return axis;
  }

  private NumberAxis yAxis(Place place) {
    double[] shown = values(place).filter(Double::isFinite).sorted().toArray();
    double low = shown.length == 0 ? 0 : shown[0];
    double high = shown.length == 0 ? 1 : shown[shown.length - 1];
    if (!rangePerRow) {
      high =
          curves.values().stream()
              .flatMap(List::stream)
              .mapToDouble(curve -> curve.ys().getFirst())
              .filter(Double::isFinite)
              .reduce(low, Math::max);
    }
    NumberAxis axis = new NumberAxis();
    axis.setRange(Range.expand(Panels.shown(low, high), 0.05, 0.05));
    axis.setTickUnit(unit(axis.getRange().getLength(), rangePerRow ? 4 : 6));
    return axis;
  }

  /** What shares a vertical axis with a panel. */
  private DoubleStream values(Place place) {
    DoubleStream ofCurves =
        curves.entrySet().stream()
            .filter(entry -> !rangePerRow || entry.getKey().row().equals(place.row()))
            .flatMap(entry -> entry.getValue().stream())
            .flatMapToDouble(Curve::values);
    DoubleStream ofReferences =
        references.entrySet().stream()
            .filter(entry -> !rangePerRow || entry.getKey().row().equals(place.row()))
            .mapToDouble(Map.Entry::getValue);
    DoubleStream ofBands =
        bands.entrySet().stream()
            .filter(entry -> !rangePerRow || entry.getKey().row().equals(place.row()))
            .flatMap(entry -> entry.getValue().stream())
            .flatMap(band -> band.lows().stream())
            .mapToDouble(Double::doubleValue);
    return DoubleStream.concat(DoubleStream.concat(ofCurves, ofBands), ofReferences);
  }

  /** A round distance between ticks that gives about this many of them. */
  static NumberTickUnit unit(double length, int ticks) {
    double rough = length / ticks;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double factor =
        rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10;
    double size = factor * power;
    DecimalFormat form = new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT));
    form.setMaximumFractionDigits(Math.clamp((long) -Math.floor(Math.log10(size)), 2, 6));
    form.setNegativePrefix("−");
    return new NumberTickUnit(size, form);
  }

  /** Draws a marker at every k-th point of a curve only, shifted from curve to curve. */
  private static final class Sparse extends XYLineAndShapeRenderer {
    @Override
    public boolean getItemShapeVisible(int series, int item) {
      if (!super.getItemShapeVisible(series, item) || getPlot() == null) {
        return false;
      }
      int count = getPlot().getDataset().getItemCount(series);
      int curves = getPlot().getDataset().getSeriesCount();
      // Curves that run into each other need places for markers that do not.
      int step = Math.max(1, Math.max(count / MARKERS, Math.min(curves, count / 3)));
      int shifts = Math.max(4, curves);
      return item % step == (step / 4 + series * step / shifts) % step;
    }
  }
}
