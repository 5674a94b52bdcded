package ngd.studies.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.jfree.chart.axis.NumberTickUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class FigureTest {
  private static CurveFigure curves() {
    CurveFigure figure =
        new CurveFigure(
            List.of("a", "b"),
            List.of("up", "down"),
            List.of("x & y", "z"),
            "ref",
            "t",
            "v",
            false);
    for (String row : List.of("up", "down")) {
      for (String column : List.of("a", "b")) {
        figure.curve(row, column, "x & y", new double[] {0, 1, 2}, new double[] {3, 1, 0});
        figure.curve(
            row,
            column,
            "z",
            new double[] {0, 1, 2},
            new double[] {3, 9, Double.POSITIVE_INFINITY});
        figure.reference(row, column, -1);
      }
    }
    return figure;
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  @Test
  void svg_ofCurves_isWellFormedAndNamesEverything() throws Exception {
    Document svg = parsed(curves().figure("about").svg("a"));
    assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg.getDocumentElement().getAttribute("viewBox")).startsWith("0 0 ");
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("x & y", "z diverged", "ref", "up", "down");
  }

  @Test
  void png_ofCurves_hasInkAndTheSizeOfTheSvgTwice() throws Exception {
    Figure figure = curves().figure("about");
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(figure.png()));
    int width =
        Integer.parseInt(parsed(figure.svg("a")).getDocumentElement().getAttribute("width"));
    assertThat(image.getWidth()).isEqualTo(2 * width);
    int dark = 0;
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        dark += (image.getRGB(x, y) & 0xFF) < 128 ? 1 : 0;
      }
    }
    assertThat(dark).isBetween(1000, image.getWidth() * image.getHeight() / 4);
  }

  /** Oracle: the PNG, beside the PDF as a reader of PDFs shows it. */
  @Test
  void pdf_ofCurves_showsWhatThePngShowsOnAPageOfItsSize() throws Exception {
    Figure figure = curves().figure("about");
    BufferedImage png = ImageIO.read(new ByteArrayInputStream(figure.png()));
    try (PDDocument document = Loader.loadPDF(figure.pdf())) {
      assertThat(document.getNumberOfPages()).isEqualTo(1);
      assertThat(document.getPage(0).getMediaBox().getWidth()).isEqualTo(figure.width());
      BufferedImage pdf = new PDFRenderer(document).renderImage(0, 2);
      int ink = 0;
      int apart = 0;
      for (int x = 0; x < png.getWidth(); x++) {
        for (int y = 0; y < png.getHeight(); y++) {
          int one = png.getRGB(x, y) & 0xFF;
          ink += one < 128 ? 1 : 0;
          apart += Math.abs(one - (pdf.getRGB(x, y) & 0xFF)) > 128 ? 1 : 0;
        }
      }
      assertThat(pdf.getHeight()).isEqualTo(png.getHeight());
      assertThat(apart).isLessThan(ink / 4);
    }
    assertThat(figure.pdf()).as("no time, no chance in it").isEqualTo(figure.pdf());
  }

  /**
   * Runs that diverge at once leave a start alone, up to rounding. The oracle: every number beside
   * the axis is another one, and what diverged is written inside the panel.
   */
  @Test
  void figure_ofCurvesThatDivergedAtOnce_hasReadableNumbersAndSaysSo() throws Exception {
    CurveFigure figure =
        new CurveFigure(List.of("a"), List.of("up"), List.of("x", "z"), "", "t", "v", false);
    double lost = Double.POSITIVE_INFINITY;
    double[] t = {0, 2, 4};
    double start = 0.7806495627250747;
    figure.band("up", "a", "x", t, new double[] {start, 9, 9}, new double[] {start, lost, lost});
    figure.curve("up", "a", "x", t, new double[] {start, lost, lost});
    figure.curve("up", "a", "z", t, new double[] {Math.nextUp(start), lost, lost});
    Figure drawn = figure.figure("about");
    assertThat(drawn.pdf()).startsWith('%', 'P', 'D', 'F');
    Document svg = parsed(drawn.svg("a"));
    org.w3c.dom.NodeList texts = svg.getElementsByTagName("text");
    List<String> numbers = new java.util.ArrayList<>();
    Set<Double> lines = new HashSet<>();
    for (int i = 0; i < texts.getLength(); i++) {
      org.w3c.dom.Element text = (org.w3c.dom.Element) texts.item(i);
      if (text.getTextContent().startsWith("0.")) {
        numbers.add(text.getTextContent());
      }
      if (text.getTextContent().endsWith(" diverged")) {
        double y = Double.parseDouble(text.getAttribute("y"));
        assertThat(y).isBetween(0.0, (double) drawn.height());
        lines.add(y);
      }
    }
    assertThat(numbers).hasSizeGreaterThan(2).doesNotHaveDuplicates();
    assertThat(numbers).as("as wide as their place").allMatch(number -> number.length() < 7);
    assertThat(lines).as("one below the other").hasSize(2);
  }

  /** Oracle: the area of a triangle. */
  @Test
  void band_betweenQuartiles_isShadedBetweenThemAndUpToTheEdgeWhereTheyAreInfinite()
      throws Exception {
    CurveFigure figure =
        new CurveFigure(List.of(""), List.of(""), List.of("x"), "", "t", "v", true);
    double[] x = {0, 1};
    figure.curve("", "", "x", x, new double[] {0, 0});
    BufferedImage plain = ImageIO.read(new ByteArrayInputStream(figure.figure("about").png()));
    figure.band("", "", "x", x, new double[] {0, 0}, new double[] {0, Double.POSITIVE_INFINITY});
    BufferedImage shaded = ImageIO.read(new ByteArrayInputStream(figure.figure("about").png()));
    int tinted = 0;
    for (int i = 0; i < plain.getWidth(); i++) {
      for (int j = 0; j < plain.getHeight(); j++) {
        tinted += plain.getRGB(i, j) != shaded.getRGB(i, j) ? 1 : 0;
      }
    }
    // A triangle: half of the upper half of a panel of 800 by 400 pixels.
    assertThat(tinted).isBetween(78_000, 81_000);
  }

  /** Beside each other, the end of one axis and the 0 of the next keep their numbers. */
  @Test
  void svg_ofColumnsBesideEachOther_numbersTheLastTickOfEach() throws Exception {
    CurveFigure figure =
        new CurveFigure(List.of("a", "b"), List.of(""), List.of("x"), "", "t", "v", false);
    for (String column : List.of("a", "b")) {
      figure.curve("", column, "x", new double[] {0, 100_000}, new double[] {3, 1});
    }
    org.w3c.dom.NodeList texts =
        parsed(figure.figure("about").svg("a")).getElementsByTagName("text");
    List<String> numbers =
        java.util.stream.IntStream.range(0, texts.getLength())
            .mapToObj(i -> texts.item(i).getTextContent())
            .filter(text -> text.equals("100,000"))
            .toList();
    assertThat(numbers).hasSize(2);
  }

  /** Oracle: Tukey's definition by hand; quartiles 2 and 4, so whiskers within [−1, 7]. */
  @Test
  void box_ofValuesWithOutliers_putsWhiskersAtTheLastWithin() {
    double[] sorted = {-5, 0, 2, 3, 4, 6, 9};
    BoxFigure.Box box = BoxFigure.Box.of("D", sorted, 2, 3, 4, false);
    assertThat(box.low()).isEqualTo(0);
    assertThat(box.high()).isEqualTo(6);
    assertThat(box.outliers()).containsExactly(-5.0, 9.0);
  }

  /** Every two styles differ in dashes or marker, so that a grey copy still tells them apart. */
  @Test
  void style_ofAnyTwoKinds_differsWithoutColour() {
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < i; j++) {
        assertThat(Style.of(i).dashes()).isNotEqualTo(Style.of(j).dashes());
      }
    }
  }

  /**
   * As many as there are algorithms and more: those of one colour have other dashes and markers.
   */
  @Test
  void style_ofManyKinds_neverRepeats() {
    for (int i = 0; i < 64; i++) {
      for (int j = 0; j < i; j++) {
        Style one = Style.of(i);
        Style other = Style.of(j);
        assertThat(one).isNotEqualTo(other);
        if (one.colour().equals(other.colour())) {
          assertThat(one.dashes()).isNotEqualTo(other.dashes());
          assertThat(one.marker() == other.marker() && one.filled() == other.filled()).isFalse();
        }
      }
    }
  }

  /** Two figures on one page: a clip of one must not be found by the other. */
  @Test
  void svg_ofTwoNames_sharesNoIdentifier() {
    Figure figure = curves().figure("about");
    assertThat(figure.svg("a")).contains("id=\"a-clipPath1\"", "url(#a-clipPath1)");
    assertThat(figure.svg("b")).doesNotContain("id=\"clipPath", "url(#clipPath", "\"a-");
  }

  /** Oracle: the height that a legend in one line leaves. */
  @Test
  void figure_withALongLegend_growsByItsLines() {
    DotFigure few = new DotFigure(List.of("c"), List.of("s", "t"), "", "x", "y", false);
    few.dot("p", "c", "s", 0, 1, 2);
    List<String> long8 =
        java.util.stream.IntStream.range(0, 8).mapToObj(i -> "a rather long label " + i).toList();
    DotFigure many = new DotFigure(List.of("c"), long8, "", "x", "y", false);
    many.dot("p", "c", long8.getFirst(), 0, 1, 2);
    assertThat(height(many)).isGreaterThan(height(few) + 18);
  }

  private static int height(DotFigure figure) {
    String svg = figure.figure("about").svg("a");
    return Integer.parseInt(svg.replaceFirst("(?s).*?height=\"(\\d+)\".*", "$1"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0004, 0.031, 0.4, 7, 900, 123_456})
  void unit_ofAnyLength_tellsNeighbouringTicksApart(double length) {
    NumberTickUnit unit = CurveFigure.unit(length, 4);
    double first = 12 * unit.getSize();
    assertThat(unit.valueToString(first)).isNotEqualTo(unit.valueToString(first + unit.getSize()));
    assertThat(Double.parseDouble(unit.valueToString(first).replace(",", "")))
        .isCloseTo(first, within(1e-9 * first));
  }

  @Test
  void svg_ofACurveFarFromZero_numbersItsOwnStretch() throws Exception {
    CurveFigure figure =
        new CurveFigure(List.of("a"), List.of("up"), List.of("x"), "", "t", "v", false);
    figure.curve("up", "a", "x", new double[] {96, 98, 103}, new double[] {3, 1, 0});
    assertThat(parsed(figure.figure("about").svg("a")).getDocumentElement().getTextContent())
        .contains("90", "100", "110");
  }
}
