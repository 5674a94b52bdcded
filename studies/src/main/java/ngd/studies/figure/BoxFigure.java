package ngd.studies.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.jfree.chart.annotations.XYAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.Range;

/** Box plots in a row of panels, each with a vertical axis of its own. */
public final class BoxFigure {
  /** Outliers that are drawn on one side of a box; of more, the most extreme. */
  private static final int OUTLIERS = 40;

  /**
   * A box: quartiles, and whiskers to the last value within one and a half box lengths (Tukey).
   *
   * @param dark whether this is what the others are compared with
   */
  public record Box(
      String label,
      double low,
      double q25,
      double median,
      double q75,
      double high,
      List<Double> outliers,
      boolean dark) {
    public Box {
      outliers = List.copyOf(outliers);
    }

    /** The box of values in ascending order, with their quartiles. */
    public static Box of(
        String label, double[] sorted, double q25, double median, double q75, boolean dark) {
      double reach = 1.5 * (q75 - q25);
      double low = DoubleStream.of(sorted).filter(v -> v >= q25 - reach).findFirst().orElse(q25);
      double high = q75;
      for (double value : sorted) {
        if (value <= q75 + reach) {
          high = Math.max(high, value);
        }
      }
      double lowest = low;
      double highest = high;
      List<Double> outliers = new ArrayList<>();
      DoubleStream.of(sorted).filter(v -> v < lowest).limit(OUTLIERS).forEach(outliers::add);
      double[] above =
          DoubleStream.of(sorted).filter(v -> v > highest && Double.isFinite(v)).toArray();
      for (int i = Math.max(0, above.length - OUTLIERS); i < above.length; i++) {
        outliers.add(above[i]);
      }
      return new Box(label, low, q25, median, q75, high, outliers, dark);
    }
  }

  private final String xLabel;
  private final String yLabel;
  private final Map<String, List<Box>> panels = new LinkedHashMap<>();

  public BoxFigure(String xLabel, String yLabel) {
    this.xLabel = xLabel;
    this.yLabel = yLabel;
  }

  public void panel(String title, List<Box> boxes) {
    panels.put(title, List.copyOf(boxes));
  }

  public Figure figure(String description) {
    List<String> titles = List.copyOf(panels.keySet());
    Panels frame = new Panels(250, 230, titles, List.of(""), xLabel, yLabel, true);
    return new Figure(
        frame.width(),
        frame.height(),
        description,
        g ->
            frame.draw(
                g,
                (row, column) ->
                    Optional.ofNullable(panels.get(titles.get(column))).map(BoxFigure::plot)));
  }

  private static XYPlot plot(List<Box> boxes) {
    double[] places = new double[boxes.size()];
    for (int i = 0; i < places.length; i++) {
      // What the others are compared with stands a little apart.
      places[i] = boxes.get(i).dark() && i > 0 ? i + 1 : i;
    }
    double end = places[places.length - 1];
    NumberAxis x =
        Panels.categories(places, boxes.stream().map(Box::label).toList(), -0.8, end + 0.8);
    NumberAxis y = new NumberAxis();
    double low = boxes.stream().mapToDouble(BoxFigure::lowest).min().orElse(0);
    double high = boxes.stream().mapToDouble(BoxFigure::highest).max().orElse(1);
    Range shown = Panels.shown(low, high);
    y.setRange(Range.expand(shown, 0.04, 0.04));
    y.setTickUnit(CurveFigure.unit(shown.getLength(), 5));
    XYPlot plot = Panels.plot(x, y);
    for (int i = 0; i < boxes.size(); i++) {
      plot.addAnnotation(drawn(boxes.get(i), places[i]));
    }
    return plot;
  }

  private static double lowest(Box box) {
    return box.outliers().stream().mapToDouble(v -> v).reduce(box.low(), Math::min);
  }

  private static double highest(Box box) {
    return box.outliers().stream().mapToDouble(v -> v).reduce(box.high(), Math::max);
  }

  private static XYAnnotation drawn(Box box, double place) {
    return new PlotAnnotation((g, xOf, yOf) -> draw(g, box, place, xOf, yOf));
  }

  private static void draw(
      Graphics2D g, Box box, double place, PlotAnnotation.Scale xOf, PlotAnnotation.Scale yOf) {
    double left = xOf.at(place - 0.32);
    double right = xOf.at(place + 0.32);
    double middle = xOf.at(place);
    g.setStroke(new BasicStroke(0.9f));
    g.setColor(Color.BLACK);
    g.draw(new Line2D.Double(middle, yOf.at(box.low()), middle, yOf.at(box.q25())));
    g.draw(new Line2D.Double(middle, yOf.at(box.q75()), middle, yOf.at(box.high())));
    double cap = (right - left) / 4;
    for (double end : new double[] {box.low(), box.high()}) {
      g.draw(new Line2D.Double(middle - cap, yOf.at(end), middle + cap, yOf.at(end)));
    }
    Rectangle2D body =
        new Rectangle2D.Double(
            left, yOf.at(box.q75()), right - left, yOf.at(box.q25()) - yOf.at(box.q75()));
    g.setColor(box.dark() ? new Color(0x555555) : new Color(0xDCE8F2));
    g.fill(body);
    g.setColor(Color.BLACK);
    g.draw(body);
    g.setStroke(new BasicStroke(1.8f));
    g.setColor(box.dark() ? Color.WHITE : Color.BLACK);
    g.draw(new Line2D.Double(left, yOf.at(box.median()), right, yOf.at(box.median())));
    g.setColor(new Color(0x707070));
    g.setStroke(new BasicStroke(0.6f));
    for (double outlier : box.outliers()) {
      g.draw(new Ellipse2D.Double(middle - 1.4, yOf.at(outlier) - 1.4, 2.8, 2.8));
    }
  }
}
