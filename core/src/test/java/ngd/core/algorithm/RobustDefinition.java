package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.network.Network;
import ngd.core.world.Mixing;

/** Each rule of mixing by its definition, over lists of vectors. */
final class RobustDefinition {
  /** A vector that was heard, with its weight in W. */
  private static final class Heard {
    private final double[] x;
    private final double weight;

    Heard(double[] x, double weight) {
      this.x = x;
      this.weight = weight;
    }

    double[] x() {
      return x;
    }

    double weight() {
      return weight;
    }
  }

  private RobustDefinition() {}

  static double[] of(Network network, Mixing mixing, int m, double[][] x) {
    List<Heard> all = new ArrayList<>();
    all.add(new Heard(x[m], network.weight(m, m)));
    for (int k = 0; k < network.clients(); k++) {
      if (k != m && network.weight(m, k) > 0) {
        all.add(new Heard(x[k], network.weight(m, k)));
      }
    }
    return of(mixing, all);
  }

  /** The first is the client's own. */
  private static double[] of(Mixing mixing, List<Heard> all) {
    List<Heard> others = all.subList(1, all.size());
    double[] own = all.getFirst().x();
    return switch (mixing) {
      case Mixing.Mean _ -> throw new IllegalArgumentException("not robust");
      case Mixing.Trimmed(int drop) -> byColumn(all, List.of(), drop);
      case Mixing.Median _ -> byColumn(all, List.of(), Integer.MAX_VALUE);
      case Mixing.Bridge(int drop) -> byColumn(others, List.of(all.getFirst()), drop);
      case Mixing.Clipped(double radius) -> clipped(own, others, radius);
      case Mixing.AdaptivelyClipped(double share) -> {
        List<Heard> far =
            others.stream()
                .sorted(Comparator.comparingDouble((Heard h) -> -distance(own, h.x())))
                .toList();
        double gone = 0;
        int from = 0;
        while (from < far.size() && gone < share - 1e-12) {
          gone += far.get(from++).weight();
        }
        double sum =
            far.subList(from, far.size()).stream()
                .mapToDouble(h -> h.weight() * Math.pow(distance(own, h.x()), 2))
                .sum();
        yield clipped(own, others, Math.sqrt(sum / share));
      }
      case Mixing.Nearest(int bad) -> mean(nearest(own, all, bad));
      case Mixing.Krum(int bad) -> krum(all, bad);
      case Mixing.GeometricMedian _ -> geometricMedian(all);
      case Mixing.NearestMixed(int bad, Mixing rule) ->
          of(
              rule,
              all.stream()
                  .map(h -> new Heard(mean(nearest(h.x(), all, bad)), h.weight()))
                  .toList());
    };
  }

  private static double distance(double[] a, double[] b) {
    return Math.sqrt(
        IntStream.range(0, a.length).mapToDouble(j -> (a[j] - b[j]) * (a[j] - b[j])).sum());
  }

  private static List<Heard> nearest(double[] to, List<Heard> all, int bad) {
    return all.stream()
        .sorted(Comparator.comparingDouble((Heard h) -> distance(to, h.x())))
        .limit(Math.max(1, all.size() - bad))
        .toList();
  }

  private static double[] mean(List<Heard> all) {
    return IntStream.range(0, all.getFirst().x().length)
        .mapToDouble(j -> all.stream().mapToDouble(h -> h.x()[j]).average().orElseThrow())
        .toArray();
  }

  private static double[] clipped(double[] own, List<Heard> others, double radius) {
    return IntStream.range(0, own.length)
        .mapToDouble(
            j -> {
              double sum = own[j];
              for (Heard h : others) {
                double d = distance(own, h.x());
                double share = d == 0 ? 0 : Math.min(1, radius / d);
                sum += h.weight() * share * (h.x()[j] - own[j]);
              }
              return sum;
            })
        .toArray();
  }

  private static double[] byColumn(List<Heard> sorted, List<Heard> sure, int drop) {
    int p = (sure.isEmpty() ? sorted : sure).getFirst().x().length;
    return IntStream.range(0, p)
        .mapToDouble(
            j -> {
              List<Double> column = sorted.stream().map(h -> h.x()[j]).sorted().toList();
              int dropped = Math.min(drop, Math.max(0, (column.size() - 1 + sure.size()) / 2));
              List<Double> left = new ArrayList<>(column.subList(dropped, column.size() - dropped));
              sure.forEach(h -> left.add(h.x()[j]));
              return left.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            })
        .toArray();
  }

  private static double[] krum(List<Heard> all, int bad) {
    int counted = Math.max(1, all.size() - bad - 2);
    return all.stream()
        .min(
            Comparator.comparingDouble(
                h ->
                    // The least is the distance to itself.
                    all.stream()
                        .mapToDouble(other -> Math.pow(distance(h.x(), other.x()), 2))
                        .sorted()
                        .skip(1)
                        .limit(counted)
                        .sum()))
        .orElseThrow()
        .x();
  }

  /**
   * Where no vector can be left downhill, that one; else Weiszfeld's steps on the vectors
   * themselves.
   */
  private static double[] geometricMedian(List<Heard> all) {
    int p = all.getFirst().x().length;
    for (Heard h : all) {
      double[] pull = new double[p];
      int same = 0;
      for (Heard other : all) {
        double d = distance(h.x(), other.x());
        boolean apart = d > 1e-12;
        same += apart ? 0 : 1;
        for (int j = 0; j < p && apart; j++) {
          pull[j] += (other.x()[j] - h.x()[j]) / d;
        }
      }
      if (distance(pull, new double[p]) <= same * (1 + 1e-9)) {
        return h.x();
      }
    }
    double[] z = mean(all);
    for (int step = 0; step < 200_000; step++) {
      double[] next = new double[p];
      double sum = 0;
      for (Heard h : all) {
        double d = distance(z, h.x());
        sum += 1 / d;
        for (int j = 0; j < p; j++) {
          next[j] += h.x()[j] / d;
        }
      }
      for (int j = 0; j < p; j++) {
        next[j] /= sum;
      }
      double moved = distance(z, next);
      z = next;
      if (moved < 1e-15) {
        break;
      }
    }
    return z;
  }
}
