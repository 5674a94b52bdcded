package ngd.studies.grid;

import static ngd.studies.report.NumberWords.count;
import static ngd.studies.report.NumberWords.number;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import ngd.core.simulation.Quartiles;
import ngd.studies.report.Html;

/**
 * Says in words and one table what the curves of a figure show.
 *
 * @param own whether this is a user's grid: then the paper is not spoken of, and methods are named
 */
public record CurveWords(Medians medians, List<Cell> cells, CurveLabels labels, boolean own) {
  /** A curve has come to its end where it stays this near to its last value. */
  public static final double NEAR = 0.1;

  void describe(Html html) {
    Quartiles global = medians.global(cells.getFirst());
    html.paragraph(
        "Every run starts at 0. %s %s. %s%s%s"
            .formatted(
                own ? "Rounds:" : "The paper is silent on the number of rounds; here it is",
                rounds(),
                late(),
                cells.getFirst().simulated().isPresent()
                    ? " The global estimator has a median log(MSE) of %s (middle half %s to %s)."
                        .formatted(
                            number(global.median()), number(global.low()), number(global.high()))
                    : "",
                asynchronous()
                    ? " The rounds of an asynchronous algorithm are simulated seconds, in each of which a client wakes once on average."
                    : ""));
    List<String> alphas = cells.stream().map(Cell::alpha).distinct().toList();
    List<String> header = new ArrayList<>(List.of("data", own ? "network, method" : "network"));
    alphas.forEach(alpha -> header.add("α = " + alpha));
    List<List<String>> rows = new ArrayList<>();
    List<Cell> seen = new ArrayList<>();
    for (Cell first : cells) {
      if (seen.stream().noneMatch(cell -> cell.sameBut(first, CurveLabels.STEPS))) {
        seen.add(first);
        rows.add(row(first, alphas));
      }
    }
    html.table(header, rows);
    html.paragraph(
        "The median log(MSE) after the last round and, in brackets, the rounds after which it stays"
            + " within %s of that.".formatted(NEAR));
  }

  /** How much the medians still move at the end, but for those that diverged. */
  private String late() {
    double[] moves =
        cells.stream().mapToDouble(medians::lateMove).filter(Double::isFinite).toArray();
    boolean lost = cells.stream().anyMatch(this::diverged);
    return moves.length == 0 && lost
        ? "All medians diverged."
        : "Over the last tenth of them no median%s moved by more than %s."
            .formatted(
                lost ? " that did not diverge" : "",
                number(DoubleStream.of(moves).max().orElse(0)));
  }

  private boolean diverged(Cell cell) {
    return medians.last(cell).median() == Double.POSITIVE_INFINITY;
  }

  private boolean asynchronous() {
    return cells.stream().anyMatch(cell -> cell.choice().descriptor().asynchronous());
  }

  private List<String> row(Cell first, List<String> alphas) {
    List<String> row = new ArrayList<>();
    row.add(first.arrangement().title());
    row.add(own ? labels.named(first) : labels.unusual(first));
    for (String alpha : alphas) {
      row.add(
          cells.stream()
              .filter(cell -> cell.alpha().equals(alpha) && cell.sameBut(first, CurveLabels.STEPS))
              .findFirst()
              .map(
                  cell ->
                      number(medians.last(cell).median())
                          + (diverged(cell)
                              ? ""
                              : " (%s)".formatted(count(medians.settled(cell, NEAR)))))
              .orElse(""));
    }
    return row;
  }

  private String rounds() {
    return cells.stream()
        .map(cell -> "%s for α = %s".formatted(count(cell.rounds()), cell.alpha()))
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
