package ngd.studies.paper;

import static ngd.studies.report.Verdict.IN_PART;
import static ngd.studies.report.Verdict.NOT_SUPPORTED;
import static ngd.studies.report.Verdict.SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.ToDoubleFunction;
import ngd.core.data.PaperModel;
import ngd.core.simulation.Quartiles;
import ngd.studies.grid.Arrangement;
import ngd.studies.grid.Cell;
import ngd.studies.grid.Medians;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;
import org.junit.jupiter.api.Test;

/** Medians made by hand on the study's cells; the oracle is docs/theory.md, 3. */
class PlacementClaimsTest {
  private static final List<Cell> CELLS = Placements.study().grid().cells();

  private static List<Verdict> verdicts(ToDoubleFunction<Cell> last) {
    Medians medians =
        new Medians(
            CELLS,
            cell -> {
              double median = last.applyAsDouble(cell);
              return List.of(new Quartiles(median, median, median));
            },
            _ -> new Quartiles(-8, -8, -8),
            20);
    return PlacementClaims.of(medians).stream().map(Claim::verdict).toList();
  }

  private static boolean inOrder(Cell cell) {
    return cell.arrangement().equals(Arrangement.SORTED);
  }

  private static boolean dealt(Cell cell) {
    return cell.arrangement().equals(Arrangement.SORTED_DEALT);
  }

  private static double alpha(Cell cell) {
    return Double.parseDouble(cell.alpha());
  }

  @Test
  void of_aCircleThatSuffersInOrderByAlpha_allAreSupported() {
    assertThat(
            verdicts(
                cell ->
                    cell.network().equals("circle:1") && inOrder(cell)
                        ? -5 + 20 * Math.sqrt(alpha(cell))
                        : -5))
        .containsExactly(SUPPORTED, SUPPORTED, SUPPORTED);
  }

  @Test
  void of_linearDataThatAreContrary_areSupportedInPart() {
    assertThat(
            verdicts(
                cell -> {
                  boolean linear = cell.model() == PaperModel.LINEAR;
                  if (dealt(cell)) {
                    return linear ? -4 : -5;
                  }
                  // In order the linear circle is as good as at random, at the smallest α worse.
                  double more = linear ? (alpha(cell) < 0.006 ? 1.2 : 1) : 2;
                  return -5 + (inOrder(cell) ? more : 0);
                }))
        .containsExactly(IN_PART, IN_PART, IN_PART);
  }

  @Test
  void of_dataThatAreContrary_noneIsSupported() {
    assertThat(
            verdicts(
                cell -> {
                  if (dealt(cell)) {
                    return -3;
                  }
                  return inOrder(cell) ? -3 - 10 * alpha(cell) : -5;
                }))
        .containsExactly(NOT_SUPPORTED, NOT_SUPPORTED, NOT_SUPPORTED);
  }
}
