package ngd.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ngd.core.data.Shards;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.GradientCheck;
import ngd.core.model.Losses;
import org.junit.jupiter.api.Test;

/** {@code docs/losses.md} names every loss, and its example is the one that is tested here. */
final class LossesPageTest {
  private static final Path PAGE = Path.of("../docs/losses.md");

  @Test
  void page_everyLoss_hasItsLine() throws IOException {
    String page = Files.readString(PAGE);
    for (String words : Losses.words()) {
      assertThat(page).contains(words.startsWith("log-cosh") ? "log-cosh" : "| `" + words + "`");
    }
  }

  @Test
  void page_example_isTheSourceHere() throws IOException {
    String text = Files.readString(Path.of("src/test/java/ngd/library/LogCosh.java"));
    String body = text.substring(text.indexOf('\n', text.indexOf("// docs/losses.md")) + 1);
    assertThat(Files.readString(PAGE)).contains(body.strip());
  }

  @Test
  void parse_lossNamedInServices_isFoundAndItsGradientIsRight() {
    Losses.Named named = Losses.parse("log-cosh:0.50");
    assertThat(named.words()).isEqualTo("log-cosh:0.5");
    assertThat(named.own()).isTrue();
    double[][][] x = {{{1, 0.3}, {1, -2}, {1, 0.7}}, {{1, 1.1}, {1, 0.4}}};
    double[][] y = {{2, -1, 40}, {3, 0.5}};
    Shards shards = Shards.of(x, y);
    GradientCheck.require(named.loss(), shards, List.of("one", "x"));
    // A scale far above all residuals makes it least squares.
    double[] wide = GlobalEstimate.of(new LogCosh.Smooth(1e6), shards).theta();
    double[] least = GlobalEstimate.of(new ngd.core.model.Linear(), shards).theta();
    assertThat(wide[0]).isCloseTo(least[0], org.assertj.core.api.Assertions.within(1e-5));
    assertThat(wide[1]).isCloseTo(least[1], org.assertj.core.api.Assertions.within(1e-5));
  }
}
