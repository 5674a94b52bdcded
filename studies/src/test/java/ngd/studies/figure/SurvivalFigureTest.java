package ngd.studies.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Oracle: the steps by hand. */
class SurvivalFigureTest {
  private static SurvivalFigure.Step step(double time, long atRisk, double value) {
    return new SurvivalFigure.Step(time, atRisk, value, value / 2, Math.min(1, 2 * value));
  }

  private static Figure figure(String name) {
    SurvivalFigure figure = new SurvivalFigure("survival", 1);
    figure.add(name, List.of(step(100, 40, 0.75), step(300, 17, 0.25), step(700, 6, 0)));
    figure.add("short", List.of(step(100, 30, 0.5)));
    return figure.figure("curves");
  }

  private static Document drawn(Figure figure) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(figure.svg("test").getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> all(Document document, String tag) {
    NodeList found = document.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  /** Who is at risk at a time leaves there or later. */
  @Test
  void figure_belowTheAxis_hasTheRowsAtRiskAtEachNumberOfTheAxis() throws Exception {
    List<String> texts =
        all(drawn(figure("long")), "text").stream()
            .map(text -> text.getTextContent().strip())
            .toList();
    assertThat(texts)
        .containsSubsequence("0", "100", "200", "300", "400", "500", "600", "700", "time")
        .containsSubsequence(
            "Numbers at risk",
            "long",
            "40",
            "40",
            "17",
            "17",
            "6",
            "6",
            "6",
            "6",
            "short",
            "30",
            "30",
            "0",
            "0",
            "0",
            "0",
            "0",
            "0");
  }

  @Test
  void figure_curves_areStepsFromTheStart() throws Exception {
    List<String> paths =
        all(drawn(figure("long")), "path").stream().map(path -> path.getAttribute("d")).toList();
    // Level up to a step, then down; 300 points high.
    String path =
        paths.stream().filter(one -> one.split("L", -1).length == 7).findFirst().orElseThrow();
    List<Double> heights = new ArrayList<>();
    for (String point : path.split("[ML]", -1)) {
      if (!point.isBlank()) {
        heights.add(Double.parseDouble(point.strip().split("[ ,]+", -1)[1]));
      }
    }
    double top = heights.getFirst();
    assertThat(heights.stream().map(y -> (y - top) / 300))
        .containsExactly(0.0, 0.0, 0.25, 0.25, 0.75, 0.75, 1.0);
  }

  @Test
  void figure_namesThatAreLongOrMarkup_areDrawnAsText() {
    Figure figure = figure("a<b>".repeat(50));
    assertThat(figure.svg("test")).contains("a&lt;b&gt;", "…").doesNotContain("a<b>");
    assertThat(figure.png()).isNotEmpty();
    assertThat(figure.pdf()).isNotEmpty();
  }
}
