package ngd.studies.paper;

import static ngd.studies.report.NumberWords.number;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import ngd.studies.grid.Arrangement;
import ngd.studies.grid.Cell;
import ngd.studies.grid.CurveWords;
import ngd.studies.grid.Medians;
import ngd.studies.grid.Titles;
import ngd.studies.report.Claim;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Verdict;

/**
 * The claims of sections 3.2 and 3.3 about networks, distributions of the data and step sizes, held
 * against the last medians of a figure.
 */
record CurveClaims(Medians medians) {
  /** Medians this near count as equal: a factor of 1.05 in MSE. */
  private static final double EQUAL = 0.05;

  /** A difference in log(MSE) below this, a factor of 1.65 in MSE, counts as little. */
  private static final double LITTLE = 0.5;

  private static final String CIRCLE = "circle:1";
  private static final String FIXED = "fixed:2";
  private static final String CENTRAL = "central";

  /** All of them, judged by the last medians. */
  static List<Claim> of(Medians medians) {
    return new CurveClaims(medians).all();
  }

  private List<Claim> all() {
    return List.of(
        ranking(
            "the circle-type network structure seems to be the best network structure", CIRCLE, -1),
        ranking(
            "the central-client network structure demonstrates the worst performance", CENTRAL, 1),
        slightlyWorse(),
        littleDifference(Arrangement.SORTED),
        littleDifference(Arrangement.SORTED_DEALT),
        slower(),
        moreEfficient());
  }

  private double last(Cell cell) {
    return medians.last(cell).median();
  }

  private Cell at(Cell like, Arrangement arrangement, String network) {
    return medians
        .cells(
            cell ->
                cell.arrangement().equals(arrangement)
                    && cell.network().equals(network)
                    && cell.alpha().equals(like.alpha()))
        .getFirst();
  }

  private Cell at(Cell like, String network) {
    return at(like, like.arrangement(), network);
  }

  /** Whether a network is the lowest (direction −1) or highest (1) of its panel, in each panel. */
  private Claim ranking(String claim, String network, int direction) {
    int agreeing = 0;
    List<Cell> all = medians.cells(cell -> cell.network().equals(network));
    List<String> exceptions = new ArrayList<>();
    List<String> counts = new ArrayList<>();
    for (Arrangement arrangement : all.stream().map(Cell::arrangement).distinct().toList()) {
      int here = 0;
      List<Cell> row = all.stream().filter(c -> c.arrangement().equals(arrangement)).toList();
      for (Cell cell : row) {
        Cell extreme = cell;
        for (String other : List.of(CIRCLE, FIXED, CENTRAL)) {
          Cell rival = at(cell, other);
          if (direction * (last(rival) - last(extreme)) > EQUAL) {
            extreme = rival;
          }
        }
        if (extreme.network().equals(network)) {
          here++;
        } else {
          exceptions.add(
              "%s, α = %s: %s %s, %s %s"
                  .formatted(
                      arrangement.title(),
                      cell.alpha(),
                      Titles.title(network),
                      number(last(cell)),
                      Titles.title(extreme.network()),
                      number(last(extreme))));
        }
      }
      counts.add("%d of %d panels (%s)".formatted(here, row.size(), arrangement.title()));
      agreeing += here;
    }
    return new Claim(
        claim,
        Verdict.of(agreeing, all.size()),
        "It holds in %s, medians within %s counting as equal.%s"
            .formatted(
                String.join(", ", counts),
                EQUAL,
                exceptions.isEmpty() ? "" : " Not so: " + String.join("; ", exceptions) + "."));
  }

  private Claim slightlyWorse() {
    List<Cell> fixed =
        medians.cells(
            cell -> cell.network().equals(FIXED) && cell.arrangement().equals(Arrangement.RANDOM));
    long agreeing =
        fixed.stream()
            .mapToDouble(cell -> last(cell) - last(at(cell, CIRCLE)))
            .filter(gap -> gap >= 0)
            .count();
    return new Claim(
        "The fixed-degree network structure performs slightly worse than that of the circle-type network structure",
        Verdict.of((int) agreeing, fixed.size()),
        "Random data, fixed-degree minus circle: %s."
            .formatted(differences(fixed, cell -> at(cell, CIRCLE))));
  }

