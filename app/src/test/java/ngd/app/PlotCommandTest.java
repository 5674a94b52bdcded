package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The oracles are the formats' own readers, and the names of what was drawn. */
class PlotCommandTest {
  @TempDir private Path folder;

  private Path run(String name) {
    Path out = folder.resolve(name);
    Command fit =
        Command.line(
            "fit --simulate linear --rows 40 --clients 4 --network complete --alpha 0.05 --rounds 20 --out "
                + out);
    assertThat(fit.code()).isZero();
    return out;
  }

  private static Document parsed(Path svg) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
  }

  @Test
  void plot_twoRuns_drawsThemOverEachOtherAsSvgPngAndPdf() throws Exception {
    String line = "plot %s %s --out ".formatted(run("one"), run("two"));
    assertThat(Command.line(line + folder.resolve("curves.svg")).code()).isZero();
    assertThat(parsed(folder.resolve("curves.svg")).getDocumentElement().getTextContent())
        .contains("one", "two", "log MSE", "log distance", "log consensus", "log gradient");
    assertThat(Command.line(line + folder.resolve("curves.png")).code()).isZero();
    assertThat(ImageIO.read(folder.resolve("curves.png").toFile()).getWidth()).isGreaterThan(400);
    assertThat(Command.line(line + folder.resolve("curves.pdf")).code()).isZero();
    assertThat(Files.readAllBytes(folder.resolve("curves.pdf"))).startsWith('%', 'P', 'D', 'F');
  }

  @Test
  void network_drawn_isWrittenBesideTheDiagnosis() throws Exception {
    Path file = folder.resolve("network.svg");
    Command drawn = Command.line("network --network torus --clients 12 --draw " + file);
    assertThat(drawn.code()).isZero();
    assertThat(drawn.out()).contains("torus, uniform weights: 12 clients");
    assertThat(parsed(file).getElementsByTagName("line").getLength()).isEqualTo(48);
  }

  @Test
  void pictures_thatCannotBeMade_areRefusedAndNothingIsWritten() throws Exception {
    Path run = run("run");
    Command nameless = Command.line("plot " + run);
    assertThat(nameless.code()).isEqualTo(2);
    assertThat(nameless.err()).contains("--out: the file to write must be given");
    assertThat(Command.line("plot " + run + " --out x.gif").err())
        .contains("--out: must end with .svg, .png or .pdf; got `x.gif`");
    Command both =
        Command.line(
            "plot %s --out %s".formatted(folder.resolve("none"), folder.resolve("no/x.svg")));
    assertThat(both.err())
        .contains(
            "must lie in a folder that can be written", "must be a run folder; it does not exist");
    Files.writeString(run.resolve("trace.csv"), "round,distance\n0,x\n");
    Path out = folder.resolve("x.svg");
    assertThat(Command.line("plot %s --out %s".formatted(run, out)).code()).isEqualTo(2);
    assertThat(out).doesNotExist();
    Command network = Command.line("network --network circle:9 --clients 4 --draw x.txt");
    assertThat(network.err())
        .contains("degree D must lie in", "--draw: must end with .svg, .png or .pdf");
  }
}
