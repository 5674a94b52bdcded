package ngd.studies.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import ngd.core.NumberText;

/**
 * A forest plot: a line for each coefficient with its estimate, its interval and the point at which
 * it would have no effect.
 *
 * <p>Each line has a scale of its own, as coefficients are in units of their own: an interval is to
 * be compared with its line's point of no effect, not with its neighbours.
 */
public final class ForestFigure {
  private record Line(String term, double low, double estimate, double high) {}

  private static final int LINE = 26;
  private static final int TOP = 26;
  private static final int BOTTOM = 22;
  private static final int WIDTH = 740;
  private static final int LEAST_PLOT = 220;
  private static final int GAP = 18;
  private static final int MOST_LETTERS = 48;
  private static final Color CLEAR = new Color(0x0072B2);
  private static final Color UNCLEAR = new Color(0x6B6B6B);
  private static final Color RULE = new Color(0xE2E2E2);
  private static final Color NO_EFFECT = new Color(0x9A3412);

  private final List<String> heads;
  private final boolean ratios;
  private final List<Line> lines = new ArrayList<>();

  /**
   * An empty figure.
   *
   * @param heads what the estimate and both ends of the interval are called
   * @param ratios whether they are ratios, on a logarithmic scale and without effect at 1
   */
  public ForestFigure(List<String> heads, boolean ratios) {
    this.heads = List.copyOf(heads);
    this.ratios = ratios;
  }

  /** Adds a line; without an interval its ends are not numbers. */
  public void add(String term, double low, double estimate, double high) {
    String name =
        term.codePointCount(0, term.length()) <= MOST_LETTERS
            ? term
            : term.substring(0, term.offsetByCodePoints(0, MOST_LETTERS - 1)) + "…";
    lines.add(new Line(name, low, estimate, high));
  }

  private double noEffect() {
    return ratios ? 1 : 0;
  }

  private static String number(double value) {
    return Double.isFinite(value) ? NumberText.text(value, 5).replace("-", "−") : "–";
  }

  public Figure figure(String description) {
    double names = 40;
    double[] widths = new double[3];
    for (int c = 0; c < 3; c++) {
      widths[c] = Panels.textWidth(heads.get(c));
    }
    for (Line line : lines) {
      names = Math.max(names, Panels.textWidth(line.term()));
      widths[0] = Math.max(widths[0], Panels.textWidth(number(line.estimate())));
      widths[1] = Math.max(widths[1], Panels.textWidth(number(line.low())));
      widths[2] = Math.max(widths[2], Panels.textWidth(number(line.high())));
    }
    double left = 8 + names + GAP;
    double numbers = GAP + widths[0] + widths[1] + widths[2] + 2 * GAP + 8;
    double plot = Math.max(LEAST_PLOT, WIDTH - left - numbers);
    int width = (int) Math.ceil(left + plot + numbers);
    int height = TOP + LINE * lines.size() + BOTTOM;
    return new Figure(width, height, description, g -> draw(g, left, plot, widths, width));
  }

  private void draw(Graphics2D g, double left, double plot, double[] widths, int width) {
    double[] ends = new double[3];
    double at = left + plot + GAP;
    for (int c = 0; c < 3; c++) {
      at += widths[c];
      ends[c] = at;
      at += GAP;
    }
    g.setFont(Panels.HEADING);
    g.setColor(Color.BLACK);
    for (int c = 0; c < 3; c++) {
      toTheLeft(g, heads.get(c), ends[c], TOP - 10);
    }
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      double y = TOP + LINE * (i + 0.5);
      g.setColor(RULE);
      g.setStroke(new BasicStroke(0.7f));
      g.draw(new Line2D.Double(4, y - LINE / 2.0, width - 4, y - LINE / 2.0));
      g.setFont(Panels.TEXT);
      g.setColor(Color.BLACK);
      g.drawString(line.term(), 8, (float) y + 4);
      toTheLeft(g, number(line.estimate()), ends[0], y + 4);
      toTheLeft(g, number(line.low()), ends[1], y + 4);
      toTheLeft(g, number(line.high()), ends[2], y + 4);
      drawLine(g, line, left, plot, y);
    }
    g.setFont(Panels.TEXT);
    g.setColor(NO_EFFECT);
    String legend = "no effect (%s); every line has its own scale".formatted(ratios ? "1" : "0");
    double y = TOP + LINE * lines.size() + 14;
    g.setStroke(new BasicStroke(1.1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, DOTS, 0));
    g.draw(new Line2D.Double(left, y - 10, left, y + 2));
    g.drawString(legend, (float) left + 8, (float) y);
  }

  private static final float[] DOTS = {2, 2};

  private void drawLine(Graphics2D g, Line line, double left, double plot, double y) {
    double none = scaled(noEffect());
    double estimate = scaled(line.estimate());
    if (!Double.isFinite(estimate)) {
      return;
    }
    boolean interval = Double.isFinite(scaled(line.low())) && Double.isFinite(scaled(line.high()));
    double low = interval ? scaled(line.low()) : estimate;
    double high = interval ? scaled(line.high()) : estimate;
    double from = Math.min(none, low);
    double to = Math.max(none, high);
    double pad = 0.06 * (to > from ? to - from : 1);
    double start = from - pad;
    double unit = plot / (to - from + 2 * pad);
    g.setColor(NO_EFFECT);
    g.setStroke(new BasicStroke(1.1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, DOTS, 0));
    double zero = left + (none - start) * unit;
    g.draw(new Line2D.Double(zero, y - 10, zero, y + 10));
    boolean clear = interval && (low > none || high < none);
    g.setColor(clear ? CLEAR : UNCLEAR);
    g.setStroke(new BasicStroke(1.8f));
    double first = left + (low - start) * unit;
    double last = left + (high - start) * unit;
    if (interval) {
      g.draw(new Line2D.Double(first, y, last, y));
      g.draw(new Line2D.Double(first, y - 4, first, y + 4));
      g.draw(new Line2D.Double(last, y - 4, last, y + 4));
    }
    double middle = left + (estimate - start) * unit;
    g.fill(new Rectangle2D.Double(middle - 4, y - 4, 8, 8));
  }

  private double scaled(double value) {
    return ratios ? Math.log(value) : value;
  }

  private static void toTheLeft(Graphics2D g, String text, double x, double y) {
    double width = Panels.textWidth(text, g.getFont());
    g.drawString(text, (float) (x - width), (float) y);
  }
}
