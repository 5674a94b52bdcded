package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.preparation.TablesFound;

/**
 * Whether two columns of levels depend on each other: Pearson's χ², of two by two levels also with
 * Yates' correction, as R's {@code chisq.test}, and Fisher's exact test, as {@code fisher.test}.
 *
 * @param corrected of two by two levels
 * @param exact nothing where there are too many tables with the same margins
 * @param leastExpected the smallest count that independence would have; below 5, χ² is rough
 */
public record IndependenceTest(
    ChiSquaredTest pearson,
    Optional<ChiSquaredTest> corrected,
    Optional<ExactTest> exact,
    double leastExpected) {
  /** The tests; nothing where cells are left out, or where fewer than two levels have any rows. */
  public static Optional<IndependenceTest> of(TablesFound.CrossTable table) {
    long[][] counts = counts(table);
    if (table.leftOut() > 0 || counts.length < 2 || counts[0].length < 2) {
      return Optional.empty();
    }
    int rows = counts.length;
    int columns = counts[0].length;
    double n = table.n();
    double[] inRow = new double[rows];
    double[] inColumn = new double[columns];
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        inRow[r] += counts[r][c];
        inColumn[c] += counts[r][c];
      }
    }
    double statistic = 0;
    double corrected = 0;
    double least = Double.MAX_VALUE;
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        double expected = inRow[r] * inColumn[c] / n;
        double away = Math.abs(counts[r][c] - expected);
        double less = away - Math.min(0.5, away);
        statistic += away * away / expected;
        corrected += less * less / expected;
        least = Math.min(least, expected);
      }
    }
    int freedom = (rows - 1) * (columns - 1);
    return Optional.of(
        new IndependenceTest(
            ChiSquaredTest.of(statistic, freedom),
            freedom == 1 ? Optional.of(ChiSquaredTest.of(corrected, 1)) : Optional.empty(),
            ExactTest.of(counts),
            least));
  }

  /** Levels that no row has say nothing. */
  private static long[][] counts(TablesFound.CrossTable table) {
    List<Integer> columns = new ArrayList<>();
    for (int c = 0; c < table.columnLevels().size(); c++) {
      if (table.inColumn(c) > 0) {
        columns.add(c);
      }
    }
    return table.counts().stream()
        .filter(row -> row.stream().anyMatch(count -> count > 0))
        .map(row -> columns.stream().mapToLong(row::get).toArray())
        .toArray(long[][]::new);
  }
}
