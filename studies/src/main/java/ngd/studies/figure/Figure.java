package ngd.studies.figure;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.w3c.dom.Document;

/** A finished figure: one drawing, given as SVG, PNG or PDF. */
public record Figure(int width, int height, String description, Drawing drawing) {
  /** Between figures that stand below each other. */
  private static final int GAP = 18;

  /** Pixels a point: a figure a page wide then prints at some 300 dots an inch. */
  private static final int SCALE = 2;

  /** What paints a figure, its upper left corner at the origin. */
  @FunctionalInterface
  interface Drawing {
    void on(Graphics2D graphics);
  }

  /** Figures below each other, as one; a single one stays as it is. */
  public static Figure stacked(String description, List<Figure> figures) {
    if (figures.size() == 1) {
      return figures.getFirst();
    }
    int width = figures.stream().mapToInt(Figure::width).max().orElseThrow();
    int height =
        figures.stream().mapToInt(Figure::height).sum() + GAP * Math.max(0, figures.size() - 1);
    return new Figure(
        width,
        height,
        description,
        g -> {
          AffineTransform before = g.getTransform();
          for (Figure figure : figures) {
            figure.drawing().on(g);
            g.translate(0, figure.height() + GAP);
          }
          g.setTransform(before);
        });
  }

  /**
   * The drawing as SVG.
   *
   * @param name sets its identifiers apart from those of other figures on the same page
   */
  public String svg(String name) {
    Document document = emptyDocument();
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setComment(null);
    context.setPrecision(2);
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(width, height));
    drawing.on(graphics);
    StringWriter text = new StringWriter();
    try {
      graphics.stream(text, true);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    String svg = text.toString();
    // Verdana has the widths of the font that the layout was measured with, where that is missing.
    svg = svg.replace("'sans-serif'", "'DejaVu Sans',Verdana,sans-serif");
    return svg.substring(svg.indexOf("<svg"))
        .replaceAll("(id=\"|url\\(#)(clipPath|defs|genericDefs)", "$1" + name + "-$2")
        .replaceFirst(
            "width=\"%d\"".formatted(width),
            "viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" width=\"%d\""
                .formatted(width, height, description, width));
  }

  private static Document emptyDocument() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument("http://www.w3.org/2000/svg", "svg", null);
    } catch (ParserConfigurationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public byte[] png() {
    BufferedImage image =
        new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.scale(SCALE, SCALE);
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    drawing.on(graphics);
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.setUseCache(false);
      ImageIO.write(image, "png", bytes);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return bytes.toByteArray();
  }

  /**
   * One page of the figure's size, a point a unit. Letters are outlines: they look alike wherever
   * the page is read, and need no font there.
   */
  public byte[] pdf() {
    try (PDDocument document = new PDDocument()) {
      // Else the file would carry the time at which it was written.
      document.setDocumentId(1L);
      document.getDocumentInformation().setTitle(description);
      PDPage page = new PDPage(new PDRectangle(width, height));
      document.addPage(page);
      PdfBoxGraphics2D graphics = new PdfBoxGraphics2D(document, width, height);
      drawing.on(graphics);
      graphics.dispose();
      try (PDPageContentStream content = new PDPageContentStream(document, page)) {
        content.drawForm(graphics.getXFormObject());
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      document.save(bytes);
      return bytes.toByteArray();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
