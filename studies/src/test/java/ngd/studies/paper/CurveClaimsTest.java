package ngd.studies.paper;

import static ngd.studies.report.Verdict.IN_PART;
import static ngd.studies.report.Verdict.NOT_SUPPORTED;
import static ngd.studies.report.Verdict.NO_CASES;
import static ngd.studies.report.Verdict.SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import ngd.core.simulation.Quartiles;
import ngd.studies.grid.Arrangement;
import ngd.studies.grid.Cell;
import ngd.studies.grid.Medians;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;
import org.junit.jupiter.api.Test;

/** Medians made by hand on the cells of figure 2; the oracle is the paper's sentence. */
class CurveClaimsTest {
  private static final int CIRCLE_BEST = 0;
  private static final int CENTRAL_WORST = 1;
  private static final int FIXED_SLIGHTLY_WORSE = 2;
  private static final int SORTED_ALIKE = 3;
  private static final int DEALT_ALIKE = 4;
  private static final int SMALLER_IS_SLOWER = 5;
  private static final int SMALLER_IS_BETTER = 6;

  private static final List<Cell> CELLS = PaperFigures.figure2().grid().cells();

  private static double alpha(Cell cell) {
    return Double.parseDouble(cell.alpha());
  }

  /** As the paper has it: the circle lowest, then fixed degree, then central; lower for small α. */
  private static double asThePaperSays(Cell cell) {
    double network =
        switch (cell.network()) {
          case "circle:1" -> -7;
          case "fixed:2" -> -6.8;
          default -> -4;
        };
    return network + 10 * alpha(cell);
  }

  private static Medians medians(
      List<Cell> cells, ToDoubleFunction<Cell> last, ToIntFunction<Cell> looksUntilThere) {
    return new Medians(
        cells,
        cell -> {
          List<Quartiles> curve = new ArrayList<>();
          for (int look = 0; look < cell.points(); look++) {
            double far = look < looksUntilThere.applyAsInt(cell) ? 1 : 0;
            double median = last.applyAsDouble(cell) + far;
            curve.add(new Quartiles(median - 0.1, median, median + 0.1));
          }
          return curve;
        },
        _ -> new Quartiles(-8.1, -8, -7.9),
        20);
  }

  private static Claim claim(int number, ToDoubleFunction<Cell> last) {
    return CurveClaims.of(medians(CELLS, last, _ -> 10)).get(number);
  }

  private static Verdict verdict(int number, ToDoubleFunction<Cell> last) {
    return claim(number, last).verdict();
  }

  /** The paper's medians, moved in some cells. */
  private static ToDoubleFunction<Cell> moved(Predicate<Cell> where, double by) {
    return cell -> asThePaperSays(cell) + (where.test(cell) ? by : 0);
  }

  private static Predicate<Cell> on(String network) {
    return cell -> cell.network().equals(network);
  }

  private static Predicate<Cell> with(Arrangement arrangement) {
    return cell -> cell.arrangement().equals(arrangement);
  }

  private static boolean largest(Cell cell) {
    return alpha(cell) == 0.05;
  }

  @Test
  void of_mediansAsInThePaper_allAreSupported() {
    assertThat(CurveClaims.of(medians(CELLS, CurveClaimsTest::asThePaperSays, _ -> 10)))
        .hasSize(7)
        .allSatisfy(claim -> assertThat(claim.verdict()).as(claim.text()).isEqualTo(SUPPORTED));
  }

  @Test
  void circleBest_whereAnotherIsLowerSomewhereOrEverywhere_isJudgedSo() {
    Claim inPart = claim(CIRCLE_BEST, moved(on("fixed:2").and(CurveClaimsTest::largest), -0.5));
    assertThat(inPart.verdict()).isEqualTo(IN_PART);
    assertThat(inPart.numbers())
        .contains("3 of 4 panels (random)")
        .contains("random, α = 0.05: circle (D = 1) −6.50, fixed-degree (D = 2) −6.80");
    assertThat(verdict(CIRCLE_BEST, moved(on("fixed:2"), -0.5))).isEqualTo(NOT_SUPPORTED);
    // Within 0.05 counts as equal.
    assertThat(verdict(CIRCLE_BEST, moved(on("fixed:2"), -0.24))).isEqualTo(SUPPORTED);
    assertThat(verdict(CIRCLE_BEST, moved(on("fixed:2"), -0.26))).isEqualTo(NOT_SUPPORTED);
  }