  private String differences(List<Cell> cells, java.util.function.UnaryOperator<Cell> other) {
    return cells.stream()
        .map(
            cell ->
                "%s at α = %s"
                    .formatted(number(last(cell) - last(other.apply(cell))), cell.alpha()))
        .collect(Collectors.joining(", "));
  }

  private Claim littleDifference(Arrangement sorted) {
    List<Cell> cells = medians.cells(cell -> cell.arrangement().equals(sorted));
    int agreeing = 0;
    List<String> parts = new ArrayList<>();
    for (String network : List.of(CIRCLE, FIXED, CENTRAL)) {
      List<Cell> own = cells.stream().filter(cell -> cell.network().equals(network)).toList();
      agreeing +=
          (int)
              own.stream()
                  .mapToDouble(cell -> last(cell) - last(at(cell, Arrangement.RANDOM, network)))
                  .filter(difference -> Math.abs(difference) < LITTLE)
                  .count();
      parts.add(
          "%s %s"
              .formatted(
                  Titles.title(network),
                  differences(own, cell -> at(cell, Arrangement.RANDOM, network))));
    }
    return new Claim(
        "comparing the upper and bottom panels, we find that little difference is detected",
        Verdict.of(agreeing, cells.size()),
        "Data %s, minus random data: %s. %d of %d differences are below %s in absolute value."
            .formatted(sorted.title(), String.join("; ", parts), agreeing, cells.size(), LITTLE));
  }

  private Claim slower() {
    int agreeing = 0;
    int pairs = 0;
    List<Cell> cells = medians.cells();
    for (int i = 1; i < cells.size(); i++) {
      if (sameCurveButAlpha(cells.get(i - 1), cells.get(i))) {
        pairs++;
        if (medians.settled(cells.get(i - 1), CurveWords.NEAR)
            > medians.settled(cells.get(i), CurveWords.NEAR)) {
          agreeing++;
        }
      }
    }
    return new Claim(
        "the smaller the learning rate α is, the slower the algorithm converges",
        Verdict.of(agreeing, pairs),
        ("Of two neighbouring step sizes the smaller took more rounds to come within %s of its end in"
                + " %d of %d pairs; circle, random data: %s.")
            .formatted(CurveWords.NEAR, agreeing, pairs, series(CIRCLE, true)));
  }

  private Claim moreEfficient() {
    int agreeing = 0;
    int pairs = 0;
    List<String> exceptions = new ArrayList<>();
    List<Cell> cells = medians.cells();
    for (int i = 1; i < cells.size(); i++) {
      Cell smaller = cells.get(i - 1);
      Cell larger = cells.get(i);
      if (sameCurveButAlpha(smaller, larger)) {
        pairs++;
        if (last(smaller) - last(larger) <= EQUAL) {
          agreeing++;
        } else {
          exceptions.add(
              "%s, %s: %s at α = %s and %s at α = %s"
                  .formatted(
                      Titles.title(smaller.network()),
                      smaller.arrangement().title(),
                      number(last(smaller)),
                      smaller.alpha(),
                      number(last(larger)),
                      larger.alpha()));
        }
      }
    }
    return new Claim(
        "[the smaller the learning rate α is,] the more efficient the NGD estimator is",
        Verdict.of(agreeing, pairs),
        ("Of two neighbouring step sizes the smaller ended no higher (by more than %s) in %d of %d"
                + " pairs. Random data: circle %s; fixed-degree %s; central-client %s.%s")
            .formatted(
                EQUAL,
                agreeing,
                pairs,
                series(CIRCLE, false),
                series(FIXED, false),
                series(CENTRAL, false),
                exceptions.isEmpty() ? "" : " Not so: " + String.join("; ", exceptions) + "."));
  }

  /** Cells stand in order of their step sizes, ascending, so neighbours are pairs. */
  private static boolean sameCurveButAlpha(Cell a, Cell b) {
    return a.network().equals(b.network()) && a.arrangement().equals(b.arrangement());
  }

  private String series(String network, boolean rounds) {
    return medians
        .cells(
            cell -> cell.network().equals(network) && cell.arrangement().equals(Arrangement.RANDOM))
        .stream()
        .map(
            cell ->
                "%s at α = %s"
                    .formatted(
                        rounds
                            ? NumberWords.count(medians.settled(cell, CurveWords.NEAR))
                            : number(last(cell)),
                        cell.alpha()))
        .collect(Collectors.joining(", "));
  }
}
