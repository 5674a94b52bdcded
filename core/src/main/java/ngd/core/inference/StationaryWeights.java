package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.NetworkSchedule;

/**
 * Each client's share of the stationary distribution of a strongly connected network; of one that
 * changes, the links of all rounds must connect everyone.
 */
public final class StationaryWeights {
  private static final int NAMED = 6;

  private StationaryWeights() {}

  /** Refuses a network that falls into several classes, and names them. */
  public static List<Double> of(NetworkSchedule schedule) {
    CommunicatingClasses classes = CommunicatingClasses.of(schedule.mean());
    if (classes.count() > 1) {
      List<String> parts = new ArrayList<>();
      for (int c = 0; c < Math.min(NAMED, classes.count()); c++) {
        parts.add(
            "{%s}%s"
                .formatted(
                    names(classes.members(c)),
                    classes.closed(c) ? " hears nobody outside it" : ""));
      }
      throw new InvalidInput(
          "network: every client must reach every other, or some data would not count; it falls into %d classes: %s%s; use regular:D, circle:D or central"
              .formatted(
                  classes.count(), String.join("; ", parts), classes.count() > NAMED ? "; …" : ""));
    }
    double[] pi =
        schedule
            .stationary()
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "network: its stationary distribution could not be computed; use weights"
                            + " for which it is known, such as metropolis"));
    return Arrays.stream(pi).boxed().toList();
  }

  private static String names(int[] members) {
    return IntStream.of(members)
            .limit(NAMED)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "))
        + (members.length > NAMED ? ", …" : "");
  }
}
