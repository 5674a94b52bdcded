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

/**
 * Probabilities over time as step curves with their intervals, and below the axis how many rows of
 * each group are at risk.
 */
public final class SurvivalFigure {
  /**
   * A step of a curve.
   *
   * @param atRisk rows at risk just before it
   * @param value the probability from its time on
   * @param low the lower end of its interval, not a number where there is none
   * @param high the upper end
   */
  public record Step(double time, long atRisk, double value, double low, double high) {}

  private record Curve(String name, List<Step> steps) {}

  private static final int TOP = 16;
  private static final int PLOT = 300;
  private static final int AXIS = 44;
  private static final int LINE = 17;
  private static final int WIDTH = 740;
  private static final int LEAST_PLOT = 320;
  private static final int RIGHT = 24;
  private static final int SAMPLE = 26;
  private static final int TICKS = 62;
  private static final int MOST_LETTERS = 40;

  /** The axis goes on a little, so that a last step does not fall on the frame. */
  private static final double BEYOND = 1.02;

  private static final Color FRAME = new Color(0x606060);
  private static final Color RULE = new Color(0xE8E8E8);

  private final String label;
  private final double start;
  private final List<Curve> curves = new ArrayList<>();

  /**
   * An empty figure.
   *
   * @param label what the curves are the probability of
   * @param start where they are before the first step
   */
  public SurvivalFigure(String label, double start) {
    this.label = label;
    this.start = start;
  }

  /** Adds a group's curve, its steps in the order of their times. */
  public void add(String name, List<Step> steps) {
    curves.add(
        new Curve(
            name.codePointCount(0, name.length()) <= MOST_LETTERS
                ? name
                : name.substring(0, name.offsetByCodePoints(0, MOST_LETTERS - 1)) + "…",
            List.copyOf(steps)));
  }

  public Figure figure(String description) {
    double names = Panels.textWidth("Numbers at risk");
    double last = 0;
    for (Curve curve : curves) {
      names = Math.max(names, SAMPLE + 6 + Panels.textWidth(curve.name()));
      last = Math.max(last, curve.steps().getLast().time());
    }
    double end = last;
    double left = Math.max(TICKS, names + 28);
    double width = Math.max(LEAST_PLOT, WIDTH - left - RIGHT);
    int height = TOP + PLOT + AXIS + LINE * (1 + curves.size()) + 8;
    return new Figure(
        (int) Math.ceil(left + width + RIGHT), height, description, g -> draw(g, left, width, end));
  }

  private void draw(Graphics2D g, double left, double width, double end) {
    double bottom = TOP + PLOT;
    g.setFont(Panels.TEXT);
    for (int k = 0; k <= 5; k++) {
      double y = bottom - PLOT * k / 5.0;
      String text = NumberText.text(k / 5.0, 2);
      rule(g, left, y, left + width, y);
      g.setColor(Color.BLACK);
      g.drawString(text, (float) (left - 6 - Panels.textWidth(text)), (float) y + 4);
    }
    double step = AgreementFigure.step(end / 7);
    List<Double> ticks = new ArrayList<>();
    for (int k = 0; k * step <= end * (1 + 1e-9); k++) {
      ticks.add(k * step);
    }
    double unit = width / (BEYOND * end);
    for (double tick : ticks) {
      double x = left + tick * unit;
      rule(g, x, TOP, x, bottom);
      g.setColor(Color.BLACK);
      Panels.centred(g, NumberText.text(tick, 6), x, bottom + 15);
    }
    Panels.centred(g, "time", left + width / 2, bottom + 32);
    Panels.turned(g, label, left - 44, TOP + PLOT / 2.0, -Math.PI / 2);
    g.setColor(FRAME);
    g.setStroke(new BasicStroke(0.8f));
    g.draw(new Rectangle2D.Double(left, TOP, width, PLOT));
    for (int i = 0; i < curves.size(); i++) {
      band(g, curves.get(i), Style.of(i), left, unit);
    }
    for (int i = 0; i < curves.size(); i++) {
      g.setColor(Style.of(i).colour());
      g.setStroke(Style.of(i).stroke());
      g.draw(path(curves.get(i), left, unit));
    }
    g.setFont(Panels.HEADING);
    g.setColor(Color.BLACK);
    double y = bottom + AXIS + 10;
    g.drawString("Numbers at risk", 8, (float) y);
    g.setFont(Panels.TEXT);
    for (int i = 0; i < curves.size(); i++) {
      y += LINE;
      g.setColor(Style.of(i).colour());
      g.setStroke(Style.of(i).stroke());
      g.draw(new Line2D.Double(8, y - 4, 8 + SAMPLE, y - 4));
      g.setColor(Color.BLACK);
      g.drawString(curves.get(i).name(), 8 + SAMPLE + 6, (float) y);
      for (double tick : ticks) {
        Panels.centred(g, Long.toString(atRisk(curves.get(i), tick)), left + tick * unit, y);
      }
    }
  }

  private static void rule(Graphics2D g, double x1, double y1, double x2, double y2) {
    g.setColor(RULE);
    g.setStroke(new BasicStroke(0.7f));
    g.draw(new Line2D.Double(x1, y1, x2, y2));
  }

  /** The rows that are at risk at a time: those of the first step that is not before it. */
  private static long atRisk(Curve curve, double time) {
    return curve.steps().stream()
        .filter(step -> step.time() >= time * (1 - 1e-9))
        .findFirst()
        .map(Step::atRisk)
        .orElse(0L);
  }

  private static double y(double value) {
    return TOP + PLOT * (1 - Math.clamp(value, 0.0, 1.0));
  }

  private Path2D path(Curve curve, double left, double unit) {
    Path2D path = new Path2D.Double();
    path.moveTo(left, y(start));
    double now = start;
    for (Step step : curve.steps()) {
      path.lineTo(left + step.time() * unit, y(now));
      now = step.value();
      path.lineTo(left + step.time() * unit, y(now));
    }
    return path;
  }

  /** The intervals, from each step to the next. */
  private static void band(Graphics2D g, Curve curve, Style style, double left, double unit) {
    Color colour = style.colour();
    g.setColor(new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), 36));
    for (int i = 0; i + 1 < curve.steps().size(); i++) {
      Step step = curve.steps().get(i);
      if (Double.isFinite(step.low()) && Double.isFinite(step.high())) {
        double x = left + step.time() * unit;
        g.fill(
            new Rectangle2D.Double(
                x,
                y(step.high()),
                left + curve.steps().get(i + 1).time() * unit - x,
                y(step.low()) - y(step.high())));
      }
    }
  }
}
