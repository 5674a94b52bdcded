package ngd.studies.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import ngd.core.NumberText;

/** Square panels in which points on the diagonal agree: calibration, and what tells kinds apart. */
public final class AgreementFigure {
  /**
   * A point with its interval, if its ends are numbers.
   *
   * @param low the lower end of y
   * @param high its upper end
   */
  public record Point(double x, double y, double low, double high) {}

  private record Panel(
      String title,
      String xLabel,
      String yLabel,
      double from,
      double to,
      List<Point> points,
      boolean curve) {}

  private static final int SIDE = 300;
  private static final int LEFT = 62;
  private static final int TOP = 26;
  private static final int BOTTOM = 46;
  private static final int GAP = 12;
  private static final int MOST_TICKS = 12;
  private static final float[] DASHES = {4, 3};
  private static final Color INK = new Color(0x0072B2);
  private static final Color FRAME = new Color(0x606060);

  private final List<Panel> panels = new ArrayList<>();

  /** Adds one of at most two panels, whose axes reach as far as its points, or from 0 to 1. */
  public void points(
      String title, String xLabel, String yLabel, boolean shares, List<Point> points) {
    double from = shares ? 0 : Double.POSITIVE_INFINITY;
    double to = shares ? 1 : Double.NEGATIVE_INFINITY;
    for (Point point : points) {
      from = Math.min(from, Math.min(point.x(), point.y()));
      to = Math.max(to, Math.max(point.x(), point.y()));
    }
    double pad = shares ? 0 : 0.06 * (to > from ? to - from : 1);
    panels.add(new Panel(title, xLabel, yLabel, from - pad, to + pad, List.copyOf(points), false));
  }

  /** Adds a panel with a curve of shares. */
  public void curve(String title, String xLabel, String yLabel, List<Point> points) {
    panels.add(new Panel(title, xLabel, yLabel, 0, 1, List.copyOf(points), true));
  }

  public Figure figure(String description) {
    // A single panel stands in the middle, as large as beside another.
    int width = 2 * (LEFT + SIDE + GAP) + GAP;
    double margin = panels.size() == 1 ? (LEFT + SIDE) / 2.0 : 0;
    int height = TOP + SIDE + BOTTOM;
    return new Figure(
        width,
        height,
        description,
        g -> {
          for (int i = 0; i < panels.size(); i++) {
            draw(g, panels.get(i), margin + LEFT + i * (LEFT + SIDE + GAP));
          }
        });
  }

  private static void draw(Graphics2D g, Panel panel, double left) {
    double unit = SIDE / (panel.to() - panel.from());
    double bottom = TOP + SIDE;
    g.setFont(Panels.HEADING);
    g.setColor(Color.BLACK);
    Panels.centred(g, panel.title(), left + SIDE / 2.0, TOP - 10);
    g.setFont(Panels.TEXT);
    double step = step((panel.to() - panel.from()) / 7);
    double first = Math.ceil(panel.from() / step - 1e-9) * step;
    for (int k = 0; k < MOST_TICKS && first + k * step <= panel.to() + 1e-9 * step; k++) {
      double tick = first + k * step;
      double at = (tick - panel.from()) * unit;
      String text = NumberText.text(Math.rint(tick / step) * step, 5).replace("-", "−");
      g.setColor(new Color(0xE8E8E8));
      g.setStroke(new BasicStroke(0.7f));
      g.draw(new Line2D.Double(left + at, TOP, left + at, bottom));
      g.draw(new Line2D.Double(left, bottom - at, left + SIDE, bottom - at));
      g.setColor(Color.BLACK);
      Panels.centred(g, text, left + at, bottom + 15);
      g.drawString(text, (float) (left - 6 - Panels.textWidth(text)), (float) (bottom - at + 4));
    }
    Panels.centred(g, panel.xLabel(), left + SIDE / 2.0, bottom + 34);
    Panels.turned(g, panel.yLabel(), left - 46, TOP + SIDE / 2.0, -Math.PI / 2);
    g.setColor(FRAME);
    g.setStroke(new BasicStroke(1f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, DASHES, 0));
    g.draw(new Line2D.Double(left, bottom, left + SIDE, TOP));
    g.setStroke(new BasicStroke(0.8f));
    g.draw(new Rectangle2D.Double(left, TOP, SIDE, SIDE));
    Path2D path = new Path2D.Double();
    for (Point point : panel.points()) {
      double x = left + (point.x() - panel.from()) * unit;
      double y = bottom - (point.y() - panel.from()) * unit;
      if (panel.curve()) {
        if (path.getCurrentPoint() == null) {
          path.moveTo(x, y);
        } else {
          path.lineTo(x, y);
        }
        continue;
      }
      g.setColor(INK);
      g.setStroke(new BasicStroke(1.4f));
      if (Double.isFinite(point.low()) && Double.isFinite(point.high())) {
        double low = bottom - (Math.max(point.low(), panel.from()) - panel.from()) * unit;
        double high = bottom - (Math.min(point.high(), panel.to()) - panel.from()) * unit;
        g.draw(new Line2D.Double(x, low, x, high));
      }
      Panels.marker(g, Style.of(0), x, y);
    }
    if (panel.curve() && path.getCurrentPoint() != null) {
      g.setColor(INK);
      g.setStroke(new BasicStroke(1.8f));
      g.draw(path);
    }
  }

  /** The next larger of 1, 2 and 5 times a power of ten. */
  static double step(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= least * (1 - 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }
}
