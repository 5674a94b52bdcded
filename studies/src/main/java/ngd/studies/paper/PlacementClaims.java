package ngd.studies.paper;

import static ngd.studies.report.NumberWords.number;

import java.util.ArrayList;
import java.util.List;
import ngd.studies.grid.Arrangement;
import ngd.studies.grid.Cell;
import ngd.studies.grid.Medians;
import ngd.studies.grid.Titles;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;

/** What docs/theory.md, 3 says of placement, held against the last medians. */
record PlacementClaims(Medians medians) {
  /** A difference in log(MSE) below this, a factor of 1.65 in MSE, counts as little. */
  private static final double LITTLE = 0.5;

  /** Medians this near count as equal: a factor of 1.05 in MSE. */
  private static final double EQUAL = 0.05;

  private static final String CIRCLE = "circle:1";

  static List<Claim> of(Medians medians) {
    PlacementClaims claims = new PlacementClaims(medians);
    return List.of(claims.dealtIsHarmless(), claims.inOrderCosts(), claims.smallerStepsHelp());
  }

  private List<Cell> random() {
    return medians.cells(cell -> cell.arrangement().equals(Arrangement.RANDOM));
  }

  /** How much higher the same cell ends with one arrangement than with another. */
  private double difference(Cell like, Arrangement one, Arrangement other) {
    return last(at(like, one)) - last(at(like, other));
  }

  private double last(Cell cell) {
    return medians.last(cell).median();
  }

  private Cell at(Cell like, Arrangement arrangement) {
    return medians
        .cells(
            cell ->
                cell.model() == like.model()
                    && cell.alpha().equals(like.alpha())
                    && cell.network().equals(like.network())
                    && cell.arrangement().equals(arrangement))
        .getFirst();
  }

  private static String name(Cell cell) {
    return "%s, %s, α = %s"
        .formatted(Titles.title(cell.model()), Titles.title(cell.network()), cell.alpha());
  }

  private Claim dealtIsHarmless() {
    int agreeing = 0;
    List<String> exceptions = new ArrayList<>();
    for (Cell cell : random()) {
      double more = difference(cell, Arrangement.SORTED_DEALT, Arrangement.RANDOM);
      if (more < LITTLE) {
        agreeing++;
      } else {
        exceptions.add("%s: %s".formatted(name(cell), number(more)));
      }
    }
    return new Claim(
        "Sorted data whose pieces are placed at random do little worse than random data",
        Verdict.of(agreeing, random().size()),
        "Their median is less than %s higher in %d of %d cases.%s"
            .formatted(LITTLE, agreeing, random().size(), notSo(exceptions)));
  }

  private Claim inOrderCosts() {
    List<Cell> circles = random().stream().filter(cell -> cell.network().equals(CIRCLE)).toList();
    int agreeing = 0;
    List<String> costs = new ArrayList<>();
    for (Cell cell : circles) {
      double cost = difference(cell, Arrangement.SORTED, Arrangement.SORTED_DEALT);
      agreeing += cost >= LITTLE ? 1 : 0;
      costs.add("%s: %s".formatted(name(cell), number(cost)));
    }
    return new Claim(
        "On a circle the order of the pieces matters: in order, sorted data do much worse than placed at random",
        Verdict.of(agreeing, circles.size()),
        "In order minus at random, where %s or more counts as much: %s."
            .formatted(LITTLE, String.join("; ", costs)));
  }

  /** Cells stand in order of their step sizes, ascending, so neighbours are pairs. */
  private Claim smallerStepsHelp() {
    List<Cell> cells = random();
    int agreeing = 0;
    int pairs = 0;
    List<String> exceptions = new ArrayList<>();
    for (int i = 1; i < cells.size(); i++) {
      Cell smaller = cells.get(i - 1);
      Cell larger = cells.get(i);
      if (smaller.model() == larger.model() && smaller.network().equals(larger.network())) {
        double narrow = difference(smaller, Arrangement.SORTED, Arrangement.RANDOM);
        double wide = difference(larger, Arrangement.SORTED, Arrangement.RANDOM);
        pairs++;
        if (narrow - wide <= EQUAL) {
          agreeing++;
        } else {
          exceptions.add(
              "%s: %s, and %s at α = %s"
                  .formatted(name(smaller), number(narrow), number(wide), larger.alpha()));
        }
      }
    }
    return new Claim(
        "A smaller step size closes the gap between sorted data in order and random data",
        Verdict.of(agreeing, pairs),
        "Of two neighbouring step sizes the smaller left no wider a gap (by more than %s) in %d of %d pairs.%s"
            .formatted(EQUAL, agreeing, pairs, notSo(exceptions)));
  }

  private static String notSo(List<String> exceptions) {
    return exceptions.isEmpty() ? "" : " Not so: " + String.join("; ", exceptions) + ".";
  }
}