  @Test
  void centralWorst_whereAnotherIsHigherSomewhereOrEverywhere_isJudgedSo() {
    Predicate<Cell> oneRow = on("circle:1").and(with(Arrangement.SORTED));
    assertThat(verdict(CENTRAL_WORST, moved(oneRow, 4))).isEqualTo(IN_PART);
    assertThat(verdict(CENTRAL_WORST, moved(on("central"), -4))).isEqualTo(NOT_SUPPORTED);
  }

  /** Judged on random data alone. */
  @Test
  void fixedSlightlyWorse_whereItIsBetterSomewhereOrEverywhere_isJudgedSo() {
    assertThat(
            verdict(FIXED_SLIGHTLY_WORSE, moved(on("fixed:2").and(CurveClaimsTest::largest), -0.3)))
        .isEqualTo(IN_PART);
    assertThat(verdict(FIXED_SLIGHTLY_WORSE, moved(on("fixed:2"), -0.3))).isEqualTo(NOT_SUPPORTED);
    assertThat(
            verdict(FIXED_SLIGHTLY_WORSE, moved(on("fixed:2").and(with(Arrangement.SORTED)), -0.3)))
        .isEqualTo(SUPPORTED);
  }

  @Test
  void littleDifference_whereSortedDataDiffer_isJudgedForEachPlacementByItself() {
    ToDoubleFunction<Cell> circles = moved(on("circle:1").and(with(Arrangement.SORTED)), 0.6);
    assertThat(verdict(SORTED_ALIKE, circles)).isEqualTo(IN_PART);
    assertThat(verdict(DEALT_ALIKE, circles)).isEqualTo(SUPPORTED);
    assertThat(verdict(SORTED_ALIKE, moved(with(Arrangement.SORTED), 0.6)))
        .isEqualTo(NOT_SUPPORTED);
    assertThat(verdict(SORTED_ALIKE, moved(with(Arrangement.SORTED), 0.4))).isEqualTo(SUPPORTED);
    // In either direction.
    assertThat(verdict(DEALT_ALIKE, moved(with(Arrangement.SORTED_DEALT), -0.6)))
        .isEqualTo(NOT_SUPPORTED);
  }

  /** The looks of figure 2 are 50, 25, 10 and 5 rounds apart, by ascending α. */
  @Test
  void smallerIsSlower_byTheRoundsUntilACurveStays_isJudgedSo() {
    ToDoubleFunction<Cell> last = CurveClaimsTest::asThePaperSays;
    Claim slow = CurveClaims.of(medians(CELLS, last, _ -> 10)).get(SMALLER_IS_SLOWER);
    assertThat(slow.verdict()).isEqualTo(SUPPORTED);
    assertThat(slow.numbers())
        .contains("27 of 27 pairs", "500 at α = 0.005, 250 at α = 0.01, 100 at α = 0.02");
    Verdict inPart =
        CurveClaims.of(medians(CELLS, last, cell -> on("central").test(cell) ? 0 : 10))
            .get(SMALLER_IS_SLOWER)
            .verdict();
    assertThat(inPart).isEqualTo(IN_PART);
    assertThat(CurveClaims.of(medians(CELLS, last, _ -> 0)).get(SMALLER_IS_SLOWER).verdict())
        .isEqualTo(NOT_SUPPORTED);
  }

  @Test
  void smallerIsBetter_whereASmallerStepEndsHigher_isJudgedSo() {
    Claim inPart =
        claim(SMALLER_IS_BETTER, moved(on("circle:1").and(CurveClaimsTest::largest), -1));
    assertThat(inPart.verdict()).isEqualTo(IN_PART);
    assertThat(inPart.numbers()).contains("24 of 27 pairs", "−6.80 at α = 0.02 and −7.50 at");
    assertThat(verdict(SMALLER_IS_BETTER, cell -> -10 * alpha(cell) * 10)).isEqualTo(NOT_SUPPORTED);
  }

  /** A grid with one step size has no pairs of them. */
  @Test
  void of_oneStepSize_saysThatThereAreNoCases() {
    List<Cell> one = CELLS.stream().filter(CurveClaimsTest::largest).toList();
    List<Claim> claims = CurveClaims.of(medians(one, CurveClaimsTest::asThePaperSays, _ -> 10));
    assertThat(claims.get(SMALLER_IS_SLOWER).verdict()).isEqualTo(NO_CASES);
    assertThat(claims.get(SMALLER_IS_BETTER).verdict()).isEqualTo(NO_CASES);
    assertThat(claims.get(CIRCLE_BEST).verdict()).isEqualTo(SUPPORTED);
  }
}
