package ngd.peer.faults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * The data of all sites, each known by a number that changes with them, and which of them answers
 * may be of: all answers are of the same data, each site's as they were at some time.
 */
final class DataVersions {
  private final int[] now;
  private final List<List<Integer>> possible = new ArrayList<>();

  DataVersions(int sites) {
    now = new int[sites];
    possible.add(Collections.nCopies(sites, 0));
  }

  int of(int site) {
    return now[site];
  }

  /**
   * A site's data become others.
   *
   * @param answered whether anybody has an answer: then none is of the new data
   */
  void change(int site, boolean answered) {
    now[site]++;
    for (List<Integer> one : answered ? List.<List<Integer>>of() : List.copyOf(possible)) {
      List<Integer> changed = new ArrayList<>(one);
      changed.set(site, now[site]);
      if (!possible.contains(changed)) {
        possible.add(changed);
      }
    }
  }

  /** An answer is there; whether it can be of any data, together with those before it. */
  boolean admits(Predicate<List<Integer>> fits) {
    possible.removeIf(fits.negate());
    return !possible.isEmpty();
  }
}
