package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.preparation.TablesFound;
import org.apache.commons.statistics.distribution.FDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether the mean of a column differs between groups: of two Welch's t, of more the F of a one-way
 * analysis of variance, as R's {@code t.test} and {@code oneway.test(var.equal = TRUE)}.
 *
 * @param name of the test
 * @param freedom its degrees of freedom, one of t and two of F
 */
public record GroupTest(String name, double statistic, List<Double> freedom, double pValue) {
  public GroupTest {
    freedom = List.copyOf(freedom);
  }

  /** The test; nothing where fewer than two groups have enough rows or the column does not vary. */
  public static Optional<GroupTest> of(List<TablesFound.OfGroup> all) {
    List<TablesFound.OfGroup> groups = all.stream().filter(one -> one.n() > 1).toList();
    if (groups.size() < 2 || groups.stream().allMatch(one -> one.standardDeviation() == 0)) {
      return Optional.empty();
    }
    return Optional.of(groups.size() == 2 ? welch(groups) : variances(groups));
  }

  private static GroupTest welch(List<TablesFound.OfGroup> groups) {
    TablesFound.OfGroup one = groups.getFirst();
    TablesFound.OfGroup two = groups.getLast();
    double first = square(one.standardDeviation()) / one.n();
    double second = square(two.standardDeviation()) / two.n();
    double freedom =
        square(first + second) / (square(first) / (one.n() - 1) + square(second) / (two.n() - 1));
    double t = (one.mean() - two.mean()) / Math.sqrt(first + second);
    return new GroupTest(
        "Welch t",
        t,
        List.of(freedom),
        2 * TDistribution.of(freedom).survivalProbability(Math.abs(t)));
  }

  private static GroupTest variances(List<TablesFound.OfGroup> groups) {
    double n = groups.stream().mapToDouble(TablesFound.OfGroup::n).sum();
    double mean = groups.stream().mapToDouble(one -> one.n() * one.mean()).sum() / n;
    double between = groups.stream().mapToDouble(one -> one.n() * square(one.mean() - mean)).sum();
    double within =
        groups.stream().mapToDouble(one -> (one.n() - 1) * square(one.standardDeviation())).sum();
    double first = groups.size() - 1.0;
    double second = n - groups.size();
    double f = between / first / (within / second);
    return new GroupTest(
        "ANOVA F",
        f,
        List.of(first, second),
        FDistribution.of(first, second).survivalProbability(f));
  }

  private static double square(double value) {
    return value * value;
  }

  /**
   * The absolute difference of two groups' means, in units of the root of their mean variance;
   * nothing of more groups.
   */
  public static OptionalDouble standardizedDifference(List<TablesFound.OfGroup> groups) {
    if (groups.size() != 2 || groups.stream().anyMatch(one -> one.n() < 2)) {
      return OptionalDouble.empty();
    }
    TablesFound.OfGroup one = groups.getFirst();
    TablesFound.OfGroup two = groups.getLast();
    double scale =
        Math.sqrt((square(one.standardDeviation()) + square(two.standardDeviation())) / 2);
    return scale > 0
        ? OptionalDouble.of(Math.abs(one.mean() - two.mean()) / scale)
        : OptionalDouble.empty();
  }

  /**
   * The same of a column of levels by two groups: Mahalanobis' distance of the groups' shares by
   * their mean covariance (Yang and Dalton 2012).
   */
  public static OptionalDouble standardizedDifference(TablesFound.CrossTable table) {
    if (table.rowLevels().size() != 2 || table.leftOut() > 0) {
      return OptionalDouble.empty();
    }
    List<Integer> levels = new ArrayList<>();
    for (int c = 0; c < table.columnLevels().size(); c++) {
      if (table.inColumn(c) > 0) {
        levels.add(c);
      }
    }
    int free = levels.size() - 1;
    double first = table.inRow(0);
    double second = table.inRow(1);
    if (free < 1 || first == 0 || second == 0) {
      return OptionalDouble.empty();
    }
    double[] away = new double[free];
    double[] covariance = new double[free * free];
    for (int i = 0; i < free; i++) {
      double p = table.counts().getFirst().get(levels.get(i)) / first;
      double q = table.counts().getLast().get(levels.get(i)) / second;
      away[i] = p - q;
      for (int j = 0; j < free; j++) {
        double other = table.counts().getFirst().get(levels.get(j)) / first;
        double another = table.counts().getLast().get(levels.get(j)) / second;
        covariance[i * free + j] =
            i == j ? (p * (1 - p) + q * (1 - q)) / 2 : -(p * other + q * another) / 2;
      }
    }
    return SymmetricMatrix.solve(covariance, free, away)
        .map(
            solved -> {
              double sum = 0;
              for (int i = 0; i < free; i++) {
                sum += away[i] * solved[i];
              }
              return OptionalDouble.of(Math.sqrt(Math.max(0, sum)));
            })
        .orElse(OptionalDouble.empty());
  }
}
