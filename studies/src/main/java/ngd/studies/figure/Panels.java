package ngd.studies.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.Range;

/**
 * A grid of plots of equal size: a legend on top, a heading over each column, a heading beside each
 * row, and axis labels once for all. Axes have numbers at the left and at the bottom only where
 * panels share them.
 */
final class Panels {
  static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
  static final Font HEADING = new Font(Font.SANS_SERIF, Font.BOLD, 11);
  private static final FontRenderContext MEASURE = new FontRenderContext(null, true, true);

  private static final int TOP = 34;
  private static final int LEGEND_LINE = 18;
  private static final double LEGEND_GAP = 22;
  private static final double SAMPLE = 34;
  private static final int COLUMN_HEADING = 20;
  private static final int BOTTOM = 44;
  private static final int LEFT = 58;
  private static final int ROW_HEADING = 20;
  private static final int GAP = 14;

  /** Between columns: the number at the end of one axis stands beside the 0 of the next. */
  private static final int COLUMN_GAP = 28;

  /** The least that a vertical axis shows, in parts of its values where these exceed 1. */
  private static final double LEAST_SPAN = 0.01;

  private static final int TICKS_LEFT = 38;
  private static final int TICKS_RIGHT = 24;
  private static final int TICKS_ABOVE = 8;
  private static final int TICKS_BELOW = 20;

  /** An entry of the legend. */
  record Entry(String label, Style style) {}

  private final int panelWidth;
  private final int panelHeight;
  private final List<String> columns;
  private final List<String> rows;
  private final String xLabel;
  private final String yLabel;
  private final boolean ownRanges;
  private final List<Entry> legend = new ArrayList<>();

  /**
   * An empty grid.
   *
   * @param ownRanges whether every panel has an own vertical axis with numbers
   */
  Panels(
      int panelWidth,
      int panelHeight,
      List<String> columns,
      List<String> rows,
      String xLabel,
      String yLabel,
      boolean ownRanges) {
    this.panelWidth = panelWidth;
    this.panelHeight = panelHeight;
    this.columns = List.copyOf(columns);
    this.rows = List.copyOf(rows);
    this.xLabel = xLabel;
    this.yLabel = yLabel;
    this.ownRanges = ownRanges;
  }

  void legend(String label, Style style) {
    legend.add(new Entry(label, style));
  }

  int width() {
    return LEFT
        + columns.size() * panelWidth
        + (columns.size() - 1) * (COLUMN_GAP + (ownRanges ? TICKS_LEFT : 0))
        + (rows.size() > 1 ? ROW_HEADING + TICKS_RIGHT - 8 : TICKS_RIGHT);
  }

  int height() {
    return top() + COLUMN_HEADING + rows.size() * panelHeight + (rows.size() - 1) * GAP + BOTTOM;
  }

  private int top() {
    return legend.isEmpty() ? 4 : TOP + LEGEND_LINE * (legendLines().size() - 1);
  }

  /** Which plot stands where. */
  @FunctionalInterface
  interface Plots {
    Optional<XYPlot> at(int row, int column);
  }

