package ngd.studies.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/**
 * How one kind of curve looks. Colours are those of Okabe and Ito, in an order in which neighbours
 * differ in lightness too; dashes and markers differ where colours cannot be seen.
 */
record Style(Color colour, List<Float> dashes, Marker marker, boolean filled) {
  enum Marker {
    DISC,
    TRIANGLE,
    SQUARE,
    DIAMOND,
    NONE
  }

  private static final float WIDTH = 1.4f;

  /** What all others are compared with. */
  static final Style REFERENCE = style(0x000000, Marker.NONE, false, 1.2f, 2.8f);

  private static final List<Style> KINDS =
      List.of(
          style(0x0072B2, Marker.DISC, true),
          style(0xD55E00, Marker.TRIANGLE, true, 7, 3),
          style(0x5F5F5F, Marker.SQUARE, true, 8, 3, 2, 3),
          style(0x009E73, Marker.DIAMOND, true, 3, 2),
          style(0xCC79A7, Marker.DISC, false, 10, 2),
          style(0x56B4E9, Marker.TRIANGLE, false, 5, 2, 1, 2),
          style(0xE69F00, Marker.SQUARE, false, 2, 1),
          style(0x000000, Marker.DIAMOND, false, 6, 2, 2, 2, 2, 2));

  private static Style style(int rgb, Marker marker, boolean filled, float... dashes) {
    List<Float> all = new ArrayList<>();
    for (float dash : dashes) {
      all.add(dash);
    }
    return new Style(new Color(rgb), List.copyOf(all), marker, filled);
  }

  /**
   * The style of the i-th kind of curve, from 0. After eight the colours come again, each time with
   * other markers and dashes: as 3 and 5 have no divisor in common with 8, all 64 differ, and those
   * of one colour in both.
   */
  static Style of(int index) {
    int kinds = KINDS.size();
    int again = index / kinds;
    Style marked = KINDS.get((index + 3 * again) % kinds);
    return new Style(
        KINDS.get(index % kinds).colour(),
        KINDS.get((index + 5 * again) % kinds).dashes(),
        marked.marker(),
        marked.filled());
  }

  boolean hasMarker() {
    return marker != Marker.NONE;
  }

  Stroke stroke() {
    if (dashes.isEmpty()) {
      return new BasicStroke(WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);
    }
    float[] pattern = new float[dashes.size()];
    for (int i = 0; i < pattern.length; i++) {
      pattern[i] = dashes.get(i);
    }
    return new BasicStroke(WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, pattern, 0);
  }

  /** The marker around the origin. */
  Shape shape() {
    double r = 3;
    return switch (marker) {
      case DISC, NONE -> new Ellipse2D.Double(-r, -r, 2 * r, 2 * r);
      case SQUARE -> new Rectangle2D.Double(-0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r);
      case TRIANGLE -> polygon(0, -1.2 * r, 1.15 * r, 0.8 * r, -1.15 * r, 0.8 * r);
      case DIAMOND -> polygon(0, -1.3 * r, 1.3 * r, 0, 0, 1.3 * r, -1.3 * r, 0);
    };
  }

  private static Shape polygon(double... corners) {
    Path2D path = new Path2D.Double();
    path.moveTo(corners[0], corners[1]);
    for (int i = 2; i < corners.length; i += 2) {
      path.lineTo(corners[i], corners[i + 1]);
    }
    path.closePath();
    return path;
  }
}
