package ngd.core.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Puts a diagnosis into plain words. */
final class Warnings {
  private static final int NAMED = 8;

  /** Below this share of an even part, balanced NGD pays for the least heard client. */
  private static final double SMALL_SHARE = 0.1;

  /** Above this imbalance one client counts for several. */
  private static final double LARGE_SE = 1;

  private Warnings() {}

  /** Whose data do not reach everyone. */
  static List<String> ofReach(Diagnosis d) {
    List<String> warnings = new ArrayList<>();
    unheard(d, warnings);
    unconnected(d, warnings);
    return warnings;
  }

  static List<String> of(Diagnosis d) {
    List<String> warnings = ofReach(d);
    periodic(d, warnings);
    unbalanced(d, warnings);
    return List.copyOf(warnings);
  }

  private static void unheard(Diagnosis d, List<String> warnings) {
    int[] unheard = d.unheard();
    if (unheard.length > 0) {
      int[] closed = d.classes().closedClasses();
      boolean alone = Arrays.stream(closed).anyMatch(c -> d.classes().size(c) == 1);
      warnings.add(
          "%d of %d clients %s heard by nobody (%s): none of %s data reaches %s; %s"
              .formatted(
                  unheard.length,
                  d.clients(),
                  unheard.length == 1 ? "is" : "are",
                  names(d, unheard),
                  unheard.length == 1 ? "its" : "their",
                  alone ? "the others" : "the estimate",
                  regular(d)));
    }
    int[] passing = d.transientClients();
    if (passing.length > unheard.length) {
      warnings.add(
          "%d of %d clients lie in no closed class (%s), including those heard by nobody: their influence fades, and none of their data reaches the estimate"
              .formatted(passing.length, d.clients(), names(d, passing)));
    }
  }

  private static String regular(Diagnosis d) {
    int degree = Math.clamp(Math.round((double) d.edges() / d.clients()), 1, d.clients() - 1);
    return d.inDegree().min() == d.inDegree().max()
        ? "`regular:%d` costs the same and has none".formatted(degree)
        : "`regular:%d` costs about the same and has none".formatted(degree);
  }

  private static void unconnected(Diagnosis d, List<String> warnings) {
    int[] closed = d.classes().closedClasses();
    if (closed.length > 1) {
      warnings.add(
          "%d groups of clients hear nobody outside their group (%s): each settles on an estimate of its own"
              .formatted(
                  closed.length,
                  Arrays.stream(closed)
                          .limit(NAMED)
                          .mapToObj(
                              c ->
                                  "%s from client %s"
                                      .formatted(
                                          d.classes().size(c) == 1
                                              ? "1 client"
                                              : d.classes().size(c) + " clients",
                                          d.name(d.classes().members(c)[0])))
                          .collect(Collectors.joining("; "))
                      + (closed.length > NAMED ? "; …" : "")));
    }
  }

  private static void periodic(Diagnosis d, List<String> warnings) {
    if (d.period() > 1) {
      warnings.add(
          "mixing has period %d: by itself it never converges; NGD still does with a small enough alpha, if the data determine every parameter"
              .formatted(d.period()));
    }
  }

  private static void unbalanced(Diagnosis d, List<String> warnings) {
    double[] columns = d.network().columnSums();
    int loudest = 0;
    for (int m = 1; m < columns.length; m++) {
      loudest = columns[m] > columns[loudest] ? m : loudest;
    }
    if (d.se() > LARGE_SE) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "SE(W) is %.3g: client %s has %s times its weight in a balanced network, and its data"
                  + " count that much more; balance the gradients, or use a network in which every"
                  + " client is heard equally often, such as `circle:D` or `regular:D`",
              d.se(),
              d.name(loudest),
              String.format(
                  Locale.ROOT, columns[loudest] < 10 ? "%.1f" : "%.0f", columns[loudest])));
    }
    OptionalDouble least = d.stationary().min().value();
    if (least.isPresent() && d.irreducible()) {
      double share = d.clients() * least.getAsDouble();
      if (share < SMALL_SHARE) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "the smallest entry of the stationary distribution is %.2g, %.2g of a uniform"
                    + " share: balanced NGD is safe only for step sizes that much smaller;"
                    + " `metropolis:rows` on mutual links avoids this",
                least.getAsDouble(),
                share));
      }
    }
  }

  private static String names(Diagnosis d, int[] clients) {
    return Arrays.stream(clients).limit(NAMED).mapToObj(d::name).collect(Collectors.joining(", "))
        + (clients.length > NAMED ? ", …" : "");
  }
}