  void draw(Graphics2D g, Plots plots) {
    drawLegend(g);
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < columns.size(); column++) {
        Optional<XYPlot> plot = plots.at(row, column);
        if (plot.isPresent()) {
          drawPanel(g, plot.get(), row, column);
        }
      }
    }
    g.setColor(Color.BLACK);
    g.setFont(HEADING);
    for (int column = 0; column < columns.size(); column++) {
      centred(g, columns.get(column), x(column) + panelWidth / 2.0, top() + COLUMN_HEADING - 6);
    }
    if (rows.size() > 1) {
      for (int row = 0; row < rows.size(); row++) {
        turned(
            g, rows.get(row), width() - ROW_HEADING + 6, y(row) + panelHeight / 2.0, Math.PI / 2);
      }
    }
    g.setFont(TEXT);
    double middle = top() + COLUMN_HEADING + (y(rows.size() - 1) + panelHeight - y(0)) / 2.0;
    double left = x(0);
    double right = x(columns.size() - 1) + panelWidth;
    centred(g, xLabel, (left + right) / 2, height() - 8);
    turned(g, yLabel, 16, middle, -Math.PI / 2);
  }

  private double x(int column) {
    return LEFT + column * (panelWidth + COLUMN_GAP + (ownRanges ? TICKS_LEFT : 0.0));
  }

  private double y(int row) {
    return top() + COLUMN_HEADING + row * (panelHeight + (double) GAP);
  }

  private void drawPanel(Graphics2D g, XYPlot plot, int row, int column) {
    plot.getRangeAxis().setTickLabelsVisible(column == 0 || ownRanges);
    plot.getDomainAxis().setTickLabelsVisible(row == rows.size() - 1);
    // Room for numbers on all sides, even where none stand: one at the end of an axis reaches out.
    AxisSpace ofRange = new AxisSpace();
    ofRange.setLeft(TICKS_LEFT);
    ofRange.setRight(TICKS_RIGHT);
    plot.setFixedRangeAxisSpace(ofRange);
    AxisSpace ofDomain = new AxisSpace();
    ofDomain.setBottom(TICKS_BELOW);
    ofDomain.setTop(TICKS_ABOVE);
    plot.setFixedDomainAxisSpace(ofDomain);
    JFreeChart chart = new JFreeChart(null, TEXT, plot, false);
    chart.setBackgroundPaint(null);
    chart.setPadding(RectangleInsets.ZERO_INSETS);
    chart.draw(
        g,
        new Rectangle2D.Double(
            x(column) - TICKS_LEFT,
            y(row) - TICKS_ABOVE,
            panelWidth + TICKS_LEFT + TICKS_RIGHT,
            panelHeight + TICKS_BELOW + TICKS_ABOVE));
  }

  /** The legend in as many lines as the width asks for. */
  private List<List<Entry>> legendLines() {
    List<List<Entry>> lines = new ArrayList<>();
    double left = 0;
    for (Entry entry : legend) {
      double own = lengthOf(entry);
      if (lines.isEmpty() || own > left) {
        lines.add(new ArrayList<>());
        left = width() - 2.0 * GAP;
      }
      lines.getLast().add(entry);
      left -= own + LEGEND_GAP;
    }
    return lines;
  }

  private static double lengthOf(Entry entry) {
    return SAMPLE + 6 + textWidth(entry.label());
  }

  private void drawLegend(Graphics2D g) {
    g.setFont(TEXT);
    double y = 16;
    for (List<Entry> line : legendLines()) {
      double total =
          line.stream().mapToDouble(Panels::lengthOf).sum() + LEGEND_GAP * (line.size() - 1);
      double at = (width() - total) / 2;
      for (Entry entry : line) {
        Style style = entry.style();
        g.setColor(style.colour());
        g.setStroke(style.stroke());
        g.draw(new Line2D.Double(at, y, at + SAMPLE, y));
        if (style.hasMarker()) {
          marker(g, style, at + SAMPLE / 2, y);
        }
        g.setColor(Color.BLACK);
        g.drawString(entry.label(), (float) (at + SAMPLE + 6), (float) y + 4);
        at += lengthOf(entry) + LEGEND_GAP;
      }
      y += LEGEND_LINE;
    }
  }

  static void marker(Graphics2D g, Style style, double x, double y) {
    java.awt.Shape shape =
        AffineTransform.getTranslateInstance(x, y).createTransformedShape(style.shape());
    g.setStroke(new BasicStroke(1.1f));
    g.setColor(style.filled() ? style.colour() : Color.WHITE);
    g.fill(shape);
    g.setColor(style.colour());
    g.draw(shape);
  }

  static double textWidth(String text) {
    return textWidth(text, TEXT);
  }

  static double textWidth(String text, Font font) {
    return font.getStringBounds(text, MEASURE).getWidth();
  }

  static void centred(Graphics2D g, String text, double x, double y) {
    double width = textWidth(text, g.getFont());
    g.drawString(text, (float) (x - width / 2), (float) y);
  }

  static void turned(Graphics2D g, String text, double x, double y, double angle) {
    AffineTransform before = g.getTransform();
    g.translate(x, y);
    g.rotate(angle);
    centred(g, text, 0, 0);
    g.setTransform(before);
  }

  /** A plot with the look that all panels have. */
  static XYPlot plot(NumberAxis x, NumberAxis y) {
    XYPlot plot = new XYPlot();
    plot.setDomainAxis(dressed(x));
    plot.setRangeAxis(dressed(y));
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlinePaint(new Color(0x606060));
    plot.setOutlineStroke(new BasicStroke(0.8f));
    plot.setDomainGridlinesVisible(false);
    plot.setRangeGridlinePaint(new Color(0xDDDDDD));
    plot.setRangeGridlineStroke(new BasicStroke(0.6f));
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    plot.setInsets(RectangleInsets.ZERO_INSETS);
    // Without a renderer a plot draws no grid lines.
    plot.setRenderer(new XYLineAndShapeRenderer());
    return plot;
  }

  private static ValueAxis dressed(NumberAxis axis) {
    axis.setTickLabelFont(new Font(Font.SANS_SERIF, Font.PLAIN, 10));
    axis.setAxisLineVisible(false);
    axis.setTickMarkPaint(new Color(0x606060));
    axis.setTickMarkStroke(new BasicStroke(0.7f));
    return axis;
  }

  /**
   * What a vertical axis shows without its margins, somewhat more where these values are nearly
   * alike: the numbers at its ticks then differ, and rounding alone is not drawn as a difference.
   */
  static Range shown(double low, double high) {
    double least = LEAST_SPAN * Math.max(1, Math.max(Math.abs(low), Math.abs(high)));
    double missing = Math.max(0, least - (high - low));
    return new Range(low - missing / 2, high + missing / 2);
  }

  /** A horizontal axis with a word at each of these places. */
  static NumberAxis categories(double[] places, List<String> words, double from, double to) {
    NumberAxis axis = new NumberAxis();
    axis.setRange(from, to);
    axis.setTickUnit(new Words(places, words));
    return axis;
  }

  /** Ticks at whole numbers, named where a word stands there. */
  private static final class Words extends NumberTickUnit {
    private final double[] places;
    private final List<String> words;

    Words(double[] places, List<String> words) {
      super(1);
      this.places = places.clone();
      this.words = List.copyOf(words);
    }

    @Override
    public String valueToString(double value) {
      for (int i = 0; i < places.length; i++) {
        if (Math.abs(places[i] - value) < 1e-6) {
          return words.get(i);
        }
      }
      return "";
    }
  }
}
