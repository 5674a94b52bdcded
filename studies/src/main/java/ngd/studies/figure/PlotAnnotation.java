package ngd.studies.figure;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.annotations.AbstractXYAnnotation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/** Something drawn on a plot by code that knows only its scales. */
final class PlotAnnotation extends AbstractXYAnnotation {
  /** From a value to its place on the page. */
  @FunctionalInterface
  interface Scale {
    double at(double value);
  }

  /** What draws. */
  @FunctionalInterface
  interface Drawing {
    void on(Graphics2D g, Scale x, Scale y);
  }

  private final transient Drawing drawing;

  PlotAnnotation(Drawing drawing) {
    this.drawing = drawing;
  }

  @Override
  public void draw(
      Graphics2D g,
      XYPlot plot,
      Rectangle2D area,
      ValueAxis domain,
      ValueAxis range,
      int rendererIndex,
      @Nullable PlotRenderingInfo info) {
    drawing.on(
        g,
        value -> domain.valueToJava2D(value, area, plot.getDomainAxisEdge()),
        value -> range.valueToJava2D(value, area, plot.getRangeAxisEdge()));
  }
}
