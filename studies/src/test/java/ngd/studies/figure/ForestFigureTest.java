package ngd.studies.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Oracle: that units are arbitrary, so that a coefficient in other units is drawn the same. */
class ForestFigureTest {
  private static List<String> lines(double unit, boolean ratios) {
    ForestFigure figure = new ForestFigure(List.of("Estimate", "2.5 %", "97.5 %"), ratios);
    // Names and numbers as wide as each other leave the same room for the plot.
    for (double[] one : new double[][] {{1, 2, 3}, {-2, 1, 2}, {-4, -3, -1}}) {
      double[] shown = new double[3];
      for (int i = 0; i < 3; i++) {
        shown[i] = ratios ? Math.exp(unit * one[i]) : unit * one[i];
      }
      figure.add("x", shown[0], shown[1], shown[2]);
    }
    String svg = figure.figure("test").svg("test");
    return Pattern.compile("<line[^>]* y2=\"[^>]*>")
        .matcher(svg)
        .results()
        .map(MatchResult::group)
        .map(line -> line.replaceAll(".*?(x2=\"[^\"]*\").*", "$1"))
        .toList();
  }

  @Test
  void figure_coefficientsInOtherUnits_areDrawnTheSame() {
    List<String> one = lines(1, false);
    assertThat(one).hasSizeGreaterThan(12);
    assertThat(lines(2, false)).isEqualTo(one);
    assertThat(lines(3, false)).isEqualTo(one);
  }

  @Test
  void figure_estimatesWithoutIntervals_areStillDrawn() {
    ForestFigure figure = new ForestFigure(List.of("Odds ratio", "5 %", "95 %"), true);
    figure.add("x".repeat(200), Double.NaN, 2, Double.NaN);
    figure.add("lost", 0, 0, Double.POSITIVE_INFINITY);
    assertThat(figure.figure("test").svg("test")).contains("no effect (1)", "…", "lost");
    assertThat(figure.figure("test").png()).isNotEmpty();
  }
}
