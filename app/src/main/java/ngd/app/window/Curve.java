package ngd.app.window;

import java.util.ArrayList;
import java.util.List;

/**
 * Points measured of a run, never more than a screen can show: when there are too many, every
 * second one goes, and pages reload the rest.
 */
final class Curve {
  static final int MOST_POINTS = 1200;

  /** A round and what was measured in it. */
  record Point(int round, List<Double> values) {
    Point {
      values = List.copyOf(values);
    }
  }

  private final List<Point> points = new ArrayList<>();
  private int generation;

  void add(Point point) {
    if (!points.isEmpty() && points.getLast().round() == point.round()) {
      points.removeLast();
    }
    points.add(point);
    if (points.size() > MOST_POINTS) {
      thin();
    }
  }

  /** The first and the last stay. */
  private void thin() {
    List<Point> kept = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      if (i % 2 == 0 || i == points.size() - 1) {
        kept.add(points.get(i));
      }
    }
    points.clear();
    points.addAll(kept);
    generation++;
  }

  int size() {
    return points.size();
  }

  /** How often it was thinned: who has points of an earlier generation must take all anew. */
  int generation() {
    return generation;
  }

  List<Point> from(int index) {
    return List.copyOf(points.subList(Math.min(index, points.size()), points.size()));
  }
}
