package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.model.EventCounts;

/**
 * Whether groups have the same hazard: the log-rank test, as {@code survdiff}.
 *
 * @param groups what was observed and what would be expected in each
 */
public record LogRankTest(List<Group> groups, ChiSquaredTest test) {
  /** A group's events, and those it would have if all groups had the same hazard. */
  public record Group(String stratum, double observed, double expected) {}

  public LogRankTest {
    groups = List.copyOf(groups);
  }

  @FunctionalInterface
  private interface Events {
    double of(int stratum, int time);
  }

  /** Of events of any cause. */
  static Optional<LogRankTest> of(EventCounts counts) {
    return of(counts, (s, k) -> counts.events(s, k));
  }

  /** Of events of one cause, others ending the watching. */
  static Optional<LogRankTest> of(EventCounts counts, int cause) {
    return of(counts, (s, k) -> counts.events(s, k, cause));
  }

  private static Optional<LogRankTest> of(EventCounts counts, Events events) {
    int groups = counts.grid().strata().size();
    double[] observed = new double[groups];
    double[] expected = new double[groups];
    double[] variance = new double[groups * groups];
    for (int k = 0; k < counts.grid().times().size(); k++) {
      double n = 0;
      double d = 0;
      for (int g = 0; g < groups; g++) {
        n += counts.atRisk(g, k);
        d += events.of(g, k);
        observed[g] += events.of(g, k);
      }
      if (d == 0) {
        continue;
      }
      double spread = n > 1 ? d * (n - d) / (n - 1) : 0;
      for (int g = 0; g < groups; g++) {
        double share = counts.atRisk(g, k) / n;
        expected[g] += d * share;
        for (int h = 0; h < groups; h++) {
          variance[g * groups + h] += spread * share * ((g == h ? 1 : 0) - counts.atRisk(h, k) / n);
        }
      }
    }
    List<Integer> exposed =
        IntStream.range(0, groups).filter(g -> expected[g] > 0).boxed().toList();
    if (exposed.size() < 2) {
      return Optional.empty();
    }
    // One group follows from the others.
    List<Integer> free = exposed.subList(1, exposed.size());
    int p = free.size();
    double[] difference = new double[p];
    double[] matrix = new double[p * p];
    for (int i = 0; i < p; i++) {
      difference[i] = observed[free.get(i)] - expected[free.get(i)];
      for (int j = 0; j < p; j++) {
        matrix[i * p + j] = variance[free.get(i) * groups + free.get(j)];
      }
    }
    List<Group> lines = new ArrayList<>();
    for (int g : exposed) {
      lines.add(new Group(counts.grid().strata().get(g), observed[g], expected[g]));
    }
    return ChiSquaredTest.of(difference, matrix, p).map(test -> new LogRankTest(lines, test));
  }
}
